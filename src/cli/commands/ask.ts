import { type Answered, type Ask, type Engine, plainAnswer } from "../../orchestrator/index.js";
import { EXIT } from "../output.js";
import type { CommandEnd } from "../program.js";

/** Answers a question about a person's own repository; nothing in it is changed. */
export async function askCommand(
  engine: Pick<Engine, "findAnswer">,
  ask: Ask,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const answered = await engine.findAnswer(ask, signal);
  const { answer, citations, dropped, reason, at, run, nanoUsd, calls } = answered;
  return {
    json: {
      answer,
      citations: citations.map(({ source, shows }) => ({ source, shows })),
      dropped,
      reason,
      commit: at?.commit ?? null,
      run,
      calls,
      usd: nanoUsd / 1e9,
    },
    text: plainAnswer(answered),
    status: statusOf(answered),
  };
}

function statusOf({ answer, stop }: Answered): number {
  if (answer !== null) return EXIT.done;
  return stop === null ? EXIT.failed : EXIT.paused;
}
