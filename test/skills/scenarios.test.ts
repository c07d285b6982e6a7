// Each shipped skill names what is done by code and not by a model. Here that is done, through the same doors that people use.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { depositOf, fold, formatDeposit } from "../../src/knowledge/index.js";
import { checkPlan, expandPlan } from "../../src/orchestrator/plan.js";
import { revisePlan } from "../../src/orchestrator/revision.js";
import {
  type PlannedTask,
  archive,
  conflictsIn,
  diffRequirement,
  formatDesign,
  formatIndex,
  formatRequirement,
  formatTasks,
  keepIds,
  mergeRequirements,
  parseRequirement,
  parseTasks,
  summaries,
} from "../../src/requirements/index.js";
import {
  type PersonalRepository,
  personalRepository,
  stayingAccrue,
  temporaryFolder,
} from "../support/command-line.js";
import { SHIPPED } from "../support/skill-sources.js";

const accrue = stayingAccrue();
const folder = temporaryFolder();
let place: PersonalRepository;
beforeAll(() => {
  place = personalRepository(join(folder, "scenarios"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const json = async (command: string, ...args: string[]) =>
  (await accrue([...command.split(" "), "--json", ...args], { cwd: place.root })).json();
const ac = (number: number, text: string) => ({ id: `AC-${number}`, text });
const task = (id: string, part: Partial<PlannedTask> = {}): PlannedTask => ({
  id,
  title: `Do ${id}`,
  kind: "feature",
  criteria: ["AC-1"],
  files: [],
  after: [],
  done: false,
  evidence: [],
  ...part,
});
const ABOUT = { id: "REQ-12", issue: 12, url: null, created: "2026-11-29" } as const;
const requirement = (criteria: { id: string; text: string }[], language: "en" | "zh" = "en") =>
  formatRequirement(
    { title: "CSV", problem: "No export.", scope: [], criteria, nonGoals: [], questions: [] },
    { ...ABOUT, language },
  );
const LESSON = {
  by: "lee",
  source: "https://github.com/acme/shop/pull/12",
  run: "01JB8ZK3QH6X9M4T7V2C5D8E0G",
  at: "2026-11-29T10:04:05.000Z",
  language: "en" as const,
  path: null,
  symbols: [],
  requirement: "REQ-12",
  newId: () => "01JB8ZK3QH6X9M4T7V2C5D8E01",
  newNoteId: () => "EXP-7K3M2P01",
  newRuleId: () => "R-7K3M01",
} satisfies Omit<Parameters<typeof depositOf>[0], "text">;
const FOLD = {
  completed: [{ requirement: "REQ-12" }],
  now: "2026-12-02T00:00:00.000Z",
  language: "en" as const,
};
const RULES = "context/rules/pattern-rules.md";
const RULE = `## R-7K3M2P Exports go through one module

- status: active
- paths: \`src/**\`
- load: \`README.md\`
- check: \`npm test\`
`;

const SCENARIOS: Readonly<Record<string, () => Promise<void> | void>> = {
  "req-create": () => {
    const ids = keepIds([], [ac(1, "WHEN asked THEN a file"), ac(1, "WHEN empty THEN a header")]);
    expect(ids.map(({ id }) => id)).toEqual(["AC-1", "AC-2"]);
    const document = requirement(ids, "zh");
    expect(parseRequirement(document)).toMatchObject({ title: "CSV", issue: 12, criteria: ids });
    expect(document).toMatch(/^## 验收标准$/m);
  },

  "req-change": () => {
    const before = [ac(1, "within 1 s"), ac(2, "a header")];
    const after = keepIds(before, [ac(1, "a header"), ac(2, "within 9 s, for all")], [], ["AC-3"]);
    expect(after.find(({ text }) => text === "a header")?.id).toBe("AC-2");
    expect(
      diffRequirement(before, [ac(1, "within 9 s"), ac(2, "a header"), ac(4, "a footer")]),
    ).toMatchObject({
      changed: [{ id: "AC-1", before: "within 1 s", after: "within 9 s" }],
      added: [ac(4, "a footer")],
      removed: [],
    });
    const sides = ["within 1 s", "within 2 s", "within 9 s"].map((text) => requirement([ac(1, text)]));
    const [base = "", ours = "", theirs = ""] = sides;
    const { text } = mergeRequirements({ base, ours, theirs });
    expect(conflictsIn(text)).toEqual(["AC-1"]);
    expect(text).toContain("within 2 s");
    expect(text).toContain("within 9 s");
  },

  "experience-index": async () => {
    place.write(RULES, RULE);
    const answer = await json("rules match", "--text", "export", "--path", "src/app.js", "--phase", "design");
    expect(Object.keys(answer)).toEqual(expect.arrayContaining(["context", "risk", "service", "pattern"]));
    expect(answer).toMatchObject({ pattern: { files: [{ id: "R-7K3M2P", path: "README.md" }] } });
    expect(await json("memory recall", "--", "how are virtual goods issued")).toEqual({ results: [] });
  },

  "design-create": () => {
    const archaeology = [{ question: "What is there?", answer: "Columns.", pointers: ["src/columns.js:3"] }];
    const parts = { summary: "A file.", decisions: ["No dependency."], files: [], risks: [], tests: [] };
    const document = formatDesign({ id: "REQ-12", title: "CSV", language: "en", archaeology, ...parts });
    expect(document.indexOf("src/columns.js:3")).toBeLessThan(document.indexOf("No dependency."));
    const step = { ...task("T1"), accompanying: [{ ...task("T1"), kind: "test" as const }] };
    const plan = expandPlan([step], { testFirst: false });
    expect(plan.map(({ id, kind, after }) => [id, kind, after])).toEqual([
      ["T1", "feature", []],
      ["T2", "test", ["T1"]],
    ]);
    expect(checkPlan([{ ...step, after: ["T9"] }], 1)).toEqual([
      "task T1 comes after T9, which does not exist",
    ]);
  },

  "design-change": () => {
    const diff = diffRequirement([ac(1, "within 1 s")], [ac(1, "within 9 s")]);
    const { tasks } = revisePlan([task("T1", { done: true })], diff, "en");
    expect(tasks.map(({ id, done }) => [id, done])).toEqual([
      ["T1", true],
      ["T2", false],
    ]);
    expect(tasks[1]?.title).toBe("Adapt T1 to the changed AC-1");
  },

  "workspace-setup": async () => {
    place.write("AGENTS.md", "Ours.\n");
    const { checks } = (await json("doctor")) as { checks: { name: string; outcome: string }[] };
    expect(checks.find(({ name }) => name === "git")).toMatchObject({ outcome: "passed" });
    const { created } = (await json("init")) as { created: string[] };
    expect(created).toContain(".github/agent.yml");
    expect(readFileSync(join(place.root, "AGENTS.md"), "utf8")).toMatch(/^Ours\.$/m);
    expect(await json("map build")).toMatchObject({ partial: [] });
  },

  "design-implementation": () => {
    const evidence = [{ criterion: "AC-1", path: "test/csv.test.js", test: "AC-1 a header" }];
    const tasks = [task("T1", { done: true, evidence }), task("T2", { after: ["T1"] })];
    const document = formatTasks({ id: "REQ-12", title: "CSV", language: "en", tasks });
    expect(document).toMatch(/^- \[x\] T1 /m);
    expect(parseTasks(document)).toEqual(tasks);
  },

  "code-commit": async () => {
    place.write(RULES, RULE);
    const fitting = await json("rules match", "--text", "T3", "--phase", "implement", "--path", "src/app.js");
    expect(JSON.stringify(fitting)).toContain("R-7K3M2P");
    const apart = await json("rules match", "--text", "T3", "--phase", "implement", "--path", "docs/a.md");
    expect(JSON.stringify(apart)).not.toContain("R-7K3M2P");
  },

  "requirement-completer": () => {
    const made = depositOf({ ...LESSON, text: "Never write files in a route" });
    const text = formatDeposit(made);
    const { writes } = fold(new Map([[made.note.file, text]]), FOLD);
    const note = [...writes].find(([path]) => path.startsWith("context/experience/"))?.[1] ?? "";
    expect(note).toContain("Never write files in a route");
    expect(note).toContain("REQ-12");
  },

  "requirement-archiver": () => {
    const open = "requirements/in-progress/REQ-12-csv";
    const tree = new Map([
      [`${open}/requirement.md`, requirement([ac(1, "a file")])],
      [`${open}/tasks.md`, "# Tasks\n"],
      ["requirements/in-progress/REQ-13-pdf/requirement.md", "# PDF\n"],
    ]);
    const moves = archive(tree, "REQ-12");
    expect(moves.get(`${open}/requirement.md`)).toBeNull();
    expect(moves.get("requirements/completed/REQ-12-csv/tasks.md")).toBe("# Tasks\n");
    expect([...moves.keys()].filter((path) => path.includes("REQ-13"))).toEqual([]);
  },

  "meta-maintainer": async () => {
    place.write(
      "context/tech/exports.md",
      "# Exports\n\nSee [the module](../../src/gone.js).\n\n<<<<<<< ours\n",
    );
    place.write(RULES, `${RULE}\n${RULE}\n## R-7K3M2Q Idle\n\n- status: active\n- load: \`README.md\`\n`);
    const { problems } = (await json("rules check")) as {
      problems: { file: string; line: number; code: string }[];
    };
    const codes = problems.map(({ file, line, code }) => `${file}:${line} ${code}`);
    expect(codes).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^context\/tech\/exports\.md:3 /),
        expect.stringMatching(/^context\/tech\/exports\.md:5 /),
        expect.stringMatching(/pattern-rules\.md:\d+ .*(?:id|twice|duplicate)/),
      ]),
    );
    expect(codes.filter((line) => line.includes("pattern-rules.md")).length).toBeGreaterThan(1);
    expect(await json("memory stats")).toHaveProperty("states");
    place.write("context/tech/exports.md", "# Exports\n");
    place.write(RULES, RULE);
  },

  "index-manager": async () => {
    const tree = new Map([
      ["requirements/in-progress/REQ-12-csv/requirement.md", requirement([ac(1, "a file")])],
      ["requirements/INDEX.md", "# Edited by hand\n"],
    ]);
    expect(formatIndex(summaries(tree), "en")).toMatch(
      /^- \[REQ-12\]\(in-progress\/REQ-12-csv\/requirement\.md\) /m,
    );
    const made = depositOf({ ...LESSON, text: "Never write files in a route" });
    const known = new Map([
      [made.note.file, formatDeposit(made)],
      ["context/INDEX.md", "# Edited by hand\n"],
    ]);
    expect(fold(known, FOLD).writes.get("context/INDEX.md")).not.toContain("Edited by hand");
    expect(await json("memory rebuild")).toMatchObject({ problems: [] });
  },
};

describe("a scenario of each skill that ships", () => {
  it("is there, for no other and for none twice", () => {
    expect(Object.keys(SCENARIOS).toSorted()).toEqual([...SHIPPED.skills.keys()].toSorted());
  });

  it.each(Object.entries(SCENARIOS))("shows that what %s leaves to code is done by code", async (_, play) => {
    await play();
  });

  it.each([...SHIPPED.skills.keys()])(
    "tells an agent that has %s loaded all of it, in the run's language",
    (name) => {
      const facts = { tools: [], instructions: "", language: "zh", kind: null, skillTokens: 0 } as const;
      const loads = [name];
      const prompt = SHIPPED.systemPrompt(SHIPPED.agent("implementation-executor"), { ...facts, loads });
      expect(prompt).toContain(
        SHIPPED.skill(name).body.replaceAll("{{language}}", "Chinese (简体中文)").trim(),
      );
    },
  );
});
