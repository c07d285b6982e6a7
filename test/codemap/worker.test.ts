import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MappedCheckout, mappedCheckout, signal } from "../support/mapped-checkout.js";

let checkout: MappedCheckout;
beforeEach(async () => {
  checkout = await mappedCheckout();
});
afterEach(() => checkout.close());

const worker = new URL("../support/broken-extract-worker.mjs", import.meta.url);

describe("the threads that read files", () => {
  it("CM-04 CM-20 a file that hangs, traps or kills its thread is partial, and the others are unharmed", async () => {
    const good = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`good-${at}.ts`, `name${at}\n`] as const),
    );
    checkout.write({ ...good, "good-20-die.ts": "DIE", "good-30-hang.ts": "HANG", "good-5-trap.ts": "TRAP" });
    const { index } = await checkout.open({ worker });
    const { partial, files } = await index.refresh({}, signal);
    expect(files).toBe(43);
    expect(partial).toEqual([
      { path: "good-20-die.ts", reason: "the thread that read it died: it ended with code 7" },
      { path: "good-30-hang.ts", reason: expect.stringMatching(/^took longer than 1500 ms/) },
      { path: "good-5-trap.ts", reason: "memory access out of bounds" },
    ]);
    for (let at = 0; at < 40; at++) expect(index.defining(`name${at}`)).toEqual([`good-${at}.ts`]);
    expect(index.facts("good-5-trap.ts")).toMatchObject({
      symbols: [],
      partial: "memory access out of bounds",
    });
  });

  it("tries a file again on another day when only time was to blame", async () => {
    // A thread's first file may take long, because its grammar is loaded with it.
    const good = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`0-${at}.ts`, `name${at}\n`] as const),
    );
    checkout.write({ ...good, "a.ts": "HANG", "b.ts": "TRAP" });
    let now = 1_700_000_000_000;
    const first = await checkout.open({ worker, now: () => now });
    await first.index.refresh({}, signal);
    const same = await checkout.open({ now: () => now });
    expect((await same.index.refresh({}, signal)).partial.map(({ path }) => path)).toEqual(["a.ts", "b.ts"]);
    now += 24 * 60 * 60 * 1000;
    const next = await checkout.open({ now: () => now });
    expect((await next.index.refresh({}, signal)).partial.map(({ path }) => path)).toEqual(["b.ts"]);
  });

  it("a language whose grammar is missing is skipped with the reason", async () => {
    checkout.write({ "a.ts": "MISSING", "b.ts": "fine" });
    const { index } = await checkout.open({ worker });
    const { skipped } = await index.refresh({}, signal);
    expect(skipped).toEqual([{ path: "a.ts", reason: "the grammar is not installed" }]);
    expect(index.files().map(({ path }) => path)).toEqual(["b.ts"]);
  });

  it("a worker that cannot be started is an error that says so, and no refresh waits for ever", async () => {
    checkout.write({ "a.ts": "x" });
    const { index } = await checkout.open({ worker: new URL("file:///nowhere/worker.js") });
    await expect(index.refresh({}, signal)).rejects.toThrow(
      /thread that reads code cannot be started.*nowhere/,
    );
  });

  it("an index that was closed reads no more", async () => {
    checkout.write({ "a.ts": "x" });
    const { index } = await checkout.open({ worker });
    await index.close();
    await expect(index.refresh({}, signal)).rejects.toThrow(/was closed/);
  });
});
