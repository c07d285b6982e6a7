import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFilePast } from "../../src/git/index.js";
import { type MappedCheckout, mappedCheckout, signal } from "../support/mapped-checkout.js";

const BODY = Array.from({ length: 12 }, (_, line) => `line ${line} of the file`).join("\n");
let checkout: MappedCheckout;
const past = () => createFilePast(checkout.git, "HEAD", { folder: checkout.folder, signal });
beforeAll(async () => {
  checkout = await mappedCheckout();
  const { run, write, commit } = checkout;
  write({ "a.ts": BODY, "gone.ts": "alone", "src/[id].ts": `${BODY}\nmore of it`, "old.ts": `${BODY}\nold` });
  await commit("one");
  await run(["mv", "a.ts", "b.ts"]);
  await run(["mv", "src/[id].ts", "src/[name].ts"]);
  await run(["rm", "-q", "gone.ts"]);
  await commit("two");
  await run(["mv", "b.ts", "c.ts"]);
  await run(["mv", "old.ts", "new.ts"]);
  await commit("three");
  await run(["rm", "-q", "new.ts"]);
  write({ "c.ts": BODY.replace("line 3", "row 3") });
  await commit("four");
});
afterAll(() => checkout.close());

describe("the past of files", () => {
  it("follows renames over several commits, with brackets in names, and leaves out what is gone", async () => {
    const found = await past().renames(["a.ts", "src/[id].ts", "gone.ts", "old.ts", "never.ts"]);
    expect(Object.fromEntries(found)).toEqual({ "a.ts": "c.ts", "src/[id].ts": "src/[name].ts" });
  });

  it("gives the text that a file had before a word left it", async () => {
    expect(await past().before("c.ts", "line 3")).toBe(BODY);
    expect(await past().before("old.ts", "old")).toBe(`${BODY}\nold`);
    expect(await past().before("c.ts", "lin")).toBeNull();
    expect(await past().before("never.ts", "line")).toBeNull();
  });

  it("is empty for a revision that is none", async () => {
    const none = createFilePast(checkout.git, "no-such", { folder: checkout.folder, signal });
    expect((await none.renames(["a.ts"])).size).toBe(0);
    expect(await none.before("a.ts", "line")).toBeNull();
  });
});
