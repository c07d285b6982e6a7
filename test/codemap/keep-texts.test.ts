import { beforeEach, describe, expect, it } from "vitest";
import { keepTexts, type TreeSource } from "../../src/codemap/index.js";

const signal = AbortSignal.timeout(60_000);
let files: Record<string, { blob: string | null; text: string }>;
let reads: string[];
let tree: TreeSource;

beforeEach(() => {
  reads = [];
  files = { a: { blob: "1", text: "one" }, b: { blob: "2", text: "two" }, c: { blob: null, text: "three" } };
  const source: TreeSource = {
    list: () => Promise.resolve(Object.entries(files).map(([path, { blob }]) => ({ path, blob }))),
    read: (path) => {
      reads.push(path);
      const file = files[path];
      return Promise.resolve(file ? Buffer.from(file.text) : null);
    },
  };
  tree = keepTexts(source, 8);
});

const read = async (path: string) => (await tree.read(path))?.toString() ?? null;

describe("a checkout whose texts are kept", () => {
  it("reads a file that git knows once, and one that it does not know each time", async () => {
    await tree.list(signal);
    for (let at = 0; at < 3; at++) expect(await read("a")).toBe("one");
    for (let at = 0; at < 3; at++) expect(await read("c")).toBe("three");
    expect(reads).toEqual(["a", "c", "c", "c"]);
  });

  it("reads what has changed since it was listed again, and what is gone not at all", async () => {
    await tree.list(signal);
    await read("a");
    files["a"] = { blob: null, text: "uno" };
    delete files["b"];
    await tree.list(signal);
    expect(await read("a")).toBe("uno");
    expect(await read("b")).toBeNull();
    files["a"] = { blob: "1", text: "one" };
    await tree.list(signal);
    expect(await read("a")).toBe("one");
  });

  it("knows nothing of files before it was asked for a list", async () => {
    await read("a");
    await read("a");
    expect(reads).toEqual(["a", "a"]);
  });

  it("keeps so many bytes, and forgets the oldest first", async () => {
    files["d"] = { blob: "4", text: "four" };
    await tree.list(signal);
    for (const path of ["a", "b", "d"]) await read(path);
    reads = [];
    for (const path of ["b", "d", "a"]) await read(path);
    expect(reads).toEqual(["a"]);
  });
});
