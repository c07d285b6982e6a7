import { editFileTool } from "./builtin/edit-file.js";
import { listFilesTool } from "./builtin/list-files.js";
import { readFileTool } from "./builtin/read-file.js";
import { runTool } from "./builtin/run.js";
import { searchTool } from "./builtin/search.js";
import { writeFileTool } from "./builtin/write-file.js";
import type { Tool } from "./types.js";

/** The tools that every agent can be allowed: files, search and commands of its workspace. */
export function builtinTools(): Tool[] {
  return [readFileTool, listFilesTool, searchTool, editFileTool, writeFileTool, runTool];
}
