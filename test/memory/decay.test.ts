import { afterAll, describe, expect, it } from "vitest";
import { DAY, START, cleanUp, memory, openStore } from "./support.js";

afterAll(cleanUp);

describe("decay", () => {
  const use = (id: string, run: string, at: number) =>
    ({ v: 1, memory: id, run, at: new Date(at).toISOString(), kind: "cited" }) as const;

  it("lets go cold what nobody uses, and finds it on request, by its symbol, or with its file at hand (ME-18)", async () => {
    const opened = await openStore();
    await opened.keep([
      memory("A", "Flaky retries of `payOnce` were fixed.", {
        type: "event",
        symbols: ["payOnce"],
        files: ["src/pay.ts"],
      }),
    ]);
    opened.clock.now = START + 335 * DAY;
    expect(opened.store.get("A")?.state).toBe("active");
    opened.clock.now = START + 336 * DAY;
    expect(opened.store.get("A")?.state).toBe("cold");
    expect(opened.store.get("A")?.weight).toBeCloseTo(0.95 ** 24);
    expect(await opened.find("flaky retries fixed")).toEqual([]);
    expect(await opened.find("flaky retries fixed", { cold: true })).toEqual(["A"]);
    expect(await opened.find("flaky", { symbols: ["payOnce"] })).toEqual(["A"]);
    expect(await opened.find("flaky", { files: ["src/pay.ts"] })).toEqual(["A"]);
    expect(opened.store.ofSymbol("payOnce")).toHaveLength(1);
    opened.close();
  });

  it("counts a run once, and wakes a cold one at 1", async () => {
    const opened = await openStore();
    const event = memory("A", "Flaky.", { type: "event" });
    await opened.keep(
      [event],
      [use("a", "R1", START), use("A", "R1", START + DAY), use("A", "R2", START + DAY)],
    );
    expect(opened.store.get("A")?.weight).toBeCloseTo(1.2);
    await opened.keep([event], [use("A", "R3", START + 400 * DAY)]);
    opened.clock.now = START + 401 * DAY;
    expect(opened.store.get("A")).toMatchObject({ state: "active", weight: 1 });
    opened.close();
  });

  it("is slower for facts, and never ends what is pinned, given by a person, or about what must not go wrong (ME-17, ME-25)", async () => {
    const opened = await openStore();
    await opened.keep([
      memory("PLAIN", "The queue is RabbitMQ."),
      memory("PINNED", "The queue is RabbitMQ 3.", { isPinned: true, type: "event" }),
      memory("SAID", "The queue is RabbitMQ 4.", { source: "user", type: "event" }),
      memory("PROD", "生产环境数据库不能直接改"),
      memory("DELETE", "Deleting a tenant is irreversible.", { type: "decision" }),
    ]);
    const cold = () => opened.store.list({ state: "cold" }).map((one) => one.memory.id);
    opened.clock.now = START + 640 * DAY;
    expect(cold()).toEqual([]);
    opened.clock.now = START + 5000 * DAY;
    expect(cold()).toEqual(["PLAIN"]);
    opened.close();
  });

  it("never outweighs a better answer", async () => {
    const opened = await openStore();
    const uses = Array.from({ length: 40 }, (_, run) => use("B", `R${run}`, START));
    await opened.keep(
      [memory("A", "Exports are sorted by column order."), memory("B", "Exports are big.")],
      uses,
    );
    expect(await opened.find("exports sorted by column")).toEqual(["A", "B"]);
    expect(opened.store.get("B")?.weight).toBe(3);
    opened.close();
  });
});
