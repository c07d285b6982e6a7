import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type TranscriptLine, readTranscript } from "../../agent/index.js";
import { type Ledger, formatTokens } from "../../ledger/index.js";
import { AccrueError } from "../../shared/index.js";
import { EXIT } from "../output.js";
import type { CommandEnd } from "../program.js";
import { type TraceTurn, traceTurns } from "../trace-turns.js";

const ENDING = ".jsonl";
const LATEST_RUNS = 5;
/** A turn costs less than a cent as a rule. */
const USD_DIGITS = 4;

/** Where a trace's facts lie. */
export interface TraceDeps {
  ledger: Pick<Ledger, "entries">;
  /** Folder with one folder of transcripts per run. */
  transcripts: string;
}

/** Shows what a run did, turn by turn. Throws `INPUT_INVALID` for a run that nobody knows. */
export async function traceCommand(deps: TraceDeps, run: string): Promise<CommandEnd> {
  // The name of a folder, never a path.
  const entries = deps.ledger.entries({ run });
  const files = /^[\w-]+$/.test(run) ? await namesIn(join(deps.transcripts, run)) : null;
  if (files === null && entries.length === 0) throw await unknownRun(deps, run);

  const problems: string[] = [];
  const transcripts: TranscriptLine[][] = [];
  for (const file of (files ?? []).filter((name) => name.endsWith(ENDING))) {
    const { lines, broken } = await readTranscript(join(deps.transcripts, run, file));
    problems.push(...broken.map((line) => `${file}:${line} cannot be read and is left out.`));
    transcripts.push(lines);
  }
  const turns = traceTurns(transcripts, entries);
  const text = [...turns.map(textOf), ...problems.map((problem) => `⚠ ${problem}`)].join("\n");
  return { json: { run, turns, problems }, text: text || "  No turn was taken.", status: EXIT.done };
}

async function unknownRun({ ledger, transcripts }: TraceDeps, run: string): Promise<AccrueError> {
  const runs = new Set([
    ...((await namesIn(transcripts)) ?? []),
    ...ledger.entries({}).map((entry) => entry.run),
  ]);
  const latest = [...runs].sort().slice(-LATEST_RUNS).toReversed();
  const cure =
    latest.length > 0 ? `the latest are ${latest.join(", ")}` : "nothing has run here yet, or name --db";
  return new AccrueError("INPUT_INVALID", `There is no run ${run}: ${cure}.`);
}

async function namesIn(folder: string): Promise<string[] | null> {
  return readdir(folder).then(
    (names) => names.sort(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    },
  );
}

function textOf({ at, phase, task, agent, turn, model, tokens, usd, calls, note }: TraceTurn): string {
  const money = usd === null ? "price unknown" : `$${usd.toFixed(USD_DIGITS)}`;
  const head = [
    at.slice(11, 19),
    phase === task ? phase : `${phase} ${task}`.trim(),
    agent,
    turn === null ? "" : `turn ${turn}`,
    model,
    `${formatTokens(tokens)} tokens`,
    money,
  ];
  const lines = calls.map(({ tool, summary, isError }) => `${isError ? "✗" : "·"} ${tool} ${summary}`.trim());
  if (note) lines.push(`→ ${note}`);
  return [`  ${head.filter(Boolean).join("  ")}`, ...lines.map((line) => `            ${line}`)].join("\n");
}
