import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Ledger, formatTokens, formatUsd } from "../../ledger/index.js";
import { AccrueError } from "../../shared/index.js";
import { EXIT } from "../output.js";
import type { CommandEnd } from "../program.js";
import type { TranscriptLine } from "../read-transcript.js";
import { type AgentTranscript, type TraceTurn, traceTurns } from "../trace-turns.js";

const ENDING = ".jsonl";
const LATEST_RUNS = 5;
const NANO_PER_USD = 1_000_000_000;

/** Where a trace's facts lie. */
export interface TraceDeps {
  ledger: Pick<Ledger, "entries">;
  /** Folder with one folder of transcripts per run. */
  transcripts: string;
  readTranscript(path: string): Promise<{ lines: TranscriptLine[]; broken: number[] }>;
}

/** Shows what a run did, turn by turn. Throws `INPUT_INVALID` for a run that nobody knows. */
export async function traceCommand(deps: TraceDeps, run: string): Promise<CommandEnd> {
  // The name of a folder, never a path.
  const entries = deps.ledger.entries({ run });
  const files = /^[\w-]+$/.test(run) ? await namesIn(join(deps.transcripts, run)) : null;
  if (files === null && entries.length === 0) throw await unknownRun(deps, run);

  const problems: string[] = [];
  const transcripts: AgentTranscript[] = [];
  for (const file of (files ?? []).filter((name) => name.endsWith(ENDING))) {
    const { lines, broken } = await deps.readTranscript(join(deps.transcripts, run, file));
    problems.push(...broken.map((line) => `${file}:${line} cannot be read and is left out.`));
    transcripts.push({ ...placeOf(file, lines), lines });
  }
  const turns = traceTurns(transcripts, entries);
  const text = [...turns.map(textOf), ...problems.map((problem) => `⚠ ${problem}`)].join("\n");
  return { json: { run, turns, problems }, text: text || "  No turn was taken.", status: EXIT.done };
}

/** Phase and task from a file's name, `<phase>-<task>-<agent>.jsonl`. */
function placeOf(file: string, lines: readonly TranscriptLine[]): Pick<AgentTranscript, "phase" | "task"> {
  const path = lines.find((line) => line.type === "start")?.agent ?? "";
  const agent = `-${path.split("/").at(-1) ?? ""}`;
  const name = file.slice(0, -ENDING.length);
  const place = name.endsWith(agent) ? name.slice(0, -agent.length) : name;
  const [phase = "", ...task] = place.split("-");
  return { phase, task: task.join("-") };
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
  const money = usd === null ? "price unknown" : formatUsd(usd * NANO_PER_USD);
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
