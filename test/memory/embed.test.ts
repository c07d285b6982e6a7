import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import {
  closeness,
  createApiEmbedder,
  createHashEmbedder,
  createStaticEmbedder,
  createWordBridge,
  hasStaticTable,
  type Embedder,
} from "../../src/memory/index.js";

const SHIPPED = fileURLToPath(new URL("../../data/embedder/", import.meta.url));
const signal = AbortSignal.timeout(60_000);
const folder = mkdtempSync(join(tmpdir(), "embed-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lengthOf = (vector: Float32Array | undefined) => Math.hypot(...(vector ?? []));

async function closenessOf(embedder: Embedder, a: string, b: string): Promise<number> {
  const [left, right] = await embedder.embed([a, b], signal);
  return left && right ? closeness(left, right) : Number.NaN;
}

describe("the bilingual embedder", () => {
  const embedder = createStaticEmbedder();

  it("names model, version and width, and gives vectors of that width and of length 1, in the order of the texts", async () => {
    expect(embedder.id).toMatch(/^[a-z-]+@\d+\/100$/);
    const vectors = await embedder.embed(["cache", "缓存失效", "retry the job"], signal);
    expect(vectors.map((vector) => vector.length)).toEqual([100, 100, 100]);
    for (const vector of vectors) expect(lengthOf(vector)).toBeCloseTo(1, 5);
    expect(await embedder.embed(["retry the job"], signal)).toEqual([vectors[2]]);
  });

  it.each([
    ["delete expired sessions every night", "每晚删除过期会话", "发票的页脚用灰色"],
    ["the build fails when the cache is full", "缓存满了以后构建失败", "用户可以更换头像"],
    ["check permissions before writing a file", "写文件之前先检查权限", "图表的颜色由主题决定"],
  ])("puts a sentence nearer to its translation than to another: %s", async (english, same, other) => {
    const near = await closenessOf(embedder, english, same);
    expect(near).toBeGreaterThan((await closenessOf(embedder, english, other)) + 0.2);
  });

  it("tells two Chinese texts apart", async () => {
    expect(await closenessOf(embedder, "每晚删除过期会话", "图表的颜色由主题决定")).toBeLessThan(0.5);
  });

  it("gives zeros to what it does not know, and no vector to an unknown word", async () => {
    const [empty, unknown] = await embedder.embed(["", "zzqxj"], signal);
    expect([lengthOf(empty), lengthOf(unknown)]).toEqual([0, 0]);
    expect(embedder.word?.("zzqxj")).toBeNull();
    expect(lengthOf(embedder.word?.("缓存") ?? undefined)).toBeCloseTo(1, 5);
  });

  it("says which table is broken, how, and what to do", () => {
    expect(() => createStaticEmbedder(folder)).toThrow(
      /model\.json is missing or wrong.*build it with tools\/build-embedder/,
    );
    expect(hasStaticTable(folder)).toBe(false);
    const broken = join(folder, "broken");
    cpSync(SHIPPED, broken, { recursive: true });
    expect(hasStaticTable(broken)).toBe(true);
    truncateSync(join(broken, "vectors.i8"), 1000);
    expect(() => createStaticEmbedder(broken)).toThrow(/vectors\.i8 has 1000 bytes/);
    writeFileSync(join(broken, "words.txt"), "one\ntwo\n");
    expect(() => createStaticEmbedder(broken)).toThrow(/2 words where/);
  });

  it("names each package that the table is made of, and none without a permissive licence", () => {
    const rows = readFileSync(join(SHIPPED, "LICENSE.md"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| ["));
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows)
      expect(row.split("|")[3]?.trim()).toMatch(/^(MIT|Apache-2\.0|PDDL 1\.0|CC0-1\.0)\b/);
  });
});

describe("the hash embedder", () => {
  it("puts texts of the same words near each other and others apart, in both languages", async () => {
    const embedder = createHashEmbedder();
    expect(await closenessOf(embedder, "retries of payment jobs", "payment job retry")).toBeGreaterThan(0.6);
    expect(await closenessOf(embedder, "支付任务的重试", "重试支付任务")).toBeGreaterThan(0.6);
    expect(await closenessOf(embedder, "payment job retry", "头像的裁剪尺寸")).toBeLessThan(0.2);
    expect(lengthOf((await embedder.embed([""], signal))[0])).toBe(0);
  });
});

/** A server with vectors of the texts' lengths; it answers backwards, so that only the index tells the order. */
function server(answer?: (texts: string[]) => Response) {
  const asked: { url: string; texts: string[]; authorization: string | null }[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { input } = JSON.parse(typeof init?.body === "string" ? init.body : "{}") as { input: string[] };
    asked.push({
      url: typeof url === "string" ? url : "",
      texts: input,
      authorization: new Headers(init?.headers).get("authorization"),
    });
    if (answer && asked.length > 1) return answer(input);
    const rows = input.map((text, index) => ({ index, embedding: [text.length, 1, 0] }));
    return Response.json({ data: rows.toReversed() });
  };
  return { asked, fetch };
}

describe("the embedder of an OpenAI-compatible server", () => {
  const options = { baseUrl: "http://localhost:11434/v1/", model: "bge-m3", key: "secret" };

  it("asks the server for its width, sends batches, and keeps the order of the texts", async () => {
    const { asked, fetch } = server();
    const embedder = await createApiEmbedder({ ...options, fetch }, signal);
    expect([embedder.id, embedder.width]).toEqual(["bge-m3@localhost:11434/3", 3]);
    const vectors = await embedder.embed(
      Array.from({ length: 130 }, (_, at) => "x".repeat(at + 1)),
      signal,
    );
    expect(asked.map(({ texts }) => texts.length)).toEqual([1, 64, 64, 2]);
    expect(asked[1]).toMatchObject({
      url: "http://localhost:11434/v1/embeddings",
      authorization: "Bearer secret",
    });
    expect(vectors).toHaveLength(130);
    vectors.forEach((vector, at) => expect((vector[0] ?? 0) / (vector[1] ?? 0)).toBeCloseTo(at + 1, 2));
  });

  it("sends no key where there is none", async () => {
    const { asked, fetch } = server();
    await createApiEmbedder({ ...options, key: "", fetch }, signal);
    expect(asked[0]?.authorization).toBeNull();
  });

  it.each([
    [
      "a wrong key",
      () => new Response("no such key", { status: 401 }),
      /answered 401: no such key.*Check key/,
      false,
    ],
    ["a limit", () => new Response("slow down", { status: 429 }), /answered 429.*Try again later/, true],
    ["a fault of the server", () => new Response("oops", { status: 503 }), /answered 503/, true],
    ["a page", () => new Response("<html>"), /no embeddings \(<html>\).*model bge-m3/, false],
    ["too few vectors", () => Response.json({ data: [] }), /0 vectors for 1 texts/, false],
    [
      "another width",
      () => Response.json({ data: [{ embedding: [1, 2] }] }),
      /2 numbers where it made 3/,
      false,
    ],
    [
      "a number twice",
      () => Response.json({ data: [{ index: 5, embedding: [1, 2, 3] }] }),
      /numbered twice/,
      false,
    ],
  ])("says what is wrong and whether it may pass: %s", async (_, answer, message, retryable) => {
    const embedder = await createApiEmbedder({ ...options, fetch: server(answer).fetch }, signal);
    const failure = embedder.embed(["text"], signal);
    await expect(failure).rejects.toMatchObject({ code: "EMBEDDER_FAILED", retryable });
    await expect(failure).rejects.toThrow(message);
  });

  it("says when the server cannot be reached, and ends at once when it is told to stop", async () => {
    const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
      init?.signal?.throwIfAborted();
      throw new TypeError("fetch failed");
    };
    const reached = createApiEmbedder({ ...options, fetch }, signal);
    await expect(reached).rejects.toMatchObject({ code: "EMBEDDER_FAILED", retryable: true });
    await expect(createApiEmbedder({ ...options, fetch }, AbortSignal.abort("stop"))).rejects.toBe("stop");
  });
});

describe("the bridge from Chinese to English words", () => {
  const bridge = createWordBridge();
  const terms = (text: string) => bridge(text).map(({ term }) => term);

  it("gives the words that a text stands for, the nearest weighing most, and none for English", () => {
    expect(terms("缓存的队列超时")).toEqual(expect.arrayContaining(["cache", "queue", "timeout"]));
    expect(terms("关闭日志")).not.toContain("idea");
    expect(terms("the cache, 的 v2")).toEqual([]);
    const weights = new Map(bridge("请求选择").map(({ term, weight }) => [term, weight]));
    expect(weights.get("select")).toBeGreaterThan(weights.get("choose") ?? 1);
  });

  it("parts a run of characters where the words in it are surest", () => {
    // 断言 and 失败 stand in it, and 言失 between them is no word.
    expect(terms("断言失败")).toEqual(expect.arrayContaining(["assert", "fail"]));
  });

  it("is what the table of vectors says", () => {
    const { word } = createStaticEmbedder();
    for (const line of readFileSync(join(SHIPPED, "bridge.txt"), "utf8").split("\n").slice(0, 200)) {
      const [chinese = "", first = ""] = line.split(" ");
      const [english = "", hundredths = ""] = first.split(":");
      const [left, right] = [word?.(chinese), word?.(english)];
      expect(left && right ? Math.round(closeness(left, right) * 100) : null).toBe(Number(hundredths));
    }
  });

  it("has no words where its table is not installed", () => {
    expect(createWordBridge(join(SHIPPED, "none"))("缓存")).toEqual([]);
  });
});
