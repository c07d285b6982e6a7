import { afterAll, describe, expect, it } from "vitest";
import { type Memory, MemoryOptions } from "../../src/memory/index.js";
import { cleanUp, memory, openStore, signal } from "./support.js";

afterAll(cleanUp);

/** What becomes of a text when the store holds others. */
async function judged(known: (string | Memory)[], text: string, more: Partial<Memory> = {}) {
  const opened = await openStore();
  const memories = known.map((one, index) => (typeof one === "string" ? memory(`M${index + 1}`, one) : one));
  await opened.keep(memories);
  const judgement = await opened.store.judge(memory("NEW", text, more), signal);
  const found = await opened.find(text, { limit: 10 });
  opened.close();
  return { ...judgement, found };
}

describe("judging a new memory", () => {
  it("touches the one that says the same word for word, whatever its width, case and marks (ME-05)", async () => {
    const known = "The queue retries 5 times in `src/queue.ts`.";
    const { action, found } = await judged([known], "the queue  retries ５ times in src/queue.ts");
    expect({ action, found }).toEqual({ action: "touched", found: ["M1"] });
  });

  it("looks for exact words before anything else, so that a text of one name finds its twin (ME-12)", async () => {
    const { action, target, similarity } = await judged(["DGIA"], "DGIA");
    expect({ action, target, similarity }).toEqual({ action: "touched", target: "M1", similarity: 1 });
  });

  it("touches another wording of the same, and names it (ME-03, ME-08)", async () => {
    const known =
      "Payments are retried three times by `retryPayment` in src/payment.ts before the order fails.";
    const { action, target } = await judged(
      [known, "Orders are exported every night as CSV by src/export.ts."],
      "`retryPayment` in src/payment.ts retries payments three times before the order fails.",
    );
    expect({ action, target }).toEqual({ action: "touched", target: "M1" });
  });

  it.each([
    [
      "an address (KN-43)",
      "The router's IP address is 192.168.7.1.",
      "The router's IP address is 192.168.9.1.",
    ],
    ["a version", "The worker service runs on Python 3.11.", "The worker service runs on Python 3.12."],
    [
      "a model number (ME-11)",
      "The terminal uses the modem ASR1603.",
      "The terminal uses the modem ASR1605.",
    ],
    ["a package (ME-11)", "Tests need the preset jest-native.", "Tests need the preset react-native."],
    [
      "a name (KN-41)",
      "The team's product owner is called Maria Lopez.",
      "The team's product owner is called Anna Schmidt.",
    ],
    [
      "a place in Chinese (ME-24)",
      "北京 University 提供校验服务 `checkDegree`。",
      "上海 University 提供校验服务 `checkDegree`。",
    ],
    [
      "a limit in Chinese",
      "接口限流每分钟 100 次，见 `rateLimit`。",
      "接口限流每分钟 200 次，见 `rateLimit`。",
    ],
    [
      "love and hate (ME-06)",
      "The reviewers love snapshot tests in `test/ui`.",
      "The reviewers hate snapshot tests in `test/ui`.",
    ],
  ])("never merges what differs in %s, and keeps both", async (_, known, text) => {
    const { action } = await judged([known], text);
    expect(["conflict", "created"]).toContain(action);
  });

  it("names the one that it contradicts, and in what (KN-43)", async () => {
    const { action, target, reason } = await judged(
      ["The router's IP address is 192.168.7.1."],
      "The router's IP address is 192.168.9.1.",
    );
    expect({ action, target }).toEqual({ action: "conflict", target: "M1" });
    expect(reason).toContain("192.168.7.1");
  });

  it("sees that a Chinese text says the database was changed (KN-45b)", async () => {
    const { action } = await judged(
      ["用户服务的数据库是 PostgreSQL。"],
      "用户服务的数据库已迁移：从 PostgreSQL 切换到 MySQL。",
    );
    expect(action).not.toBe("touched");
  });

  it("keeps two facts of one port both, or as one, and finds them by it (ME-09)", async () => {
    const { action, found } = await judged(
      ["PocketBase runs on port 8090"],
      "The backend listens at localhost:8090",
    );
    expect(["created", "touched", "conflict"]).toContain(action);
    expect(found).toEqual(["M1"]);
  });

  it("merges no words that merely stand close together (KN-46)", async () => {
    const known = "Every export goes through `exportOrders` in src/export.ts, never through a route.";
    const { action } = await judged(
      [known],
      "Every import goes through `importOrders` in src/import.ts, never through a job.",
    );
    expect(action).not.toBe("touched");
  });

  it("answers one of four words for every text: none is lost between two checks (ME-02, KN-44)", async () => {
    const opened = await openStore();
    const texts = [
      "Mistake: `saveOrder` forgot the lock.",
      "Mistake: `saveOrder` forgot its lock.",
      "Mistake: `saveOrder` has no lock.",
    ];
    const kept: Memory[] = [];
    for (const [index, text] of texts.entries()) {
      const one = memory(`N${index}`, text, { type: "event" });
      const { action } = await opened.store.judge(one, signal);
      expect(["created", "touched", "conflict"]).toContain(action);
      if (action !== "touched") kept.push(one);
      await opened.keep(kept);
    }
    // The first is there still, however the others were taken.
    expect(opened.store.get("n0")?.state).toBe("active");
    opened.close();
  });

  it("compares a similarity with a threshold of its own scale, whatever the words score (ME-20)", async () => {
    const known = memory(
      "M1",
      "The gateway drops requests above 100 a minute, so `rateLimit` holds them back.",
    );
    const said = memory(
      "N1",
      "`rateLimit` holds requests back, because the gateway drops those above 100 a minute.",
    );
    const strict = MemoryOptions.parse({ dedup: { fact: 1 } });
    for (const [settings, wanted] of [
      [MemoryOptions.parse({}), "touched"],
      [strict, "created"],
    ] as const) {
      const opened = await openStore({ settings });
      await opened.keep([known]);
      const { action, similarity } = await opened.store.judge(said, signal);
      expect(action).toBe(wanted);
      expect(similarity).toBeGreaterThan(0.75);
      expect(similarity).toBeLessThanOrEqual(1);
      opened.close();
    }
  });

  it("does not overwrite a memory whose id is taken, also in other case (KN-48, KN-49)", async () => {
    const known = memory("Exp-A1", "The cache is Redis 7 in `docker-compose.yml`.");
    const { action, target } = await judged([known], "Orders are numbered by `nextOrder`.", { id: "EXP-a1" });
    expect({ action, target }).toEqual({ action: "conflict", target: "Exp-A1" });
  });

  it("says of what was superseded that something stands in its place", async () => {
    const old = memory("OLD", "The cache is Redis 6 in `docker-compose.yml`.");
    const next = memory("NEXT", "The cache is Valkey 8 in `docker-compose.yml`.", { supersedes: ["old"] });
    const { action, target } = await judged([old, next], "the cache is Redis 6 in docker-compose.yml");
    expect({ action, target }).toEqual({ action: "conflict", target: "NEXT" });
  });

  it("refuses what names nothing, with an example, and only when it would be created", async () => {
    for (const text of ["改了配置", "fixed the bug", "updated some code and it works now"]) {
      const { action, reason } = await judged(["The cache is Redis."], text);
      expect(action).toBe("refused");
      expect(reason).toContain("such as");
    }
    expect((await judged(["fixed the bug"], "Fixed the bug.")).action).toBe("touched");
  });

  it.each([
    "生产环境数据库不能直接改",
    "We never deploy on a Friday afternoon",
    "订单号由 nextOrder 生成",
    "Our framework is Next",
  ])("takes %s: names and decisions in the text count", async (text) => {
    expect((await judged([], text)).action).toBe("created");
  });

  it("does not bring back by itself what a person put aside (ME-25)", async () => {
    const retired = memory("M1", "The cache is Redis 7.", { isRetired: true });
    expect(await judged([retired], "The cache is Redis 7.")).toMatchObject({ action: "refused" });
    expect(await judged([retired], "The cache is Redis 7.", { source: "user" })).toMatchObject({
      action: "created",
    });
  });
});
