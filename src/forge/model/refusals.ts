import { badRequest } from "./api-error.js";
import type { Block, MessagesRequest } from "./request.js";

const MAX_CACHE_MARKS = 4;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const TOOL_ID = /^[a-zA-Z0-9_-]+$/;
/** Refused since API version 2026-10-21. */
const REMOVED = ["temperature", "top_p", "top_k"];

function checkSettings(request: MessagesRequest): void {
  if (request.max_tokens === undefined) throw badRequest("max_tokens: Field required");
  for (const name of REMOVED) {
    if (request[name] !== undefined) throw badRequest(`${name}: not supported by this API version`);
  }
  const choice = request["tool_choice"] as { type?: unknown } | undefined;
  if (choice?.type === "any" || choice?.type === "tool") {
    throw badRequest(`tool_choice: type "${choice.type}" is not supported by this model`);
  }
}

/** What the schema of a structured answer may not hold; the SDK writes it into the descriptions instead. */
const UNSUPPORTED = ["minimum", "maximum", "multipleOf", "minLength", "maxLength", "maxItems", "uniqueItems"];

function checkSchema(schema: unknown, at: string): void {
  if (typeof schema !== "object" || schema === null) return;
  if (Array.isArray(schema)) {
    for (const [index, part] of schema.entries()) checkSchema(part, `${at}.${index}`);
    return;
  }
  const node = schema as Record<string, unknown>;
  if (node["type"] === "object" && node["additionalProperties"] !== false) {
    throw badRequest(`${at}: For 'object' type, 'additionalProperties' must be explicitly set to false`);
  }
  const unsupported = typeof node["type"] === "string" ? UNSUPPORTED.find((name) => name in node) : undefined;
  if (unsupported !== undefined) throw badRequest(`${at}: property '${unsupported}' is not supported`);
  for (const [name, part] of Object.entries(node)) checkSchema(part, `${at}.${name}`);
}

function checkTools(request: MessagesRequest): void {
  const names = request.tools.map(({ name }) => name);
  for (const name of names) {
    if (!TOOL_NAME.test(name)) throw badRequest(`tools: name "${name}" should match ${TOOL_NAME.source}`);
  }
  if (new Set(names).size < names.length) throw badRequest("tools: Tool names must be unique.");
}

function checkMarks(request: MessagesRequest): void {
  const blocks = [...request.tools, ...request.system, ...request.messages.flatMap((m) => m.content)];
  const marked = blocks.filter((block) => block.cache_control);
  if (marked.length > MAX_CACHE_MARKS) {
    throw badRequest(
      `A maximum of ${MAX_CACHE_MARKS} blocks with cache_control may be provided. Found ${marked.length}.`,
    );
  }
  if (marked.some((block) => "type" in block && block.type === "thinking")) {
    throw badRequest("cache_control cannot be set for thinking blocks");
  }
}

function checkBlock(block: Block, at: string): void {
  if (block.type === "text" && !block.text?.trim()) {
    throw badRequest(`${at}: text content blocks must contain non-whitespace text`);
  }
  if (block.type === "thinking" && !block.signature) throw badRequest(`${at}.signature: Field required`);
  if (block.type === "tool_use") {
    const isObject = typeof block.input === "object" && block.input !== null && !Array.isArray(block.input);
    if (!isObject) throw badRequest(`${at}.input: Input should be a valid dictionary`);
    if (!TOOL_ID.test(block.id ?? "")) throw badRequest(`${at}.id: should match ${TOOL_ID.source}`);
  }
}

/** Each tool_use is answered by exactly one tool_result, at the start of the next message. */
function checkPairs(messages: MessagesRequest["messages"]): void {
  const used = new Set<string>();
  let open: string[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    const results = content.filter(({ type }) => type === "tool_result").map((b) => b.tool_use_id ?? "");
    const missing = open.filter((id) => !results.includes(id));
    if (missing.length > 0) {
      throw badRequest(
        `messages.${index - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}`,
      );
    }
    const stray = results.find((id, at) => !open.includes(id) || results.indexOf(id) !== at);
    if (stray !== undefined) {
      throw badRequest(
        `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}`,
      );
    }
    if (content.slice(0, results.length).some(({ type }) => type !== "tool_result")) {
      throw badRequest(`messages.${index}: \`tool_result\` blocks must come first`);
    }
    open = role === "assistant" ? content.filter((b) => b.type === "tool_use").map((b) => b.id ?? "") : [];
    for (const id of open) {
      if (used.has(id)) throw badRequest(`messages.${index}: \`tool_use\` ids must be unique`);
      used.add(id);
    }
  }
  if (open.length > 0) {
    throw badRequest(
      `messages.${messages.length - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}`,
    );
  }
}

/** Refuses with a 400 what the real API refuses and an agent loop can get wrong. */
export function refuseIllegal(request: MessagesRequest): void {
  checkSettings(request);
  checkTools(request);
  checkSchema(request.output_config?.format?.schema, "output_config.format.schema");
  checkMarks(request);
  if (request.messages[0]?.role !== "user") {
    throw badRequest('messages: first message must use the "user" role');
  }
  for (const [index, block] of request.system.entries()) checkBlock(block, `system.${index}`);
  for (const [index, { content }] of request.messages.entries()) {
    if (content.length === 0) throw badRequest(`messages.${index}: content must be non-empty`);
    for (const [at, block] of content.entries()) checkBlock(block, `messages.${index}.content.${at}`);
  }
  checkPairs(request.messages);
}
