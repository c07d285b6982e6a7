// Runs one agent: asks the model, runs its tools, and ends for a stated reason.
export { runAgent } from "./run-agent.js";
export type { AgentDeps, AgentEnd, AgentEvent, AgentSpec, EndReason } from "./types.js";
