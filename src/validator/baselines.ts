import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../shared/index.js";
import type { Validation } from "./types.js";

/** What the checks said of an untouched base, kept so that a later run on the same base need not observe it again. */
export interface Baselines {
  read(key: string): Promise<Validation | null>;
  keep(key: string, validation: Validation): Promise<void>;
}

/** Keeps baselines as files in a folder; each is written whole or not at all. */
export function createBaselines(folder: string): Baselines {
  const fileOf = (key: string) => join(folder, `${sha256(key).slice(0, 40)}.json`);
  return {
    read: async (key) => {
      try {
        return JSON.parse(await readFile(fileOf(key), "utf8")) as Validation;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw error;
      }
    },
    keep: async (key, validation) => {
      await mkdir(folder, { recursive: true });
      const file = fileOf(key);
      await writeFile(`${file}.new`, JSON.stringify(validation));
      await rename(`${file}.new`, file);
    },
  };
}
