// What agents hand over, for scenarios.
/** One tool call. */
export const call = (tool: string, input: object) => ({ tool, input });
/** A scenario whose agent hands something over at once, for the message that holds all of these. */
export const says = (
  [name, system, ...taskContains]: [string, string, ...string[]],
  input: object,
  more: object = {},
) => ({
  name,
  when: { systemContains: `Your job: ${system}`, taskContains, ...more },
  turns: [{ call: [call("complete_task", input)] }],
});
/** What requirement-manager hands over. */
export const requirement = (title: string, criteria: string[], more: object = {}) => ({
  title,
  problem: "It is missing.",
  scope: [],
  criteria: criteria.map((text, index) => ({ id: `AC-${index + 1}`, text })),
  nonGoals: [],
  questions: [],
  ...more,
});
/** A step of a plan. */
export const step = (id: string, title: string, criteria: string[], files: string[] = []) => ({
  id,
  title,
  kind: "feature",
  criteria,
  files,
  after: [],
});
/** What design-manager hands over. */
export const plan = (tasks: object[]) => ({
  summary: "As planned.",
  archaeology: [],
  decisions: [],
  files: [],
  risks: [],
  tests: [],
  tasks,
});
