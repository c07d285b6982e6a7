import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AccrueError } from "../shared/index.js";

const MAX_BYTES = 1_000_000;

/** Those of the files that are there and are no larger than a person would write. */
export async function readSome(root: string, paths: readonly string[]): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const path of paths) {
    const text = await readOne(join(root, path));
    if (text !== null) files.set(path, text);
  }
  return files;
}

/**
 * Writes files of a checkout, or deletes those whose text is null.
 * Contract: a file that is not as it was seen is not written over; then nothing is written and `INPUT_INVALID` is thrown.
 */
export async function writeSeen(
  root: string,
  seen: ReadonlyMap<string, string>,
  writes: ReadonlyMap<string, string | null>,
): Promise<void> {
  for (const path of writes.keys()) {
    if ((await readOne(join(root, path))) !== (seen.get(path) ?? null)) {
      throw new AccrueError(
        "INPUT_INVALID",
        `${path} was changed meanwhile: nothing was written, run it again.`,
      );
    }
  }
  for (const [path, text] of writes) {
    const file = join(root, path);
    if (text === null) await rm(file);
    else {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
}

async function readOne(file: string): Promise<string | null> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
  return found?.isFile() && found.size <= MAX_BYTES ? readFile(file, "utf8") : null;
}
