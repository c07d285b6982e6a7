import { z } from "zod";

const sentence = z.string().min(1).max(2000);
const criterionId = z.string().regex(/^AC-\d+$/, "an id looks like AC-1");

/** What requirement-manager hands over: becomes `requirement.md`. */
export const RequirementOutput = z.object({
  title: z.string().min(1).max(120).describe("Short title in the language of the issue."),
  problem: sentence.describe("What is missing or wrong today, and for whom."),
  scope: z.array(sentence).max(12).describe("What will change, one item each."),
  criteria: z
    .array(
      z.object({ id: criterionId, text: sentence.describe("WHEN … THEN …, something a test can show.") }),
    )
    .min(1)
    .max(12)
    .describe("Acceptance criteria with ids AC-1, AC-2, …"),
  nonGoals: z.array(sentence).max(8).describe("What is left out on purpose."),
  questions: z
    .array(
      z.object({
        question: sentence,
        assumed: sentence.describe("The answer to assume until a person says otherwise."),
      }),
    )
    .max(3)
    .describe("At most three open questions that would change the work; none if nothing is open."),
});

/** What requirement-manager hands over where a requirement changes: all of it, as it is from now on. */
export const RequirementChange = RequirementOutput.extend({
  redesign: z
    .boolean()
    .optional()
    .describe(
      "True only where the design does not hold any more, so that what is left has to be planned anew.",
    ),
  service: z
    .string()
    .nullish()
    .describe("Only where what is new has to be done in a service's repository: the name of that service."),
});

const taskParts = {
  title: z.string().min(1).max(120),
  criteria: z.array(criterionId).describe("Acceptance criteria that this task serves."),
  files: z.array(z.string()).describe("Paths it will create or change, in the repository that it is of."),
  service: z
    .string()
    .nullish()
    .describe("Only where it is done in a service's repository: the name of that service."),
};

const TaskOutput = z.object({
  id: z.string().regex(/^T\d+$/, "an id looks like T1"),
  ...taskParts,
  kind: z.enum(["feature", "test", "docs", "errors", "external"]),
  after: z.array(z.string()).describe("Ids of tasks that have to be done first."),
  accompanying: z
    .array(z.object({ ...taskParts, kind: z.enum(["test", "docs", "errors"]) }))
    .max(4)
    .default([])
    .describe("What belongs to this step and is worth a task of its own: its tests, errors, documentation."),
  external: z
    .object({
      who: z.string().min(1).max(120).describe("Team or person who does it."),
      proof: z.string().min(1).max(300).describe("What will show that it is done."),
      mock: z
        .string()
        .max(300)
        .default("")
        .describe("The stand-in that the issue agrees to meanwhile; empty: what depends on it waits."),
    })
    .nullish()
    .describe("Only for kind external: what somebody else has to do before parts of this can work."),
});

/** A step of the plan as design-manager hands it over, with what accompanies it. */
export type PlannedStep = z.infer<typeof TaskOutput>;

/** What design-manager hands over: becomes `design.md` and `tasks.md`. */
export const DesignOutput = z.object({
  summary: sentence.describe("The change in two or three sentences."),
  archaeology: z
    .array(
      z.object({
        question: sentence,
        answer: sentence,
        pointers: z.array(z.string()).describe("path or path:line"),
      }),
    )
    .max(8)
    .describe(
      "What exists already, which pitfalls and conventions apply, with pointers into the code; only what is not answered above.",
    ),
  decisions: z.array(sentence).max(10),
  files: z.array(z.object({ path: z.string(), change: sentence })).max(40),
  risks: z.array(sentence).max(8),
  tests: z.array(sentence).max(20).describe("What will be tested and where."),
  tasks: z
    .array(TaskOutput)
    .min(1)
    .max(20)
    .describe(
      "Feature steps, each with what accompanies it. A small fix is one task with nothing beside it.",
    ),
});

/** See the schema {@link DesignOutput}. */
export type Design = z.infer<typeof DesignOutput>;

/** What implementation-executor hands over after a task. */
export const TaskReport = z.object({
  summary: sentence.describe("What was changed and why, in one or two sentences."),
  evidence: z
    .array(
      z.object({
        criterion: criterionId,
        path: z.string(),
        test: z.string().describe("Exact name of the test that shows it."),
      }),
    )
    .describe("Tests that show a criterion; only tests that exist."),
});

/** See the schema {@link TaskReport}. */
export type TaskReport = z.infer<typeof TaskReport>;

/** What codebase-investigator hands over. */
export const InvestigationOutput = z.object({
  answer: sentence.describe("The answer first, then what it rests on. Says what was not found."),
  pointers: z
    .array(z.string())
    .max(12)
    .describe(
      "Where it can be checked, most important first: path:line, a commit or a pull request, and why.",
    ),
});

/** What codebase-investigator hands over where a person asked. */
export const AnswerOutput = z.object({
  answer: z
    .string()
    .min(1)
    .max(6000)
    .describe(
      "The answer first, then what it rests on, in the language of the question. Says what was not found.",
    ),
  citations: z
    .array(
      z.object({
        source: z
          .string()
          .min(1)
          .max(300)
          .describe("path:line, path#symbol, a commit's id, #12, REQ-12, or the id of a note or rule."),
        shows: z.string().max(300).describe("Which statement it shows, in a few words."),
      }),
    )
    .max(12)
    .describe("Where the answer can be checked, most important first. Each is looked up."),
});

/** What a reviewer hands over. */
export const ReviewOutput = z.object({
  findings: z
    .array(
      z.object({
        severity: z.enum(["blocking", "major", "minor"]),
        path: z.string().min(1),
        line: z.number().int().min(1).describe("A line of the file as it is after the change."),
        title: z.string().min(1).max(120),
        why: sentence.describe("What goes wrong, and when."),
      }),
    )
    .max(12)
    .describe("Gravest first; empty when there is nothing to report."),
});

/** What experience-depositor hands over: one lesson, or none worth keeping. */
export const LessonOutput = z.object({
  lesson: z
    .object({
      title: z.string().min(1).max(120),
      problem: sentence,
      keywords: z
        .array(z.string().min(2))
        .max(8)
        .describe("Words in a later request that should bring this up, in the language people use."),
      paths: z.array(z.string()).max(8).describe("Globs of files it concerns."),
      symbols: z.array(z.string()).max(8),
      solution: sentence.describe("What to do next time, with pointers to files and symbols."),
      verification: sentence.describe("How to check that it was done right."),
      related: z.array(z.string()).max(8),
    })
    .nullable()
    .describe("Null when nothing here would save the next requirement any work."),
});

/** See the schema {@link LessonOutput}. */
export type Lesson = NonNullable<z.infer<typeof LessonOutput>["lesson"]>;
