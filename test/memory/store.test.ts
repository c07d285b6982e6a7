import { rmSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { type Embedder, type Memory, createHashEmbedder, errorSignature } from "../../src/memory/index.js";
import { AccrueError } from "../../src/shared/index.js";
import { bilingual, cleanUp, memory, openStore, signal } from "./support.js";

afterAll(cleanUp);

const TOPICS = [
  "payment retries",
  "order export",
  "用户身份校验",
  "cache eviction",
  "雾凇拼音词库",
  "invoice rounding",
  "登录限流",
];
const many = (count: number): Memory[] =>
  Array.from({ length: count }, (_, index) =>
    memory(
      `M${index}`,
      `${TOPICS[index % TOPICS.length]} ${index} is done by \`step${index}\` in src/part${index % 9}/a.ts.`,
      {
        symbols: [`step${index}`],
        files: [`src/part${index % 9}/a.ts`],
      },
    ),
  );
const QUESTIONS = [
  "how are payments retried",
  "export of orders",
  "用户身份",
  "rounding",
  "step17",
  "src/part3/a.ts",
  "缓存 eviction",
];

describe("the memory store", () => {
  it("answers the same after its file was deleted and made again", async () => {
    const first = await openStore();
    await first.keep(many(60).slice(0, 30));
    await first.keep(many(60));
    const before = await Promise.all(
      QUESTIONS.map((text) => first.store.recall({ text, limit: 10 }, signal)),
    );
    first.close();
    for (const end of ["", "-wal", "-shm"]) rmSync(`${first.file}${end}`, { force: true });
    const second = await openStore({ file: first.file });
    await second.keep(many(60));
    const after = await Promise.all(
      QUESTIONS.map((text) => second.store.recall({ text, limit: 10 }, signal)),
    );
    expect(after).toEqual(before);
    expect(before.every((results) => results.length > 0)).toBe(true);
    second.close();
  });

  it("ranks the same with sqlite-vec and without", async () => {
    const answers = [];
    for (const extension of [true, false]) {
      const opened = await openStore({ extension });
      await opened.keep(many(200));
      answers.push(
        await Promise.all(QUESTIONS.map((text) => opened.store.recall({ text, limit: 20 }, signal))),
      );
      opened.close();
    }
    expect(answers[1]).toEqual(answers[0]);
  });

  it("begins anew where its file is broken, and says so", async () => {
    const first = await openStore();
    first.close();
    writeFileSync(first.file, "no database");
    const second = await openStore({ file: first.file });
    await second.keep(many(3));
    expect(await second.find("step1")).toContain("M1");
    expect(second.warnings).toEqual([expect.stringContaining("made again")]);
    second.close();
  });

  it("embeds only what changed, and all again for another embedder: vectors never mix (ME-22)", async () => {
    const counting = (embedder: Embedder) => {
      const seen: string[] = [];
      return {
        seen,
        ...embedder,
        embed: (texts: readonly string[], stop: AbortSignal) => (
          seen.push(...texts),
          embedder.embed(texts, stop)
        ),
      };
    };
    const own = counting(bilingual);
    const first = await openStore({ embedder: own });
    await first.keep(many(20));
    expect(own.seen).toHaveLength(20);
    const changed = many(20).map((one) =>
      one.id === "M3" ? { ...one, text: `${one.text} It waits.` } : one,
    );
    await first.keep(changed);
    await first.keep(changed);
    expect(own.seen).toHaveLength(21);
    first.close();

    // Of the same width, which only the id tells apart.
    const other = counting({
      ...bilingual,
      id: "other@1/100",
      embed: async (texts) => texts.map(() => new Float32Array(100).fill(0.1)),
    });
    const second = await openStore({ embedder: other, file: first.file });
    const unmixed = await second.store.recall({ text: "payments" }, signal);
    expect(unmixed.some(({ why }) => why.includes("close"))).toBe(false);
    await second.keep(changed);
    expect(other.seen.filter((text) => text !== "payments")).toHaveLength(20);
    second.close();
    const third = await openStore({ embedder: createHashEmbedder(), file: first.file });
    await third.keep(changed);
    expect(await third.find("step7")).toContain("M7");
    third.close();
  });

  it("finds a memory by its words when it could not be embedded, says so, and tries again (ME-22)", async () => {
    let isDown = true;
    const failing: Embedder = {
      ...bilingual,
      id: "api@1/100",
      embed: async (texts, stop) => {
        if (isDown) throw new AccrueError("EMBEDDER_FAILED", "The server is away.");
        return bilingual.embed(texts, stop);
      },
    };
    const opened = await openStore({ embedder: failing });
    await opened.keep(many(10));
    expect((await opened.find("step4"))[0]).toBe("M4");
    expect(opened.warnings.join("\n")).toContain("by words only");
    isDown = false;
    await opened.keep(many(10));
    const [best] = await opened.store.recall({ text: "how payments are retried" }, signal);
    expect(best?.why).toContain("close");
    opened.close();
  });

  it("finds Chinese without blanks and Latin within it (ME-14, ME-15)", async () => {
    const opened = await openStore();
    await opened.keep([
      memory("A", "雾凇拼音的词库在部署时更新"),
      memory("B", "校验用户身份后才能导出"),
      memory("C", "重跑gen-itgc后才会生效"),
      ...many(30),
    ]);
    expect((await opened.find("雾凇拼音部署"))[0]).toBe("A");
    expect((await opened.find("用户身份 导出"))[0]).toBe("B");
    expect((await opened.find("itgc"))[0]).toBe("C");
    opened.close();
  });

  it("says why each was found, and shows nothing for a question that says nothing", async () => {
    const opened = await openStore();
    await opened.keep(many(30));
    const [best] = await opened.store.recall(
      { text: "what does `step12` do", files: ["src/part3/a.ts"] },
      signal,
    );
    expect(best?.memory.id).toBe("M12");
    expect(best?.why).toMatch(/covers .*step.*close .*symbol `step12`, file `src\/part3\/a.ts`/);
    expect(await opened.find("")).toEqual([]);
    expect(await opened.find("zzzz qqqq", { floor: 0.3 })).toEqual([]);
    opened.close();
  });

  it("takes a wished type as a wish, and a path as a bound", async () => {
    const opened = await openStore();
    await opened.keep([
      memory("F", "Exports are written by the writer `ex`.", { files: ["src/a/x.ts"] }),
      memory("E", "Exports are written by the writer `ex`, again.", {
        type: "event",
        files: ["src/ab/y.ts"],
      }),
      memory("N", "Exports of the writer need a header."),
    ]);
    expect((await opened.find("exports writer", { types: ["event"] }))[0]).toBe("E");
    expect((await opened.find("exports writer", { types: ["event"] })).length).toBe(3);
    expect((await opened.find("exports writer", { under: "src/a/" })).sort()).toEqual(["F", "N"]);
    opened.close();
  });

  it("widens a question by other names for the same", async () => {
    const expand = (text: string) => (text.includes("用户激励") ? ["商品发放"] : []);
    const opened = await openStore({ expand });
    await opened.keep([memory("A", "商品发放走 `IssueGoods`，写虚拟钱包"), ...many(40)]);
    const [best] = await opened.store.recall({ text: "用户激励" }, signal);
    expect(best?.memory.id).toBe("A");
    expect(best?.why).toContain("covers");
    opened.close();
  });

  it("shows what contradicts beside each other, also when only one fits (KN-41)", async () => {
    const opened = await openStore();
    const pair = [
      memory("A", "The owner is called `maria`."),
      memory("B", "Ask anna for all else.", { conflictsWith: ["a"] }),
    ];
    await opened.keep([...pair, ...many(20)]);
    const results = await opened.store.recall({ text: "maria", limit: 1 }, signal);
    expect(results.map(({ memory: { id } }) => id)).toEqual(["A", "B"]);
    expect(results.map(({ conflictsWith }) => conflictsWith)).toEqual([["B"], ["A"]]);
    opened.close();
  });

  it("shows what stands in the place of a superseded one, found by the wording of either", async () => {
    const opened = await openStore();
    await opened.keep([
      memory("OLD", "Sessions live in `memcached` clusters."),
      memory("NEW", "They are kept by Valkey.", { supersedes: ["OLD"] }),
      ...many(20),
    ]);
    const [best] = await opened.store.recall({ text: "memcached clusters" }, signal);
    expect(best?.memory.id).toBe("NEW");
    expect(best?.why).toContain("in place of OLD");
    expect(opened.store.get("old")?.state).toBe("superseded");
    opened.close();
  });

  it("puts what fixed the same error before whatever else sounds like it", async () => {
    const said = "TypeError: Cannot read properties of undefined (reading 'id')";
    const signature = errorSignature(said)?.id ?? "";
    const opened = await openStore();
    const like = (id: string, more = {}) =>
      memory(id, `Orders: ${said} in orders, see id.`, { type: "event", ...more });
    const fixed = memory("FIXED", "Load the row first.", { type: "event", tags: [signature] });
    await opened.keep([like("A"), like("B"), like("C"), fixed]);
    const [best] = await opened.store.recall(
      { text: `$ npm test\n${said}\n    at /srv/a.js:3:7`, limit: 2 },
      signal,
    );
    expect(best?.memory.id).toBe("FIXED");
    expect(best?.why).toContain("the same error");
    expect((await opened.find(`seen again: ${signature}`))[0]).toBe("FIXED");
    expect((await opened.find("orders with an id"))[0]).not.toBe("FIXED");
    opened.close();
  });

  it("gives a symbol's history: its key, its name, and what knew it in another file", async () => {
    const opened = await openStore();
    await opened.keep([
      memory("MOVED", "It was slow once.", { symbols: ["src/old.ts#Store.save"] }),
      memory("NAMED", "It locks first.", { symbols: ["save"] }),
      memory("EXACT", "It must flush.", { symbols: ["src/store.ts#Store.save"] }),
      memory("OTHER", "It loads.", { symbols: ["src/store.ts#Store.load"] }),
    ]);
    expect(opened.store.ofSymbol("src/store.ts#Store.save").map((one) => one.memory.id)).toEqual([
      "EXACT",
      "NAMED",
      "MOVED",
    ]);
    opened.close();
  });

  it("gives no history of another definition of the same name that a memory is linked to", async () => {
    const opened = await openStore();
    await opened.keep([
      memory("HERE", "It locks first.", { symbols: ["save"], linked: ["src/a.ts#save"] }),
      memory("THERE", "It flushes.", { symbols: ["src/old.ts#save"], linked: ["src/b.ts#save"] }),
      memory("RENAMED", "It retries.", { symbols: ["src/b.ts#keep"], linked: ["src/b.ts#save"] }),
    ]);
    const of = (key: string) => opened.store.ofSymbol(key).map((one) => one.memory.id);
    expect(of("src/a.ts#save")).toEqual(["HERE"]);
    expect(of("src/b.ts#save").toSorted()).toEqual(["RENAMED", "THERE"]);
    expect(of("save").toSorted()).toEqual(["HERE", "RENAMED", "THERE"]);
    opened.close();
  });

  it("loads pinned facts and patterns whole, up to so many tokens", async () => {
    const opened = await openStore();
    const pinned = { isPinned: true };
    await opened.keep([
      memory("A", "Always lint.", pinned),
      memory("B", "x ".repeat(400), pinned),
      memory("C", "No."),
      memory("D", "Done.", { ...pinned, type: "event" }),
    ]);
    expect(opened.store.pinned(50).map((one) => one.memory.id)).toEqual(["A"]);
    opened.close();
  });
});
