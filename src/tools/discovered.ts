import { z } from "zod";
import { AccrueError, clipMiddle, isAccrueError } from "../shared/index.js";
import type { Box } from "../workspace/index.js";
import { defineTool } from "./define-tool.js";
import { inputSchemaOf } from "./json-schema.js";
import { quoted } from "./quoted.js";
import type { Tool } from "./types.js";

const PREFIX = "ext_";
const TIMEOUT_MS = 30_000;
const MARGIN_MS = 5_000;
/** The box cuts an output in the middle above about this. */
const MAX_DECLARATION_CHARS = 1_000_000;
const MAX_TOOLS = 300;
const MAX_DESCRIPTION_CHARS = 1_000;
const MAX_ERROR_CHARS = 2_000;
const NAME = /^[a-zA-Z0-9_-]{1,60}$/;

/** A tool as programs declare it: Gemini's two ways, Anthropic's and MCP's. */
const Declaration = z.object({
  name: z.string().regex(NAME, "must be 1 to 60 of A-Z, a-z, 0-9, _ and -"),
  description: z.string().default(""),
  parametersJsonSchema: z.unknown().optional(),
  parameters: z.unknown().optional(),
  input_schema: z.unknown().optional(),
  inputSchema: z.unknown().optional(),
  annotations: z.object({ readOnlyHint: z.boolean().optional() }).optional(),
});

const Declarations = z.union([
  z.array(z.unknown()),
  z.object({ function_declarations: z.array(z.unknown()) }).transform((group) => group.function_declarations),
  z.object({ functionDeclarations: z.array(z.unknown()) }).transform((group) => group.functionDeclarations),
  z.object({ tools: z.array(z.unknown()) }).transform((group) => group.tools),
]);

/** Where a repository's own tools are found and called. */
export interface DiscoverySource {
  box: Box;
  discoveryCommand: string;
  callCommand: string;
}

/** Only what a program prints on its standard output is its answer; the other output is for when it fails. */
function separated(command: string): string {
  return [
    `errors=$(mktemp) || exit`,
    `(\n${command}\n) 2>"$errors"`,
    `code=$?`,
    `[ "$code" -eq 0 ] || cat "$errors"`,
    `rm -f "$errors"`,
    `exit "$code"`,
  ].join("\n");
}

async function runFor(
  box: Box,
  request: { command: string; stdin?: string },
  signal: AbortSignal,
): Promise<string> {
  const command = separated(request.command);
  const { exitCode, output, timedOut } = await box.run(
    { ...request, command, timeoutMs: TIMEOUT_MS },
    signal,
  );
  if (exitCode === 0) return output;
  const end = timedOut
    ? `timed out after ${TIMEOUT_MS / 1000} s`
    : `failed with exit code ${exitCode ?? "none"}`;
  const said = clipMiddle(output.trim(), MAX_ERROR_CHARS) || "(no output)";
  throw new AccrueError("INPUT_INVALID", `\`${request.command}\` ${end}: ${said}`);
}

function toTool(declaration: unknown, { box, callCommand }: DiscoverySource): Tool {
  const { name, description, annotations, ...schemas } = Declaration.parse(declaration);
  const { parametersJsonSchema, parameters, input_schema, inputSchema } = schemas;
  const { schema, spec } = inputSchemaOf(parametersJsonSchema ?? parameters ?? input_schema ?? inputSchema);
  const command = `${callCommand} ${quoted(name)}`;
  return {
    ...defineTool({
      name: PREFIX + name,
      description: clipMiddle(description, MAX_DESCRIPTION_CHARS, 1),
      kind: annotations?.readOnlyHint === true ? "read" : "write",
      timeoutMs: TIMEOUT_MS + MARGIN_MS,
      input: z.looseObject({}),
      run: (input, _context, signal) => runFor(box, { command, stdin: JSON.stringify(input) }, signal),
    }),
    input: schema,
    inputSchema: spec,
  };
}

function nameOf(declaration: unknown, at: number): string {
  const { name } = (declaration ?? {}) as { name?: unknown };
  return typeof name === "string" ? `"${name.slice(0, 80)}"` : `number ${at + 1}`;
}

function parseDeclarations(output: string): unknown[] {
  if (output.length > MAX_DECLARATION_CHARS) throw new Error(`more than ${MAX_DECLARATION_CHARS} characters`);
  const parsed = Declarations.safeParse(JSON.parse(output));
  if (!parsed.success)
    throw new Error("neither a list of declarations nor an object with functionDeclarations");
  return parsed.data;
}

/** Why something of a repository cannot be used, for a person; what is nobody's input is not caught here. */
function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error).replaceAll("\n", " ");
  if (isAccrueError(error) || error instanceof Error) return error.message;
  return String(error);
}

/**
 * The tools that a repository brings, as its own program declares them; both commands run in the box. Contract: what cannot be
 * used is left out and named in `problems`; rejects only when the box is not there or the signal fires.
 */
export async function discoverTools(
  source: DiscoverySource,
  signal: AbortSignal,
): Promise<{ tools: Tool[]; problems: string[] }> {
  if (source.discoveryCommand.trim() === "") return { tools: [], problems: [] };
  const tools = new Map<string, Tool>();
  const problems: string[] = [];
  let declarations: unknown[] = [];
  try {
    declarations = parseDeclarations(await runFor(source.box, { command: source.discoveryCommand }, signal));
  } catch (error) {
    if (signal.aborted || isAccrueError(error, "SANDBOX_UNAVAILABLE")) throw error;
    return { tools: [], problems: [`tools.discovery_command gave no tools: ${reasonOf(error)}`] };
  }
  for (const [at, declaration] of declarations.slice(0, MAX_TOOLS).entries()) {
    try {
      const tool = toTool(declaration, source);
      if (tools.has(tool.name)) throw new Error("another tool has this name");
      tools.set(tool.name, tool);
    } catch (error) {
      problems.push(`The discovered tool ${nameOf(declaration, at)} is left out: ${reasonOf(error)}`);
    }
  }
  const more = declarations.length - MAX_TOOLS;
  if (more > 0) problems.push(`${more} discovered tools are left out: there can be ${MAX_TOOLS}.`);
  return { tools: [...tools.values()], problems };
}
