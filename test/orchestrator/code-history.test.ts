import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenMap, createCheckoutTree, openCodeMap } from "../../src/codemap/index.js";
import { createFilePast } from "../../src/git/index.js";
import { type Tree, formatEvidence, match } from "../../src/knowledge/index.js";
import { followIn, verifiedIn } from "../../src/orchestrator/code-history.js";
import type { Run } from "../../src/orchestrator/types.js";
import { AccrueError } from "../../src/shared/index.js";
import { aQuery } from "../knowledge/samples.js";
import { type MappedCheckout, mappedCheckout, signal } from "../support/mapped-checkout.js";

const FUNCTION = "export function issueGoods(id: string) {\n  return `goods ${id}`;\n}";
const note = (id: string, evidence: string): [string, string] => [
  `context/experience/${id}.md`,
  `---\nid: ${id}\ntype: pattern\nstatus: active\n---\n\n## Triggers\n\n- keywords: wallet\n\n## Related\n\n- ${evidence}\n`,
];
const knowledge: Tree = new Map([
  note("EXP-AAAAAAAA", formatEvidence({ path: "src/issue.ts", symbol: "issueGoods", text: FUNCTION })),
  note("EXP-BBBBBBBB", formatEvidence({ path: "stack.json", symbol: null, text: "{}" })),
]);
let checkout: MappedCheckout;
let opened: OpenMap;
beforeAll(async () => {
  checkout = await mappedCheckout();
  const { git, folder, write, commit } = checkout;
  write({ "src/issue.ts": `${FUNCTION}\n`, "stack.json": "{}" });
  await commit("one");
  opened = await openCodeMap(
    { now: () => 1_700_000_000_000, warn: () => {} },
    {
      tree: createCheckoutTree(git, folder),
      database: checkout.database,
      past: createFilePast(git, "HEAD", { folder, signal }),
    },
  );
});
afterAll(async () => {
  await opened.close();
  await checkout.close();
});

async function verified(): Promise<Record<string, boolean | null>> {
  const read = async (path: string) => {
    try {
      return readFileSync(join(checkout.folder, path));
    } catch {
      return null;
    }
  };
  const run = { knowledge, code: { map: opened.map }, workspace: { files: { read } } } as unknown as Run;
  const { pattern } = match(knowledge, aQuery({ text: "wallet" }), await verifiedIn(run, signal));
  return Object.fromEntries(pattern.files.map((file) => [file.id, file.verified]));
}

describe("knowledge of a run", () => {
  it("is verified while the code it cites is the same, also where that has moved, and no longer", async () => {
    expect(await verified()).toEqual({ "EXP-AAAAAAAA": true, "EXP-BBBBBBBB": true });
    checkout.write({ "src/issue.ts": "// others\n", "src/goods.ts": `// here now\n${FUNCTION}\n` });
    expect(await verified()).toMatchObject({ "EXP-AAAAAAAA": true });
    checkout.write({ "src/goods.ts": FUNCTION.replace("goods $", "wares $"), "stack.json": '{"db":1}' });
    expect(await verified()).toEqual({ "EXP-AAAAAAAA": false, "EXP-BBBBBBBB": false });
  });

  it("stays as it is written where the code cannot be asked, and people are told", async () => {
    const said: string[] = [];
    const map = {
      ...opened.map,
      refresh: () => Promise.reject(new AccrueError("CODEMAP_FAILED", "no thread starts")),
    };
    const follow = followIn({ map }, (message) => void said.push(message), signal);
    expect(await follow({ files: [], symbols: ["issueGoods"] })).toEqual({
      files: new Map(),
      symbols: new Map(),
    });
    expect(said).toEqual([expect.stringContaining("no thread starts")]);
  });
});
