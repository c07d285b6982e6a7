import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Deposit, type TreeMemory, formatDeposit, openTreeMemory } from "../../src/knowledge/index.js";
import { MemoryOptions } from "../../src/memory/index.js";
import { weighLesson } from "../../src/orchestrator/weigh-lesson.js";

const FALSE = "Refunds are sent by `src/refund.ts` without any idempotency key.";
const signal = new AbortController().signal;

let folder: string;
let memory: TreeMemory;
let tree: Map<string, string>;
let count: number;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "accrue-lesson-"));
  const deps = { env: {}, now: () => 1_700_000_000_000, fetch, warn: () => {} };
  const place = { file: join(folder, "memory.db"), options: MemoryOptions.parse({}) };
  memory = await openTreeMemory(deps, place, signal);
  tree = new Map();
  count = 0;
});
afterEach(() => {
  memory.close();
  rmSync(folder, { recursive: true, force: true });
});

function lesson(title: string, solution: string): Deposit {
  const number = String(++count).padStart(2, "0");
  return {
    id: `01JAAAAAAAAAAAAAAAAAAAAA${number}`,
    run: "01JAAAAAAAAAAAAAAAAAAAAA00",
    by: "accrue[bot]",
    source: "REQ-1",
    at: "2026-11-30T10:00:00.000Z",
    rules: [],
    note: {
      id: `EXP-AAAAAA${number}`,
      title,
      type: "pattern",
      status: "active",
      trust: "bot",
      problem: "A refund has to be sent.",
      triggers: { keywords: ["refund"], paths: [], symbols: [], labels: [], phases: [], text: [] },
      solution,
      verification: "Run the tests of refunds.",
      related: [],
      file: "",
      raw: "",
    },
  };
}

/** What a run does with its lesson: a deposit lies in the tree of the next one. */
async function learn(title: string, solution: string) {
  const weighed = await weighLesson(lesson(title, solution), { tree, memory }, signal);
  if (weighed.kind === "new")
    tree = new Map(tree).set(`context/deposits/${weighed.deposit.id}.md`, formatDeposit(weighed.deposit));
  return weighed;
}

describe("what a run learns", () => {
  it("leaves one copy of a false note after 20 runs that were shown it and repeat it", async () => {
    expect(await learn("Refunds", FALSE)).toMatchObject({ kind: "new", against: null });
    const [shown = ""] = tree.values();
    const repeats = [
      FALSE,
      `As the notes say: ${FALSE}`,
      `- ${FALSE}`,
      `<knowledge>\n${shown}\n</knowledge>`,
      `[EXP-AAAAAA01] ${FALSE}`,
      `Refunds are sent by \`src/refund.ts\`, without any idempotency key`,
    ];
    for (let run = 0; run < 20; run++) {
      const weighed = await learn(`Refunds, run ${run}`, repeats[run % repeats.length] ?? FALSE);
      expect(weighed.kind).not.toBe("new");
    }
    expect(tree.size).toBe(1);
  });

  it("keeps what is new of a lesson that repeats a known one", async () => {
    await learn("Refunds", FALSE);
    const weighed = await learn("Refund receipts", `${FALSE} Receipts are numbered in \`src/receipts.ts\`.`);
    if (weighed.kind !== "new") throw new Error(`it is ${weighed.kind}`);
    expect(weighed.deposit.note.solution).toBe("Receipts are numbered in `src/receipts.ts`.");
  });

  it("keeps a contradiction beside what it contradicts, and names both", async () => {
    await learn("Refund retries", "Refunds in `src/refund.ts` are retried 3 times.");
    const weighed = await learn("Refund retries", "Refunds in `src/refund.ts` are retried 5 times.");
    expect(weighed).toMatchObject({ kind: "new", against: { id: "EXP-AAAAAA01" } });
    if (weighed.kind !== "new") return;
    expect(weighed.against?.said).toContain("3 times");
    expect(weighed.against?.new).toContain("5 times");
    expect(weighed.deposit.note.related).toContain("EXP-AAAAAA01");
    expect(tree.size).toBe(2);
  });

  it("drops what names no file, symbol or decision, and says why", async () => {
    const weighed = await learn("Care", "It went well this time and it was easy to do.");
    expect(weighed).toMatchObject({ kind: "nothing", reason: expect.stringMatching(/\w/) });
  });
});
