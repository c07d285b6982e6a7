// Asks a model and reports what the answer used.
export { createModel } from "./create-model.js";
export type { ModelDeps, ModelOptions } from "./create-model.js";
export { TierOptions } from "./options.js";
export { costNanoUsd, loadPrices } from "./prices.js";
export type { PriceTable } from "./prices.js";
export type {
  Block,
  Message,
  Model,
  ModelRequest,
  ModelTurn,
  ModelWindow,
  RedactedThinkingBlock,
  TextBlock,
  ThinkingBlock,
  Tier,
  ToolCall,
  ToolResultBlock,
  ToolSpec,
  ToolUseBlock,
} from "./types.js";
