// The command line: parses what was typed, shows runs in a terminal, and tells the demo's story.
export { doctorCommand } from "./commands/doctor.js";
export { ledgerCommand } from "./commands/ledger.js";
export { replayCommand } from "./commands/replay.js";
export { runCommand } from "./commands/run.js";
export { demoCommand } from "./demo/demo.js";
export { initRepository } from "./init.js";
export { findRepository, localAsk } from "./local.js";
export type { LocalRepository } from "./local.js";
export { EXIT, paint } from "./output.js";
export type { Output } from "./output.js";
export { runProgram } from "./program.js";
export type { CommandEnd, Commands } from "./program.js";
export { createTerminalFront } from "./terminal-front.js";
