import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Validation, createBaselines } from "../../src/validator/index.js";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "accrue-baselines-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const saw = (reason: string): Validation => ({ outcome: "passed", reason, checks: [], known: [] });
const of = { key: "base and commands", isUntouched: true };
const files = () => readdirSync(folder);

describe("what the checks say of an untouched base", () => {
  it("is observed once, and known to the next run", async () => {
    await createBaselines(folder)(of, () => Promise.resolve(saw("first")));
    const known = await createBaselines(folder)({ ...of, isUntouched: false }, () =>
      Promise.reject(new Error("observed again")),
    );
    expect(known).toEqual(saw("first"));
  });

  it("is kept whole where many runs see the same base at once", async () => {
    const texts = Array.from({ length: 20 }, (_, at) => `${at} `.repeat(200 * (20 - at)));
    await Promise.all(texts.map((text) => createBaselines(folder)(of, () => Promise.resolve(saw(text)))));
    const known = await createBaselines(folder)(of, () => Promise.resolve(saw("again")));
    expect(texts).toContain(known?.reason);
    expect(files()).toHaveLength(1);
  });

  it("is observed again where its file is broken, which fails no run", async () => {
    await createBaselines(folder)(of, () => Promise.resolve(saw("first")));
    const [file = ""] = files();
    writeFileSync(join(folder, file), `${JSON.stringify(saw("first"))}"}]}`);
    expect(
      await createBaselines(folder)({ ...of, isUntouched: false }, () => Promise.resolve(saw("no"))),
    ).toBeNull();
    expect(await createBaselines(folder)(of, () => Promise.resolve(saw("second")))).toEqual(saw("second"));
    expect(await createBaselines(folder)(of, () => Promise.resolve(saw("third")))).toEqual(saw("second"));
  });
});
