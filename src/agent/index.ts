// Runs one agent: asks the model, runs its tools, keeps its history small, and ends for a stated reason.
export { agentTool } from "./agent-tool.js";
export type { AgentToolDefinition } from "./agent-tool.js";
export { answerOnce } from "./answer-once.js";
export { runAgent } from "./loop.js";
export { CompressionOptions } from "./options.js";
export { readNotices } from "./texts.js";
export type { AgentTexts, Notices } from "./texts.js";
export { readTranscript } from "./transcript.js";
export type { TranscriptLine } from "./transcript-line.js";
export type {
  AgentDeps,
  AgentEnd,
  AgentEvent,
  AgentSpec,
  Compression,
  CompressionStatus,
  EndReason,
} from "./types.js";
