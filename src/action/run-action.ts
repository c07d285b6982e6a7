import { appendFile, readFile } from "node:fs/promises";
import { z } from "zod";
import { AccrueError, messageOf } from "../shared/index.js";
import type { Ask, Engine } from "../orchestrator/index.js";

/** What the runner tells an Action, from its environment. */
export const ActionEnv = z.object({
  GITHUB_EVENT_NAME: z.string().min(1),
  GITHUB_EVENT_PATH: z.string().min(1),
  GITHUB_RUN_ID: z.string().min(1),
  GITHUB_RUN_ATTEMPT: z.string().default("1"),
  GITHUB_OUTPUT: z.string().optional(),
  GITHUB_STEP_SUMMARY: z.string().optional(),
});

/** See the schema of the same name. */
export type ActionEnv = z.infer<typeof ActionEnv>;

/** What the Action needs from outside. */
export interface ActionDeps {
  engine: Engine;
  /** Turns an event into an ask, with the repository's own settings. */
  read(event: { name: string; id: string; payload: unknown }): Promise<Ask | { ignored: string }>;
  log(line: string): void;
}

/** What the step gives to the next ones. */
export interface ActionResult {
  intent: string;
  outcome: string;
  ok: boolean;
}

/**
 * Runs the engine on the event of a workflow run. An event that is not for us ends well and says why; nothing is red for an
 * ordinary comment.
 */
export async function runAction(
  deps: ActionDeps,
  variables: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<ActionResult> {
  const env = readEnv(variables);
  const payload = parsePayload(await readFile(env.GITHUB_EVENT_PATH, "utf8"), env.GITHUB_EVENT_PATH);
  const key = `action-${env.GITHUB_RUN_ID}`;
  const ask = await deps.read({ name: env.GITHUB_EVENT_NAME, id: key, payload });
  const result =
    "ignored" in ask
      ? { intent: "ignore", outcome: `ignored: ${ask.ignored}`, ok: true }
      : await act(deps, ask, { attempt: Number(env.GITHUB_RUN_ATTEMPT), signal });
  deps.log(result.outcome);
  if (env.GITHUB_OUTPUT)
    await appendFile(env.GITHUB_OUTPUT, `intent=${result.intent}\noutcome=${oneLine(result.outcome)}\n`);
  if (env.GITHUB_STEP_SUMMARY)
    await appendFile(env.GITHUB_STEP_SUMMARY, `**Accrue** — ${oneLine(result.outcome)}\n`);
  return result;
}

async function act(
  deps: ActionDeps,
  ask: Ask,
  { attempt, signal }: { attempt: number; signal: AbortSignal },
): Promise<ActionResult> {
  const decision = await deps.engine.decide(ask, attempt, signal);
  if (decision.kind === "answered") return { intent: ask.intent.kind, outcome: decision.outcome, ok: true };
  const { outcome } = await deps.engine.work(decision.work, signal);
  return { intent: ask.intent.kind, outcome, ok: !outcome.startsWith("failed") };
}

function readEnv(variables: Readonly<Record<string, string | undefined>>): ActionEnv {
  const result = ActionEnv.safeParse(variables);
  if (result.success) return result.data;
  const names = result.error.issues.map(({ path }) => String(path[0])).join(", ");
  throw new AccrueError(
    "CONFIG_MISSING",
    `Not on an Actions runner: ${names} is not set. Use \`accrue run\` elsewhere.`,
  );
}

function parsePayload(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AccrueError("INPUT_INVALID", `The event file ${path} is not JSON: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ");
}
