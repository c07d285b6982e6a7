// Joins every module's options into one configuration, and checks it.
export { checkConfig, mergeConfig } from "./parse.js";
export type { ConfigProblem } from "./parse.js";
export { createRemoteConfig } from "./remote.js";
export type { Place } from "./remote.js";
export { CONFIG_PATH, loadConfig, loadLocalConfig } from "./repository.js";
export type { ReadFile } from "./repository.js";
export type { OperatorFile } from "./operator.js";
export { configKeys, configurationTables, variables } from "./reference.js";
export type { ConfigKey, Variable } from "./reference.js";
export { AgentConfig, configSchema } from "./schema.js";
export {
  appAccess,
  gitHubAccess,
  listenerOptions,
  workerOptions,
  readServerEnv,
  requireGitHubAccess,
  requireModelAccess,
  ServerEnv,
} from "./server.js";
