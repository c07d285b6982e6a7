import { describe, expect, it } from "vitest";
import type { FileFacts, MappedFile, SymbolFact } from "../../src/codemap/index.js";
import { type ContextDeps, createContext, judge } from "../../src/context/index.js";
import { openDatabase } from "../../src/db/index.js";

const fact = (name: string, from: number, to: number): SymbolFact => ({
  name,
  qualified: name,
  ordinal: 0,
  kind: "function",
  from,
  to,
  line: from,
  column: 0,
  signature: `function ${name}()`,
  doc: "",
  isExported: true,
  parent: -1,
  type: null,
});

/** Files of functions, each named by one word of its text and as long as its number of lines. */
function tree(files: Record<string, { name: string; lines: string[] }[]>, extra: Partial<ContextDeps> = {}) {
  const texts = new Map<string, string>();
  const facts = new Map<string, FileFacts>();
  for (const [path, functions] of Object.entries(files)) {
    const lines: string[] = [];
    const symbols = functions.map(({ name, lines: body }) => {
      const from = lines.length + 1;
      lines.push(`function ${name}() {`, ...body.map((line) => `  ${line}`), "}");
      return fact(name, from, lines.length);
    });
    texts.set(path, lines.join("\n"));
    const nothing = { packages: [], references: [], imports: [], exports: [], fields: [] };
    facts.set(path, { language: "javascript", lines: lines.length, partial: null, symbols, ...nothing });
  }
  const mapped = [...texts].map(([path, text]): MappedFile => ({
    path,
    blob: `blob of ${text}`,
    language: "javascript",
    isTest: path.startsWith("test/"),
    partial: null,
  }));
  mapped.sort((a, b) => (a.path < b.path ? -1 : 1));
  let reads = 0;
  const deps: ContextDeps = {
    db: openDatabase(":memory:"),
    index: {
      files: () => mapped,
      file: (path) => mapped.find((file) => file.path === path) ?? null,
      facts: (path) => facts.get(path) ?? null,
    },
    read: (path) => {
      reads++;
      const text = texts.get(path);
      return Promise.resolve(text === undefined ? null : Buffer.from(text));
    },
    history: () => Promise.resolve([]),
    ...extra,
  };
  return { deps, reads: () => reads };
}

const filler = (count: number, word: string) =>
  Array.from({ length: count }, (_, line) => `const ${word}${line} = call${line}(${line});`);
const small = {
  "src/cache.js": [{ name: "evictOldest", lines: ["// 淘汰最旧的缓存条目", "store.evict(oldest);"] }],
  "src/log.js": [{ name: "writeLog", lines: ["stream.write(message);"] }],
  "src/parse.js": [{ name: "parseHeader", lines: ["return header.split(colon);"] }],
};

describe("a context pack", () => {
  it("puts the file first that the task is about", async () => {
    const { deps } = tree(small);
    const pack = await createContext(deps).pack("Parsing a header loses its colon");
    expect(pack.items[0]).toMatchObject({
      path: "src/parse.js",
      tier: "code",
      symbol: "src/parse.js#parseHeader",
    });
  });

  it("has the same bytes from a second handle, which reads only what it shows", async () => {
    const { deps, reads } = tree(small);
    const first = await createContext(deps).pack("evict the oldest");
    const before = reads();
    const second = await createContext(deps).pack("evict the oldest");
    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
    expect(reads() - before).toBe(
      new Set(first.items.filter(({ lines }) => lines).map(({ path }) => path)).size,
    );
  });

  it("CM-23: shows the fitting part of a very large file before small files", async () => {
    const large = Array.from({ length: 80 }, (_, part) => ({
      name: `part${part}`,
      lines: filler(40, "value"),
    }));
    large.splice(40, 0, { name: "rotateSecretKey", lines: ["return secret.rotate(key);"] });
    const { deps } = tree({ ...small, "src/large.js": large });
    const pack = await createContext(deps).pack("Rotate the secret key");
    expect(pack.items[0]?.path).toBe("src/large.js");
    expect(
      pack.items.some(({ path, text }) => path === "src/large.js" && text.includes("rotateSecretKey")),
    ).toBe(true);
  });

  it("stays within its budget and within each file's", async () => {
    const many = Array.from({ length: 30 }, (_, part) => ({
      name: `loadItem${part}`,
      lines: filler(20, "item"),
    }));
    const { deps } = tree({ "src/a.js": many, "src/b.js": many, "src/c.js": many });
    const pack = await createContext(deps).pack("load item", { maxTokens: 3000, maxFileTokens: 1200 });
    expect(pack.tokens).toBeLessThanOrEqual(3000);
    const ofA = pack.items.filter(({ path, tier }) => path === "src/a.js" && tier === "code");
    expect(ofA.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(1200);
  });

  it("shows named files and symbols, rules and the requirement before code, and memories last", async () => {
    const { deps } = tree(small);
    const known = { score: 1, why: "names it" };
    const pack = await createContext(deps).pack("evict the oldest", {
      symbols: ["src/log.js#writeLog"],
      rules: [{ path: "rules/risk.md", text: "Never evict twice.", ...known }],
      memories: [{ path: "memory/1", text: "Eviction was slow.", ...known }],
      requirement: "Evict the oldest entry.",
    });
    const tiers = [...new Set(pack.items.map(({ tier }) => tier))];
    expect(tiers).toEqual(["named", "rules", "requirement", "code", "memory"]);
    expect(pack.items[0]).toMatchObject({ path: "src/log.js", symbol: "src/log.js#writeLog" });
  });

  it("gives rules and memories one room where it is said how large, rules first, and code the rest", async () => {
    const { deps } = tree(small);
    const known = { score: 1, why: "names it" };
    const item = (path: string) => ({
      path,
      text: "Never evict the same entry twice. ".repeat(20),
      ...known,
    });
    const request = { rules: [item("r/1"), item("r/2")], memories: [item("m/1"), item("m/2")] };
    const context = createContext(deps);
    const whole = await context.pack("evict", { ...request, maxTokens: 2000, maxKnowledgeTokens: 1000 });
    const each = whole.items.find(({ path }) => path === "r/1")?.tokens ?? 0;
    expect(whole.items.filter(({ tier }) => tier === "memory")).toHaveLength(2);
    const narrow = await context.pack("evict", { ...request, maxTokens: 2000, maxKnowledgeTokens: each * 3 });
    expect(narrow.items.map(({ path }) => path).filter((path) => /^[rm]\//.test(path))).toEqual([
      "r/1",
      "r/2",
      "m/1",
    ]);
    expect(narrow.items.some(({ tier }) => tier === "code")).toBe(true);
  });

  it("finds code for a Chinese task by its comments, and by a bridge to English names", async () => {
    const { deps } = tree(small, {
      bridge: (text) => (text.includes("日志") ? [{ term: "log", weight: 1 }] : []),
    });
    const context = createContext(deps);
    expect((await context.pack("缓存条目没有淘汰")).items[0]?.path).toBe("src/cache.js");
    expect((await context.pack("日志丢失")).items[0]?.path).toBe("src/log.js");
  });

  it("lets the first line of a Chinese task count more than what follows", async () => {
    const { deps } = tree(small, {
      bridge: (text) =>
        [
          { word: "日志", term: "log", weight: 1 },
          { word: "缓存", term: "cache", weight: 1 },
        ].filter(({ word }) => text.includes(word)),
    });
    const context = createContext(deps);
    expect((await context.pack("日志丢失\n\n缓存")).items[0]?.path).toBe("src/log.js");
    expect((await context.pack("缓存丢失\n\n日志")).items[0]?.path).toBe("src/cache.js");
  });

  it("keeps tests out of the code, and names those that fit", async () => {
    const { deps } = tree({
      ...small,
      "test/parse.js": [{ name: "parseHeader", lines: ["expect(header);"] }],
    });
    const pack = await createContext(deps).pack("parse header");
    expect(pack.items.find(({ path }) => path === "test/parse.js")?.tier).toBe("outline");
  });

  it("says what was named and is not there, or not as a whole", async () => {
    const long = [{ name: "longWork", lines: filler(60, "step") }];
    const { deps } = tree({ ...small, "src/long.js": long });
    const pack = await createContext(deps).pack("evict", {
      files: ["src/none.js", "src/log.js"],
      symbols: ["src/log.js#none", "src/long.js#longWork"],
      maxTokens: 600,
    });
    expect(pack.warnings.map((warning) => warning.split(" ", 1)[0])).toEqual([
      "src/log.js#none",
      "src/long.js#longWork",
      "src/none.js",
    ]);
  });

  it("finds the same in tables of words as file by file, also after files changed and went", async () => {
    const texts = Object.fromEntries(
      Array.from({ length: 260 }, (_, part) => [
        `src/part${part}.js`,
        [{ name: `load${part % 7}Widget${part % 11}`, lines: filler(1 + (part % 5), `w${part % 13}_`) }],
      ]),
    );
    const { deps } = tree(texts);
    const task = "Load 3 widget5 w4 call2";
    const once = await createContext(deps).pack(task);
    const context = createContext(deps);
    await context.pack("anything else");
    expect(await context.pack(task)).toEqual(once);

    const all = deps.index.files();
    const left = all.slice(1).map((file, at) => (at === 5 ? { ...file, blob: "another" } : file));
    deps.index.files = () => left;
    const changed = await context.pack(task);
    expect(changed).toEqual(await createContext(deps).pack(task));
    expect(changed.items.some(({ path }) => path === all[0]?.path)).toBe(false);
  });

  it("keeps what is known of unused contents up to a bound, then only what the tree has", async () => {
    const { deps } = tree(small);
    const rows = () => deps.db.prepare<[], number>("select count(*) from term_statistics").pluck().get();
    const fill = (count: number) =>
      deps.db
        .prepare(
          "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) " +
            "insert or ignore into term_statistics select 'old' || i, 'javascript', 1, x'00' from n",
        )
        .run(count);
    createContext(deps);
    fill(1000);
    await createContext(deps).pack("parse header");
    expect(rows()).toBe(1000 + 3);

    fill(21_000);
    const all = deps.index.files();
    const next = all.map((file, at) => (at === 0 ? { ...file, blob: "changed" } : file));
    deps.index.files = () => next;
    const pack = await createContext(deps).pack("parse header");
    expect(rows()).toBe(3);
    expect(pack.items[0]?.path).toBe("src/parse.js");
  });

  it("is judged by how much of what was read it held", async () => {
    const { deps } = tree(small);
    const pack = await createContext(deps).pack("parse header", { maxTokens: 300 });
    expect(judge(pack, [{ path: "src/parse.js", lines: [1, 2] }, { path: "docs/none.md" }])).toEqual({
      asked: 2,
      inPack: 1,
    });
  });
});
