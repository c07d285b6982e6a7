import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readTranscript } from "../agent/index.js";
import { clipMiddle } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import { isBook } from "./code.js";
import { TaskReport } from "./outputs.js";
import type { Scene } from "./scene.js";
import type { EngineDeps } from "./types.js";

/** Runs of the requirement that are looked at, newest first. */
const MAX_RUNS = 5;
const MAX_COMMITS = 30;
const MAX_FILES = 3;
const MAX_WORDS = 200;
const RECORD = /^validate-fix-(?<round>\d+)-implementation-executor\.jsonl$/;
const TELLS = /error|expected|assert|not ok|fail|cannot|undefined|错误|失败/i;

/** A check that failed in a run, and what made it pass. */
export interface LastFix {
  /** As one paragraph, ready to be remembered. */
  text: string;
  /** Code that the fix changed. */
  paths: string[];
  /** The run that saw it, and the command that failed. */
  run: string;
  command: string;
}

/**
 * The last failure of a requirement's runs that a fix put right, as their records say; null when there is none, or when nobody saw
 * the checks pass after it.
 */
export async function lastFix(
  { ask, requirement, settings, language }: Scene,
  deps: Pick<EngineDeps, "ledger" | "data">,
  mirror: Mirror,
): Promise<LastFix | null> {
  if (requirement === null || ask.headRef === null) return null;
  const entries = deps.ledger.entries({ repository: ask.repository, requirement });
  const runs = [...new Set(entries.map(({ run }) => run))].sort().toReversed();
  for (const run of runs.slice(0, MAX_RUNS)) {
    const round = await lastRound(join(deps.data, "transcripts", run));
    // After the last try nobody observed what became of it.
    if (round === null || round.number >= settings.agent.retry_limit) continue;
    const { lines } = await readTranscript(round.file);
    const task = lines.find((line) => line.type === "start")?.task ?? "";
    const end = lines.findLast((line) => line.type === "end");
    const report = TaskReport.safeParse(end?.output);
    const failure = failureIn(task);
    if (end?.reason !== "GOAL" || !report.success || failure === null) continue;
    const paths = await changedBy(mirror, ask.headRef);
    const text = told({ ...failure, fix: oneLine(report.data.summary), paths }, language);
    return { text, paths, run, command: failure.command };
  }
  return null;
}

async function lastRound(folder: string): Promise<{ number: number; file: string } | null> {
  const names = await readdir(folder).catch(() => []);
  const rounds = names.flatMap((name) => {
    const round = RECORD.exec(name)?.groups?.["round"];
    return round === undefined ? [] : { number: Number(round), file: join(folder, name) };
  });
  return rounds.sort((a, b) => b.number - a.number)[0] ?? null;
}

/** The first command that failed, with what it said. */
function failureIn(task: string): { command: string; reason: string } | null {
  const block = /<failures>\n([\s\S]*?)\n<\/failures>/.exec(task)?.[1] ?? "";
  const [command = "", reason = "", ...output] = block.split("\n");
  if (!command.startsWith("$ ")) return null;
  const named = output[0]?.startsWith("- ") ? output[0].slice(2) : null;
  const telling = named ?? output.find((line) => TELLS.test(line)) ?? "";
  const said = [reason.replace(/[.。]\s*$/, ""), telling].filter(Boolean).join(": ");
  return { command: command.slice(2).trim(), reason: oneLine(said) };
}

/** Code that the newest fix on the branch changed. */
async function changedBy(mirror: Mirror, branch: string): Promise<string[]> {
  const commits = await mirror.history(`refs/remotes/origin/${branch}`, MAX_COMMITS);
  const fix = commits.find(({ message }) => message.startsWith("Fix: "));
  return (fix?.files ?? []).filter((path) => !isBook(path)).slice(0, MAX_FILES);
}

function told(
  { command, reason, fix, paths }: { command: string; reason: string; fix: string; paths: string[] },
  language: Scene["language"],
): string {
  const places = paths.map((path) => `\`${path}\``);
  return language === "zh"
    ? `\`${command}\` 失败（${reason}）。修复：${fix}${places.length > 0 ? `（${places.join("、")}）` : ""}`
    : `\`${command}\` failed (${reason}). Fixed by: ${fix}${places.length > 0 ? ` (${places.join(", ")})` : ""}`;
}

function oneLine(text: string): string {
  return clipMiddle(text.replace(/\s+/g, " ").trim(), MAX_WORDS);
}
