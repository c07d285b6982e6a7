// The command line: parses what was typed, shows runs in a terminal, and tells the demo's story.
export { machineChecks } from "./commands/machine-checks.js";
export { createCommands } from "./create-commands.js";
export { demoCommand } from "./demo/demo.js";
export { savePages } from "./demo/save-pages.js";
export type { StageForge } from "./demo/stage.js";
export type { LocalRepository } from "./local.js";
export type { Output } from "./output.js";
export { runProgram } from "./program.js";
export type { CommandEnd } from "./program.js";
export { createTerminalFront } from "./terminal-front.js";
