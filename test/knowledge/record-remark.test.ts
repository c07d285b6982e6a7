import { describe, expect, it } from "vitest";
import { addInstruction, recordRemark } from "../../src/knowledge/index.js";
import type { Judgement } from "../../src/memory/index.js";
import { INPUT } from "./remarks.js";

const TOKEN = `ghp_${"a1B2c3D4".repeat(5)}`;
const record = (text: string, judge: ((title: string) => Judgement) | null = null, lessons?: unknown[]) =>
  recordRemark(
    { ...INPUT, text },
    {
      tree: new Map(),
      lessons: lessons ?? null,
      injected: [],
      judge: judge && (({ title }) => Promise.resolve(judge(title))),
    },
  );

describe("a remark", () => {
  it("with a secret gives no file, and names its kind only", async () => {
    const made = await record(`- Never log a token\n- the deploy token is ${TOKEN}`);
    expect(made).toMatchObject({ recorded: [], secrets: ["GitHub token"] });
    expect(JSON.stringify(made)).not.toContain(TOKEN);
  });

  it("whose lesson gets a secret from a model loses that lesson only", async () => {
    const lesson = (title: string) => ({ kind: "experience", title, solution: `${title}.` });
    const made = await record("see above", null, [lesson("Log no token"), lesson(`Use ${TOKEN}`)]);
    expect(made.recorded.map(({ title }) => title)).toEqual(["Log no token"]);
    expect(made.skipped).toEqual([
      { title: "", code: "secret", reason: "it holds a secret (GitHub token)", known: null },
    ]);
  });

  it("at a line has its place among the triggers, also where a model wrote it down", async () => {
    const lessons = [{ kind: "experience", title: "Keys", solution: "Send a key." }];
    const input = { ...INPUT, text: "x", path: "src/pay/refund.js", symbols: ["refund"] };
    const { deposits } = await recordRemark(input, { tree: new Map(), lessons, injected: [], judge: null });
    expect(deposits[0]?.note.triggers).toMatchObject({ paths: ["src/pay/**"], symbols: ["refund"] });
  });

  it("that is remembered in other words is repeated, and only that lesson", async () => {
    const made = await record("- Tokens never go into logs\n- Use src/csv.ts", (title) =>
      title.startsWith("Tokens")
        ? { action: "touched", target: "EXP-AAAAAAAA", similarity: 0.95, reason: "the same" }
        : { action: "created", target: null, similarity: 0, reason: "new", related: [] },
    );
    expect(made.repeated).toMatchObject([{ memory: "EXP-AAAAAAAA" }]);
    expect(made.recorded).toHaveLength(1);
    expect([...made.writes.keys()]).toEqual([made.recorded[0]?.path]);
  });

  it("that names nothing is kept all the same, because a person asked for it", async () => {
    const made = await record("Members may ask twice", () => ({
      action: "refused",
      target: null,
      similarity: 0,
      reason: "it names nothing",
    }));
    expect(made.recorded).toHaveLength(1);
  });

  it("that contradicts is kept, and names in its file what it contradicts (KN-41)", async () => {
    const made = await record("Use src/csv.ts for exports", () => ({
      action: "conflict",
      target: "EXP-AAAAAAAA",
      similarity: 0.9,
      reason: "another file",
    }));
    expect(made.contradictions).toMatchObject([{ id: "EXP-AAAAAAAA", note: "EXP-7K3M2P9Q" }]);
    expect([...made.writes.values()][0]).toContain("- EXP-AAAAAAAA\n");
  });
});

describe("a line for the instructions of agents", () => {
  it.each([
    ["no file", null, "- Run npm test.\n"],
    ["a list at the end", "# A\n\n- One.\n  more\n", "# A\n\n- One.\n  more\n- Run npm test.\n"],
    ["text at the end", "# A\n\nText.\n", "# A\n\nText.\n\n- Run npm test.\n"],
    ["a list above text", "- One.\n\nText.\n", "- One.\n\nText.\n\n- Run npm test.\n"],
    ["Windows line ends", "- One.\r\n", "- One.\r\n- Run npm test.\r\n"],
    [
      "our block only",
      "<!-- accrue:start v1 -->\n- ours\n<!-- accrue:end -->\n",
      "<!-- accrue:start v1 -->\n- ours\n<!-- accrue:end -->\n\n- Run npm test.\n",
    ],
    [
      "a list before our block",
      "- One.\n\n<!-- accrue:start v1 -->\n- ours\n<!-- accrue:end -->\n",
      "- One.\n- Run npm test.\n\n<!-- accrue:start v1 -->\n- ours\n<!-- accrue:end -->\n",
    ],
  ])("is added where there is %s", (_name, before, after) => {
    expect(addInstruction(before, "Run npm test.")).toEqual({ text: after, line: "- Run npm test." });
  });

  it("is not added twice, however it is written", () => {
    expect(addInstruction("* run NPM test\n", "- Run npm test.").text).toBe(null);
  });
});
