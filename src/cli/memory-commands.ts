import { addCommand } from "./commands/memory-add.js";
import { forgetCommand } from "./commands/memory-forget.js";
import { memoryCommand } from "./commands/memory.js";
import { type MemoryCommandDeps, openMemories } from "./open-memories.js";
import type { Commands } from "./program.js";

/** Makes the commands about memories. Each reads the files first, so that an answer is never stale. */
export function memoryCommands(deps: MemoryCommandDeps): Pick<Commands, "memory"> {
  return {
    memory: async ({ repo, question }) => {
      const { memories, close } = await openMemories(deps, repo, question.about === "rebuild");
      try {
        if (question.about === "add") return await addCommand(memories, question);
        if (question.about === "forget") return await forgetCommand(memories, question.id);
        return await memoryCommand(memories, question);
      } finally {
        close();
      }
    },
  };
}
