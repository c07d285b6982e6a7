// Asks a model and reports what the answer used.
export { providerAccess } from "./access.js";
export type { ProviderAccess } from "./access.js";
export { createModel, createModels } from "./create-model.js";
export type { ModelDeps, ModelOptions, ModelsOptions } from "./create-model.js";
export { createLimiter } from "./limiter.js";
export type { Limiter } from "./limiter.js";
export { ANTHROPIC } from "./model-id.js";
export { ModelConfig } from "./options.js";
export { costNanoUsd, loadPrices } from "./prices.js";
export type { PriceTable } from "./prices.js";
export type {
  Block,
  Message,
  Model,
  ModelAnswer,
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
