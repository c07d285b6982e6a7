import type { TranscriptLine } from "../agent/index.js";
import type { LedgerEntry } from "../ledger/index.js";
import { clipEnd } from "../shared/index.js";

/** One turn of an agent: a model call, and the tool calls it asked for. */
export interface TraceTurn {
  /** ISO 8601. */
  at: string;
  agent: string;
  phase: string;
  task: string;
  /** Null for a call of the ledger that no transcript has: a failed try, or one from another machine. */
  turn: number | null;
  model: string;
  tokens: number;
  /** Null when the price is unknown. */
  usd: number | null;
  calls: { tool: string; summary: string; isError: boolean }[];
  /** What was said to the agent, and how it ended. */
  note?: string;
}

type Answer = Extract<TranscriptLine, { type: "answer" }>;

const NANO_PER_USD = 1_000_000_000;
const MAX_SUMMARY = 100;
const MAX_NOTE = 200;
/** Stop reasons that say nothing new. */
const ORDINARY = ["tool_use", "end_turn"];

/** Puts a run's turns in order: those of its transcripts, and the ledger's calls that no transcript has. */
export function traceTurns(
  transcripts: readonly (readonly TranscriptLine[])[],
  entries: readonly LedgerEntry[],
): TraceTurn[] {
  const rest = new Set(entries);
  const turns = transcripts.flatMap((transcript) => turnsOf(transcript, rest));
  return [...turns, ...[...rest].map(turnOfEntry)].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function turnsOf(lines: readonly TranscriptLine[], rest: Set<LedgerEntry>): TraceTurn[] {
  const turns: TraceTurn[] = [];
  const isError = errorsOf(lines);
  let place = { agent: "", phase: "", task: "" };
  let said: string[] = [];
  for (const line of lines) {
    const last = turns.at(-1);
    if (line.type === "start") place = { agent: line.agent, phase: line.phase, task: line.taskId };
    else if (line.type === "note") {
      if (last?.turn === line.turn) addNote(last, line.text);
      else said.push(line.text);
    } else if (line.type === "answer") {
      const turn: TraceTurn = { at: line.at, ...place, ...factsOf(line, isError) };
      const entry = [...rest].find((candidate) => isOf(candidate, turn, line));
      if (entry) rest.delete(entry);
      for (const text of said) addNote(turn, text);
      if (!ORDINARY.includes(line.stopReason)) addNote(turn, line.stopReason);
      said = [];
      turns.push(turn);
    } else if (line.type === "end") {
      const text = [`ended ${line.reason}`, line.message].filter(Boolean).join(": ");
      if (last) addNote(last, text);
      else turns.push({ ...nothing(line.at), ...place, note: text });
    } else if (line.type === "compressed") {
      const { status, before, after } = line;
      const text = `${status}: ${before} → ${after} tokens`;
      if (last) addNote(last, text);
      else said.push(text);
    }
  }
  return turns;
}

function factsOf(
  { turn, model, usage, costNanoUsd, content }: Answer,
  isError: ReadonlySet<string>,
): Pick<TraceTurn, "turn" | "model" | "tokens" | "usd" | "calls"> {
  const calls = content
    .filter((block) => block.type === "tool_use")
    .map(({ id, name, input }) => ({
      tool: name,
      summary: summaryOf(input),
      isError: isError.has(id),
    }));
  return { turn, model, tokens: tokensOf(usage), usd: usdOf(costNanoUsd), calls };
}

function errorsOf(lines: readonly TranscriptLine[]): Set<string> {
  const results = lines.flatMap((line) => (line.type === "results" ? line.content : []));
  return new Set(results.filter((block) => block.is_error).map(({ tool_use_id: id }) => id));
}

function isOf(entry: LedgerEntry, { agent, phase, task, tokens }: TraceTurn, answer: Answer): boolean {
  return (
    !entry.wasted &&
    entry.agent === agent &&
    entry.phase === phase &&
    entry.task === task &&
    entry.model === answer.model &&
    tokensOf(entry.usage) === tokens &&
    entry.usage.output === answer.usage.output
  );
}

function turnOfEntry(entry: LedgerEntry): TraceTurn {
  const { at, agent, phase, task, model, usage, costNanoUsd, wasted, stopReason, attempt, calls } = entry;
  const again = attempt > 1 ? `, try ${attempt}` : "";
  return {
    at,
    agent,
    phase,
    task,
    turn: null,
    model,
    tokens: tokensOf(usage),
    usd: usdOf(costNanoUsd),
    calls: [],
    note: wasted ? `not used: ${stopReason}${again}` : `${calls ?? 1} without transcript: ${stopReason}`,
  };
}

function nothing(at: string): Pick<TraceTurn, "at" | "turn" | "model" | "tokens" | "usd" | "calls"> {
  return { at, turn: null, model: "", tokens: 0, usd: 0, calls: [] };
}

function addNote(turn: TraceTurn, text: string): void {
  const line = oneLine(text, MAX_NOTE);
  turn.note = turn.note === undefined ? line : `${turn.note} · ${line}`;
}

function summaryOf(input: Record<string, unknown>): string {
  return oneLine(
    Object.values(input).find((value): value is string => typeof value === "string") ?? "",
    MAX_SUMMARY,
  );
}

/** Models wrote it: nothing that steers a terminal. */
function oneLine(text: string, length: number): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return clipEnd(line, length);
}

function tokensOf({ input, cacheRead, cacheWrite, output }: LedgerEntry["usage"]): number {
  return input + cacheRead + cacheWrite + output;
}

function usdOf(nanoUsd: number | null): number | null {
  return nanoUsd === null ? null : nanoUsd / NANO_PER_USD;
}
