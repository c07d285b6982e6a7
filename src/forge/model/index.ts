// Stands in for Anthropic's Messages API and OpenAI's chat completions: answers from scenarios, as strict as the real ones.
export { parseScenarios } from "./scenario.js";
export type { Scenario } from "./scenario.js";
export { startScriptedModel } from "./scripted-model.js";
export type { ScriptedModel, ScriptedModelOptions } from "./scripted-model.js";
export type { RecordedRequest } from "./endpoint.js";
export type { Fault } from "./fault.js";
