// Stands in for GitHub on this machine, as strict as the real one, for the demo and the tests.
export type { ForgeRole } from "./role.js";
export { startForge } from "./server.js";
export type {
  FaultRule,
  Forge,
  ForgeApp,
  ForgeControl,
  ForgeDelivery,
  ForgeExchange,
  ForgeOptions,
  ForgePage,
  ForgePages,
  NewCommit,
  NewRepository,
} from "./types.js";
export { parseScenarios, startScriptedModel } from "./model/index.js";
export type { Fault, RecordedRequest, Scenario, ScriptedModel, ScriptedModelOptions } from "./model/index.js";
