// Asks a model and reports what the answer used.
export type {
  Block,
  Message,
  Model,
  ModelRequest,
  ModelTurn,
  TextBlock,
  ThinkingBlock,
  Tier,
  ToolCall,
  ToolResultBlock,
  ToolSpec,
  ToolUseBlock,
} from "./types.js";
