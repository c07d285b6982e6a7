import { renameSync, rmSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type MappedCheckout,
  everything,
  mappedCheckout,
  namesOf,
  signal,
} from "../support/mapped-checkout.js";

let checkout: MappedCheckout;
beforeEach(async () => {
  checkout = await mappedCheckout();
});
afterEach(() => checkout.close());

/** The same numbers each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function source(next: (below: number) => number): string {
  const [a, b] = [next(30), next(30)];
  return `import { f${b} } from "./m${b}.js";\nexport function f${a}() {\n  return f${b}(${next(5)});\n}\n`;
}

async function expectFresh(index: Awaited<ReturnType<MappedCheckout["open"]>>["index"], at: number) {
  const fresh = await checkout.open({ database: join(checkout.folder, `../fresh-${at}.db`) });
  await fresh.index.refresh({}, signal);
  const names = [...new Set([...namesOf(fresh.index), ...namesOf(index), "gone"])].sort();
  expect(everything(index, names)).toEqual(everything(fresh.index, names));
}

describe("an index that was kept up to date", () => {
  it("equals a fresh one after 300 random edits, renames and deletions", async () => {
    const next = numbers(4);
    const present = new Set<string>();
    const put = (path: string) => {
      checkout.write({ [path]: source(next) });
      present.add(path);
    };
    for (let at = 0; at < 20; at++) put(`d${at % 4}/m${at}.ts`);
    await checkout.commit("first");
    const { index } = await checkout.open();
    await index.refresh({}, signal);
    for (let step = 1; step <= 300; step++) {
      const path = [...present][next(present.size)] ?? "a.ts";
      const other = `d${next(6)}/m${next(60)}.${next(3) === 0 ? "js" : "ts"}`;
      const kind = next(10);
      const named = [path];
      if (kind < 5) put(path);
      else if (kind < 7) put(other);
      else if (kind < 9 && path !== other) {
        checkout.write({ [other]: "" });
        renameSync(join(checkout.folder, path), join(checkout.folder, other));
        present.delete(path);
        present.add(other);
      } else if (present.size > 3) {
        rmSync(join(checkout.folder, path));
        present.delete(path);
      }
      named.push(other);
      if (step % 60 === 0) await checkout.commit(`step ${step}`);
      if (step % 10 === 0) await index.refresh({}, signal);
      else await index.refresh({ paths: named }, signal);
      if (step % 100 === 0) await expectFresh(index, step);
    }
  });

  it("equals a fresh one when two handles on one database refresh at once", async () => {
    const next = numbers(5);
    for (let at = 0; at < 60; at++) checkout.write({ [`m${at}.ts`]: source(next) });
    const [a, b] = [await checkout.open(), await checkout.open()];
    await Promise.all([a.index.refresh({}, signal), b.index.refresh({}, signal)]);
    await expectFresh(a.index, 1);
    await expectFresh(b.index, 2);
  });

  it("equals a fresh one after another process was killed in the middle, and another one did it at the same time", async () => {
    const next = numbers(6);
    for (let at = 0; at < 400; at++) checkout.write({ [`m${at}.ts`]: `${source(next)}// ${at}\n` });
    const script = new URL("../support/refresh-process.mjs", import.meta.url).pathname;
    const start = () =>
      spawn(
        process.execPath,
        [script, checkout.folder, checkout.database, join(checkout.folder, "../home")],
        {
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
    const killed = start();
    await once(killed.stdout, "data");
    killed.kill("SIGKILL");
    await once(killed, "exit");
    const beside = start();
    const { index } = await checkout.open();
    const ended = once(beside, "exit");
    await index.refresh({}, signal);
    expect(await ended).toEqual([0, null]);
    await expectFresh(index, 3);
  });
});
