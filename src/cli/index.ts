// The command line: parses what was typed, shows runs in a terminal, and tells the demo's story.
export { terminalAsker, terminalInterviewer } from "./ask-person.js";
export { createCommands } from "./create-commands.js";
export type { ModelAccess } from "./req-commands.js";
export { createLocalDoors } from "./local-doors.js";
export { demoCommand } from "./demo/demo.js";
export type { StageForge } from "./demo/stage.js";
export type { LocalRepository } from "./local.js";
export type { CommandSystem, Output } from "./output.js";
export { runProgram, versionIn } from "./program.js";
export type { CommandEnd } from "./program.js";
export { createGitHubRemote } from "./github-remote.js";
