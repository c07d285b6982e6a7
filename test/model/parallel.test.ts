import { describe, expect, it } from "vitest";
import type { Usage } from "../../src/ledger/index.js";
import { AccrueError } from "../../src/shared/index.js";
import { closingAfterEach, PRICES, requestOf } from "../support/asked-model.js";
import { costNanoUsd } from "../../src/model/index.js";

const open = closingAfterEach();
const hello = [
  {
    name: "hello",
    when: {},
    turns: [{ think: "Let me see. ".repeat(10), say: "Good morning", repeat: true }],
  },
];
const CHAOS = { seed: 7, overloaded: 0.15, rateLimited: 0.1, drop: 0.1, error: 0.1, end: 0.1 };

function sum(usages: readonly Usage[]): Usage {
  const total = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  for (const usage of usages)
    for (const key of ["input", "cacheRead", "cacheWrite", "output"] as const) total[key] += usage[key];
  return total;
}

describe("twenty agents that ask at once", () => {
  it("RT-58: have every token in the ledger that the provider charges, whatever breaks", async () => {
    const { model, scripted, entries, told } = await open(hello, {
      parallel: 6,
      maxTries: 12,
      maxTurnRetries: 12,
    });
    scripted.chaos(CHAOS);
    const turns = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        model.ask(
          requestOf(`Say hello, agent ${at}.`, { system: "Rules. ".repeat(40) }),
          new AbortController().signal,
        ),
      ),
    );
    expect(turns.map(({ stopReason }) => stopReason)).toEqual(Array.from({ length: 20 }, () => "end_turn"));

    const requests = scripted.requests();
    const charged = requests.flatMap(({ billed }) => billed ?? []);
    const broken = requests.length - 20;
    expect(broken).toBeGreaterThan(5);
    expect(charged.length).toBeGreaterThan(20);
    expect(charged.length).toBeLessThan(requests.length);
    expect(entries).toHaveLength(requests.length);
    expect(sum(entries.map(({ usage }) => usage))).toEqual(sum(charged));
    const price = (usage: Usage) => costNanoUsd(usage, "anthropic/claude-haiku-5-5", PRICES) ?? 0;
    expect(entries.reduce((total, entry) => total + (entry.costNanoUsd ?? 0), 0)).toBe(
      charged.reduce((total, usage) => total + price(usage), 0),
    );
    expect(entries.filter(({ wasted }) => wasted)).toHaveLength(broken);
    expect(turns.reduce((total, { costNanoUsd: cost }) => total + (cost ?? 0), 0)).toBe(
      entries.filter(({ wasted }) => !wasted).reduce((total, entry) => total + (entry.costNanoUsd ?? 0), 0),
    );
    const ids = (what: string) => told.filter(([kind]) => kind === what).map(([, id]) => id);
    expect(ids("begin").sort()).toEqual(ids("record").sort());
    expect(new Set(ids("record")).size).toBe(requests.length);
  });
});

describe("agents that share a budget", () => {
  it("cannot take the last of it together: each request is admitted and booked in one step", async () => {
    const { model, scripted, told } = await open(hello);
    const begun = () => told.filter(([what]) => what === "begin").length;
    const admit = () => {
      if (begun() >= 2) throw new AccrueError("BUDGET_REACHED", "used up");
    };
    const asks = Array.from({ length: 8 }, (_, at) =>
      model.ask({ ...requestOf(`Say hello, agent ${at}.`), admit }, new AbortController().signal),
    );
    const settled = await Promise.allSettled(asks);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    const reasons = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
    expect(reasons).toHaveLength(6);
    for (const reason of reasons) expect(reason).toMatchObject({ code: "BUDGET_REACHED" });
    expect(scripted.requests()).toHaveLength(2);
  });

  it("are asked again before a retry", async () => {
    const { model, scripted, told } = await open(hello);
    scripted.fault({ kind: "status", status: 529 });
    const admit = () => {
      if (told.length > 0) throw new AccrueError("BUDGET_REACHED", "used up");
    };
    const asked = model.ask({ ...requestOf("Hello"), admit }, new AbortController().signal);
    await expect(asked).rejects.toMatchObject({ code: "BUDGET_REACHED" });
    expect(scripted.requests()).toHaveLength(1);
  });
});
