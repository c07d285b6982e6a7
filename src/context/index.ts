// Packs what a model should read for a task, under a budget and with reasons.
export { createContext } from "./create-context.js";
export type { ContextDeps, ContextOptions } from "./create-context.js";
export { openCode } from "./open-code.js";
export type { Code, CodePlace } from "./open-code.js";
export { packKnowledge } from "./knowledge-items.js";
export { judge } from "./judge.js";
export { TIERS } from "./types.js";
export type {
  AskedPart,
  BridgeTerm,
  CallerItem,
  Context,
  KnowledgeItem,
  Pack,
  PackItem,
  PackJudgement,
  PackRequest,
  Tier,
} from "./types.js";
