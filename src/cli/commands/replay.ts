import { z } from "zod";
import type { Ask, Engine } from "../../orchestrator/index.js";
import { AccrueError, messageOf, sha256 } from "../../shared/index.js";
import { EXIT } from "../output.js";
import type { CommandEnd } from "../program.js";

/** A recorded delivery, written by hand. */
const Written = z.object({
  event: z.string().min(1),
  delivery: z.string().min(1).optional(),
  payload: z.unknown(),
});

/** The same as GitHub's API gives it: `gh api /app/hook/deliveries/<id>`. */
const FromGitHub = z
  .object({ event: z.string().min(1), guid: z.string().min(1), request: z.object({ payload: z.unknown() }) })
  .transform(({ event, guid, request }) => ({ event, delivery: guid, payload: request.payload }));

const Recorded = FromGitHub.or(Written);

/** What a replay works with; the engine is null for a dry run. */
export interface ReplayDeps {
  text: string;
  file: string;
  read(event: { name: string; id: string; payload: unknown }): Promise<Ask | { ignored: string }>;
  engine: Engine | null;
}

/** Takes one recorded delivery through the whole path and says what it meant and what became of it. */
export async function replayCommand(deps: ReplayDeps, signal: AbortSignal): Promise<CommandEnd> {
  const recorded = parse(deps.text, deps.file);
  // Effects are found again by the delivery's id: another file must not be taken for the same delivery.
  const id = recorded.delivery ?? `replay-${sha256(deps.text).slice(0, 16)}`;
  const ask = await deps.read({ name: recorded.event, id, payload: recorded.payload });
  if ("ignored" in ask) {
    return ending({ kind: "ignore", reason: ask.ignored }, null, `ignored: ${ask.ignored}`);
  }
  if (!deps.engine) return ending(ask.intent, null, "dry run: nothing was done");
  const decision = await deps.engine.decide(ask, 1, signal);
  if (decision.kind === "answered") return ending(ask.intent, null, decision.outcome);
  const run = decision.work.kind === "run" ? decision.work.start.run : null;
  return ending(ask.intent, run, (await deps.engine.work(decision.work, signal)).outcome);
}

function ending(intent: unknown, run: string | null, outcome: string): CommandEnd {
  const status = outcome.startsWith("failed")
    ? EXIT.failed
    : outcome.startsWith("paused")
      ? EXIT.paused
      : EXIT.done;
  return { json: { intent, run, outcome }, text: `${JSON.stringify(intent)}\n${outcome}`, status };
}

function parse(text: string, file: string): z.infer<typeof Recorded> {
  try {
    return Recorded.parse(JSON.parse(text));
  } catch (error) {
    const problem = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    throw new AccrueError(
      "INPUT_INVALID",
      `${file} is no recorded delivery: ${problem}. It has to hold {"event","delivery","payload"}.`,
      { cause: error },
    );
  }
}
