// Gives a run its checkout, and a sandbox for the commands that run in it.
export type {
  Box,
  Change,
  CommandRequest,
  CommandResult,
  Files,
  Identity,
  Mirror,
  PushResult,
  Remote,
  SandboxReport,
  SetupResult,
  Workspace,
} from "./types.js";
