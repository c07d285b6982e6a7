// Runs one agent: asks the model, runs its tools, and ends for a stated reason.
export type { AgentEnd, AgentEvent, AgentSpec, EndReason } from "./types.js";
