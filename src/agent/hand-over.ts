import { readFile } from "node:fs/promises";
import type { ToolContext } from "../tools/index.js";

/** The agent's own notes; empty when it has not made any. */
export async function readHandOver({ handOver }: Pick<ToolContext, "handOver">): Promise<string> {
  return readFile(handOver, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
}
