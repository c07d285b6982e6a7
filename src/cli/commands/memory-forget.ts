import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { retireMemory } from "../../knowledge/index.js";
import { AccrueError } from "../../shared/index.js";
import type { OpenMemories } from "../open-memories.js";
import { EXIT } from "../output.js";
import type { CommandEnd } from "../program.js";
import { requireMemory } from "./memory.js";

/** Retires a memory in its file, and says how to undo that. */
export async function forgetCommand({ root, store }: OpenMemories, id: string): Promise<CommandEnd> {
  const { memory, state } = requireMemory(store.get(id), id);
  if (memory.source === "document") {
    const [document = memory.path, heading] = memory.path.split("#");
    const what = heading === undefined ? "a note that people keep" : "a section of a document";
    throw new AccrueError("INPUT_INVALID", `${memory.id} is ${what}: edit or delete it in ${document}.`);
  }
  const undo = `set "status: active" in ${memory.path}`;
  if (state !== "retired") {
    const file = join(root, memory.path);
    await writeFile(file, retireMemory(await readFile(file, "utf8")));
  }
  const json = { id: memory.id, action: state === "retired" ? "kept" : "retired", path: memory.path, undo };
  const said =
    state === "retired" ? "was retired already" : "is retired: it stays in its file and is not recalled";
  return { json, text: `${memory.id} ${said}. To undo it, ${undo}.`, status: EXIT.done };
}
