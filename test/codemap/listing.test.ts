import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listTree } from "../../src/git/index.js";
import { type MappedCheckout, mappedCheckout, signal } from "../support/mapped-checkout.js";

let checkout: MappedCheckout;
beforeEach(async () => {
  checkout = await mappedCheckout();
});
afterEach(() => checkout.close());

const list = (folder = checkout.folder) => listTree(checkout.git, { folder, signal });

describe("listing a checkout", () => {
  it("gives ids of what is unchanged and none of what is new or changed; deleted and ignored files are not there", async () => {
    checkout.write({ "a.ts": "1\n", "b.ts": "2\n", "c.ts": "3\n", "d.ts": "4\n", ".gitignore": "*.log\n" });
    await checkout.commit("first");
    checkout.write({ "b.ts": "changed\n", "new.ts": "5\n", "x.log": "6\n", "d.ts": "staged\n" });
    await checkout.run(["add", "d.ts"]);
    rmSync(join(checkout.folder, "c.ts"));
    const idOf = async (path: string) => (await checkout.run(["hash-object", path])).trim();
    expect(await list()).toEqual([
      { path: ".gitignore", blob: await idOf(".gitignore") },
      { path: "a.ts", blob: await idOf("a.ts") },
      { path: "b.ts", blob: null },
      { path: "d.ts", blob: await idOf("d.ts") },
      { path: "new.ts", blob: null },
    ]);
  });

  it("CM-02 gives paths outside of ASCII, with spaces, quotes and line ends as they are", async () => {
    const names = ["服务/订单.ts", "a b.ts", 'q"uote.ts', "line\nend.ts", "naïve.py"].sort();
    checkout.write(Object.fromEntries(names.map((name) => [name, "x\n"])));
    expect((await list()).map(({ path }) => path)).toEqual(names);
    await checkout.commit("all");
    const listed = await list();
    expect(listed.map(({ path }) => path)).toEqual(names);
    expect(listed.every(({ blob }) => blob !== null)).toBe(true);
  });

  it("CM-22 lists neither submodules nor repositories inside nor links", async () => {
    const inner = join(checkout.folder, "inner");
    mkdirSync(inner);
    await checkout.run(["init", "-q"], inner);
    checkout.write({ "x.ts": "x\n" }, inner);
    await checkout.run(["add", "-A"], inner);
    await checkout.run(["commit", "-q", "-m", "inner"], inner);
    checkout.write({ "a.ts": "a\n" });
    symlinkSync("a.ts", join(checkout.folder, "tracked-link.ts"));
    expect((await list()).map(({ path }) => path)).toEqual(["a.ts", "tracked-link.ts"]);
    await checkout.commit("with a gitlink");
    checkout.write({ "inner/y.ts": "y\n" });
    expect((await list()).map(({ path }) => path)).toEqual(["a.ts"]);
  });

  it("gives none of the ids of a file in conflict, and lists it once", async () => {
    checkout.write({ "a.ts": "base\n" });
    await checkout.commit("base");
    await checkout.run(["checkout", "-q", "-b", "other"]);
    checkout.write({ "a.ts": "other\n" });
    await checkout.commit("other");
    await checkout.run(["checkout", "-q", "-"]);
    checkout.write({ "a.ts": "mine\n" });
    await checkout.commit("mine");
    await checkout.git.attempt(["-c", "user.name=x", "-c", "user.email=x@x", "merge", "other"], {
      folder: checkout.folder,
      signal,
    });
    expect(await list()).toEqual([{ path: "a.ts", blob: null }]);
  });

  it("lists a worktree by its own state", async () => {
    checkout.write({ "a.ts": "a\n" });
    await checkout.commit("first");
    const tree = join(checkout.folder, "..", "tree");
    await checkout.run(["worktree", "add", "-q", "-b", "side", tree]);
    checkout.write({ "b.ts": "b\n" }, tree);
    expect((await list(tree)).map(({ path }) => path)).toEqual(["a.ts", "b.ts"]);
    expect((await list()).map(({ path }) => path)).toEqual(["a.ts"]);
  });
});
