// Gives a run its checkout, and a sandbox for the commands that run in it.
export { repositoryFolder } from "./layout.js";
export { createWorkspaces } from "./workspaces.js";
export { setUp } from "./setup.js";
export type { SetupOptions } from "./setup.js";
export type {
  Box,
  Change,
  CommandRequest,
  CommandResult,
  Files,
  Fork,
  Identity,
  Mirror,
  PushResult,
  Remote,
  SandboxOptions,
  SandboxReport,
  SetupResult,
  Workspace,
  Workspaces,
  WorkspacesOptions,
} from "./types.js";
export { workspacesBySandbox } from "./by-sandbox.js";
export { SandboxConfig, SetupConfig } from "./options.js";
export { namesPrivateAddress } from "./proxy.js";
