import { z } from "zod";
import { AccrueError, closest, estimateTokens } from "../shared/index.js";
import type { ToolCall } from "../model/index.js";
import { defineTool } from "./define-tool.js";
import { specOf } from "./spec-of.js";
import type { Tool } from "./types.js";

const CALL_TOOL = "call_tool";
const MAX_FOUND = 5;
const MAX_NAMES = 100;
/** Tools of others: there may be hundreds of them, and each costs tokens in every call. */
const EXTRA = /^(?:mcp_[^_]+|ext)_/;
const NAME_WEIGHT = 3;

/** The tools of an agent in two parts: the model is told of one, and finds the other. */
export interface DeferredTools {
  shown: Tool[];
  /** Empty unless the tools of others are more than the limit allows. */
  deferred: Tool[];
}

function wordsOf(text: string): string[] {
  const spaced = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return spaced.match(/[a-z0-9]+|[\p{L}\p{N}]/gu) ?? [];
}

/** How many of the asked words a text has; a beginning counts as well, for `issue` and `issues`. */
function overlap(asked: readonly string[], text: string): number {
  const words = [...new Set(wordsOf(text))];
  const fits = (a: string, b: string) =>
    a === b || (a.length > 3 && b.startsWith(a)) || (b.length > 3 && a.startsWith(b));
  return asked.filter((word) => words.some((other) => fits(word, other))).length;
}

function search(query: string, tools: readonly Tool[]): Tool[] {
  const asked = [...new Set(wordsOf(query))];
  const scored = tools.map((tool) => {
    const isNamed = query.includes(tool.name) ? asked.length * NAME_WEIGHT : 0;
    return {
      tool,
      score: isNamed + NAME_WEIGHT * overlap(asked, tool.name) + overlap(asked, tool.description),
    };
  });
  const found = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  return found.slice(0, MAX_FOUND).map(({ tool }) => tool);
}

function searchTool(tools: readonly Tool[]): Tool {
  const groups = [...new Set(tools.map(({ name }) => `${EXTRA.exec(name)?.[0] ?? ""}*`))].sort();
  const names = tools.map(({ name }) => name).sort();
  return defineTool({
    name: "search_tools",
    description: `Finds tools that are not listed here: ${tools.length} more (${groups.join(", ")}). Gives name, description and input of the best ${MAX_FOUND}; run one with ${CALL_TOOL}.`,
    kind: "read",
    input: z.strictObject({ query: z.string().min(1).describe("What the tool should do, or its name") }),
    run({ query }) {
      const found = search(query, tools).map(specOf);
      if (found.length > 0) {
        const lines = found.map(
          ({ name, description, inputSchema }) =>
            `${name}: ${description}\ninput: ${JSON.stringify(inputSchema)}`,
        );
        return Promise.resolve(lines.join("\n\n"));
      }
      const more = names.length > MAX_NAMES ? ", …" : "";
      return Promise.resolve(`Nothing fits. There are: ${names.slice(0, MAX_NAMES).join(", ")}${more}`);
    },
  });
}

/** The registry runs what it names; this one only answers where it names nothing. */
function callTool(tools: readonly Tool[]): Tool {
  const names = tools.map(({ name }) => name);
  return defineTool({
    name: CALL_TOOL,
    description: "Runs a tool that search_tools has found.",
    kind: "write",
    input: z.strictObject({ name: z.string(), input: z.looseObject({}).default({}) }),
    run({ name }) {
      const near = closest(name, names);
      const hint = near === null ? "Look with search_tools." : `Did you mean "${near}"?`;
      throw new AccrueError(
        "INPUT_INVALID",
        `search_tools knows no "${name}". ${hint} Tools that are listed are called directly.`,
      );
    },
  });
}

/** Takes the tools of others off the list when they are more than that many tokens; `search_tools` finds them. */
export function deferTools(tools: readonly Tool[], limits: { maxTokens: number }): DeferredTools {
  const extra = tools.filter(({ name }) => EXTRA.test(name));
  const tokens = extra.reduce((sum, tool) => sum + estimateTokens(JSON.stringify(specOf(tool))), 0);
  if (tokens <= limits.maxTokens) return { shown: [...tools], deferred: [] };
  const own = tools.filter((tool) => !extra.includes(tool));
  return { shown: [...own, searchTool(extra), callTool(extra)], deferred: extra };
}

/** The call that is meant: what `call_tool` names, with that tool's own schema, kind and time; any other call is itself. */
export function intendedCall(call: ToolCall, deferred: readonly Tool[]): ToolCall {
  const { name, input = {} } = call.input;
  if (call.name !== CALL_TOOL || call.problem !== null || typeof name !== "string") return call;
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  if (!isObject || !deferred.some((tool) => tool.name === name)) return call;
  return { ...call, name, input: input as Record<string, unknown> };
}
