import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  eventPath,
  formatEvent,
  formatRequirement,
  stateEvent,
  type State,
  understoodEvent,
} from "../../src/requirements/index.js";
import { personalRepository, stayingAccrue, temporaryFolder } from "../support/command-line.js";

const accrue = stayingAccrue();
const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = "2026-11-20T10:00:00Z";
let count = 0;
const newId = () => `01JB8Z${String(++count).padStart(20, "0")}`;
/** The events that lead through these states, as files. */
function eventsOf(req: string, ...steps: [State | null, State][]): [string, string][] {
  return steps.map(([from, to]) => {
    const event = stateEvent({ id: newId(), req, run: "r", actor: "accrue[bot]", at, from, to });
    return [eventPath(event), formatEvent(event)];
  });
}
const written = (id: string, title: string, text: string) =>
  formatRequirement(
    { title, problem: "p", scope: [], criteria: [{ id: "AC-1", text }], nonGoals: [], questions: [] },
    { id, issue: Number(id.slice(4)), language: "en", url: null, created: "2026-11-20" },
  );
const merged: [State | null, State][] = [
  [null, "opened"],
  ["opened", "clarified"],
  ["clarified", "approved"],
  ["approved", "implementing"],
  ["implementing", "in-review"],
];

const repository = personalRepository(join(folder, "shop"));
const writeAll = (files: [string, string][]) => files.forEach(([path, text]) => repository.write(path, text));
writeAll([
  ...eventsOf("REQ-3", ...merged),
  ["requirements/in-progress/REQ-3-late/requirement.md", written("REQ-3", "Late fees", "one")],
]);
repository.commit("Merge a requirement");
repository.git("switch", "-q", "-c", "agent/REQ-5-quick");
const document = written("REQ-5", "Quick", "within 1 s");
const understood = understoodEvent(
  { id: newId(), req: "REQ-5", run: "r", actor: "accrue[bot]", at },
  { issue: null, document, comments: [], touched: ["AC-1"] },
);
writeAll([
  ...eventsOf(
    "REQ-5",
    [null, "opened"],
    ["opened", "clarified"],
    ["clarified", "designed"],
    ["clarified", "approved"],
  ),
  [eventPath(understood), formatEvent(understood)],
  ["requirements/in-progress/REQ-5-quick/requirement.md", document.replace("within 1 s", "within 9 s")],
  ["requirements/in-progress/REQ-5-quick/tasks.md", "# Tasks\n\n- [x] T1 [AC-1] Answer\n"],
]);
repository.commit("Open a requirement");
repository.git("switch", "-q", "main");

describe("accrue req", () => {
  it("lists requirements of all branches, says which are contested, and which were merged and never filed (KN-14)", async () => {
    const list = await accrue(["req", "list", "--json"], { cwd: repository.root });
    expect(list.json()).toMatchObject({
      requirements: [
        {
          id: "REQ-3",
          state: "in-review",
          title: "Late fees",
          issue: 3,
          pull: null,
          branch: null,
          problems: [],
        },
        { id: "REQ-5", state: "contested", title: "Quick", branch: "agent/REQ-5-quick" },
      ],
      backlog: [{ id: "REQ-3", since: at }],
    });
    const { out } = await accrue(["req", "list"], { cwd: repository.root });
    expect(out).toMatch(
      /REQ-5 {2}contested {5}Quick .*\n {2}! Events \w+ and \w+ both leave clarified: for designed and for approved\./,
    );
    expect(out).toContain("! REQ-3 was merged and is not filed, since 2026-11-20");
  });

  it("shows one with its criteria and tasks, and marks what was edited since it was understood", async () => {
    const shown = await accrue(["req", "show", "req-5", "--json"], { cwd: repository.root });
    expect(shown.json()).toMatchObject({
      id: "REQ-5",
      criteria: [{ id: "AC-1", text: "within 9 s" }],
      tasks: [{ id: "T1", title: "Answer", done: true }],
      edited: ["AC-1"],
    });
    const { out } = await accrue(["req", "show", "REQ-5"], { cwd: repository.root });
    expect(out).toContain("AC-1 (edited)  within 9 s\n[x] T1  Answer\n");
  });

  it("says what is wrong with an id that is none, or of no requirement", async () => {
    for (const [args, said] of [
      [["req", "show", "REQ-77"], "REQ-77 is no requirement of this repository"],
      [["req", "show", "five"], "five is no id of a requirement: write it as REQ-12."],
      [["req", "change", "REQ-77", "--", "faster"], "REQ-77 is no requirement of this repository"],
    ] as const) {
      const { status, err } = await accrue(args, { cwd: repository.root });
      expect(status).toBe(2);
      expect(err).toContain(said);
    }
  });
});
