import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { accrue, personalRepository, stayingAccrue, temporaryFolder } from "../support/command-line.js";

const folder = temporaryFolder();
const typed = stayingAccrue();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const repository = personalRepository(join(folder, "shop"), { files: false });
repository.write("src/store.ts", "export function write() {}\nexport function idle() {}\n");
repository.write(
  "src/shop.ts",
  'import { write } from "./store.js";\nexport function sell() {\n  write();\n}\n',
);
repository.write("test/shop.test.ts", 'import { sell } from "../src/shop.js";\nsell();\n');
repository.commit("A shop");

const ask = async (...args: string[]) => {
  const { status, out, err } = await typed(["map", ...args], { cwd: repository.root });
  return { status, out, err };
};
const json = async (...args: string[]) =>
  (await typed(["map", ...args, "--json"], { cwd: repository.root })).json();

describe("accrue map", () => {
  it("builds in the data folder, and reads nothing again that it knows", async () => {
    const keys = ["files", "symbols", "references", "partial", "skipped", "reused", "read", "ms"];
    const first = await accrue(["map", "build", "--json"], { cwd: repository.root });
    expect(Object.keys(first.json())).toEqual(keys);
    expect(await json("build")).toMatchObject({ files: 3, symbols: 3, partial: [], reused: 3, read: 0 });
    expect(existsSync(join(repository.root, ".agent/codemap.db"))).toBe(true);
    expect(repository.git("status", "--porcelain")).toBe("");
  });

  it("finds, lists and follows, for people and for programs", async () => {
    expect((await ask("find", "writ")).out).toBe("src/store.ts:1 function write()\n");
    expect(await json("find", "write")).toMatchObject({
      symbols: [
        { key: "src/store.ts#write", path: "src/store.ts", line: 1, kind: "function", exported: true },
      ],
      truncated: 0,
      warnings: [],
    });
    expect((await ask("refs", "src/store.ts#write", "--limit", "1")).out).toMatch(
      /^src\/shop\.ts:1 (?:use|import)\n… 1 more: --limit 2\n$/,
    );
    expect(await json("refs", "write", "--all")).toMatchObject({
      references: [
        { path: "src/shop.ts", line: 1, symbol: null, confidence: "certain" },
        { path: "src/shop.ts", line: 3, symbol: "src/shop.ts#sell", kind: "call", confidence: "certain" },
      ],
    });
    expect(await json("callers", "write")).toMatchObject({
      callers: [{ key: "src/shop.ts#sell", depth: 1 }],
    });
    expect(await json("outline", "src")).toMatchObject({
      symbols: [{ name: "sell" }, { name: "write" }, { name: "idle" }],
    });
    expect(await json("importers", "src/store.ts")).toMatchObject({ files: ["src/shop.ts"] });
    expect(await json("unused")).toMatchObject({ symbols: [{ key: "src/store.ts#idle" }] });
    expect((await ask("overview", "--tokens", "200")).out).toContain("function write()  (used by 1)");
  });

  it("looks a definition up with who uses it and what is known of it, under the names that it had", async () => {
    const { root, write, commit, git } = personalRepository(join(folder, "history"), { files: false });
    const body = "export function charge(order: string) {\n  return `charged ${order} once`;\n}\n";
    write("src/pay.ts", `${body}export const other = 1;\n`);
    write("src/shop.ts", 'import { charge } from "./pay.js";\ncharge("1");\n');
    write(
      "context/rules/risk-rules.md",
      "## R-7K3M2P Twice\n\n- level: high\n- symbols: `src/pay.ts#charge`\n- alert: never twice\n",
    );
    const memory =
      "---\nid: EXP-7K3M2P9Q\ntitle: Keys\ntype: fact\nsymbols: src/pay.ts#charge\n---\n\nIt needs a key.\n";
    write("context/experience/keys-EXP-7K3M2P9Q.md", memory);
    commit("One");
    git("mv", "src/pay.ts", "src/money.ts");
    write("src/shop.ts", 'import { settle } from "./money.js";\nsettle("1");\n');
    write("src/money.ts", `${body.replace("charge(", "settle(")}export const other = 1;\n`);
    commit("Two");
    const looked = await typed(["map", "lookup", "settle", "--json"], { cwd: root });
    expect(looked.json()).toMatchObject({
      symbol: { key: "src/money.ts#settle" },
      references: [
        { path: "src/shop.ts", line: 1 },
        { path: "src/shop.ts", line: 2 },
      ],
      knowledge: [
        { id: "R-7K3M2P", kind: "rule", text: "never twice" },
        { id: "EXP-7K3M2P9Q", kind: "fact", text: "It needs a key.", path: expect.any(String) },
      ],
    });
    const { out } = await typed(["map", "lookup", "src/money.ts#other"], { cwd: root });
    expect(out).toContain("Used by:\nnothing\n\nKnown:\nnothing\n");
  });

  it("says what a symbol, a file or a diff can break, and never from a stale map", async () => {
    const impact = { files: ["src/shop.ts", "src/store.ts"], tests: ["test/shop.test.ts"] };
    expect(await json("impact", "src/store.ts")).toMatchObject(impact);
    expect(await json("impact", "write")).toMatchObject(impact);
    repository.write(
      "src/shop.ts",
      'import { write } from "./store.js";\nexport function sell() {\n  write();\n  write();\n}\n',
    );
    expect(await json("impact", "--diff", "HEAD")).toMatchObject({
      changed: [{ key: "src/shop.ts#sell", lines: [2, 5] }],
      tests: impact.tests,
    });
    repository.git("checkout", "-q", "--", ".");
  });

  it("draws as Mermaid and as SVG", async () => {
    expect((await ask("graph", "src/store.ts")).out).toMatch(
      /^flowchart TD\n {2}n0\["src\/store\.ts"\]:::asked\n/,
    );
    const file = join(folder, "store.svg");
    await ask("graph", "src/store.ts", "--svg", file);
    expect(readFileSync(file, "utf8")).toContain("<title>src/shop.ts</title>");
  });

  it.each([
    ["a symbol that is not there", ["refs", "wriet"], /No definition is called wriet\. Did you mean write\?/],
    [
      "a file that is not there",
      ["importers", "store.ts"],
      /There is no file store\.ts\. Did you mean src\/store\.ts\?/,
    ],
    ["nothing to judge", ["impact"], /Name either a path or symbol, or a revision with --diff/],
    ["a revision that is not there", ["impact", "--diff", "--output=x"], /--output=x is no revision/],
    ["a limit that is none", ["find", "a", "--limit", "0"], /Write a whole number above 0/],
  ])("ends with status 2 for %s", async (_, args, message) => {
    const { status, err } = await ask(...args);
    expect(status).toBe(2);
    expect(err).toMatch(message);
    expect(existsSync(join(repository.root, "x"))).toBe(false);
  });
});
