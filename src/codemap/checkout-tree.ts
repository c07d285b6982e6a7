import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { type Git, listTree } from "../git/index.js";
import type { TreeSource } from "./map-types.js";

/** Longer files are cut when they are read: the map skips them anyway. */
const MAX_BYTES = 4_000_000;

/** The checkout in a folder, for the code map. Contract: follows no link, neither of a file nor of a folder. */
export function createCheckoutTree(git: Pick<Git, "run">, folder: string): TreeSource {
  let root: Promise<string> | null = null;
  return {
    list: (signal) => listTree(git, { folder, signal }),
    read: async (path) => {
      const inside = join(await (root ??= realpath(folder)), path);
      try {
        if ((await realpath(inside)) !== inside) return null;
        return await readRegular(inside);
      } catch {
        return null;
      }
    },
  };
}

async function readRegular(file: string): Promise<Buffer | null> {
  // Opening a pipe would wait for who writes to it.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) return null;
    const bytes = Buffer.alloc(Math.min(found.size, MAX_BYTES));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
