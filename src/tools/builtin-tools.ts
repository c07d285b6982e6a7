import { editFileTool } from "./builtin/edit-file.js";
import { findReferencesTool } from "./builtin/find-references.js";
import { findSymbolTool } from "./builtin/find-symbol.js";
import { listFilesTool } from "./builtin/list-files.js";
import { noteTool } from "./builtin/note.js";
import { readFileTool } from "./builtin/read-file.js";
import { runTool } from "./builtin/run.js";
import { searchTool } from "./builtin/search.js";
import { todoTool } from "./builtin/todo.js";
import { writeFileTool } from "./builtin/write-file.js";
import type { Tool } from "./types.js";

/** The tools that ask the code map, for agents whose workspaces have one. */
export function mapTools(): Tool[] {
  return [findSymbolTool, findReferencesTool];
}

/** The tools that every agent can be allowed: files, search and commands of its workspace, its notes and its list. */
export function builtinTools(): Tool[] {
  return [readFileTool, listFilesTool, searchTool, editFileTool, writeFileTool, runTool, noteTool, todoTool];
}
