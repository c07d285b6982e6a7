import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../shared/index.js";
import type { Validation } from "./types.js";

/**
 * What the checks said of an untouched base: as known from an earlier run on the same base, else as `observe` sees it now; null
 * when the checkout is not untouched any more and nothing is known.
 */
export type Baselines = (
  of: { key: string; isUntouched: boolean },
  observe: () => Promise<Validation>,
) => Promise<Validation | null>;

/** Keeps baselines as files in a folder; each is written whole or not at all. */
export function createBaselines(folder: string): Baselines {
  return async ({ key, isUntouched }, observe) => {
    const file = join(folder, `${sha256(key).slice(0, 40)}.json`);
    const known = await read(file);
    if (known || !isUntouched) return known;
    const seen = await observe();
    await mkdir(folder, { recursive: true });
    // Several runs may see the same base at once.
    const draft = `${file}.${randomBytes(6).toString("hex")}`;
    await writeFile(draft, JSON.stringify(seen));
    await rename(draft, file);
    return seen;
  };
}

/** A file that is broken, by a full disk or by hand, is as good as none: it is observed again. */
async function read(file: string): Promise<Validation | null> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Validation;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) return null;
    throw error;
  }
}
