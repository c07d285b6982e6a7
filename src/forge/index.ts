// Stands in for GitHub on this machine, as strict as the real one, for the demo and the tests.
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
  ForgeRole,
  NewCommit,
  NewRepository,
} from "./types.js";
