import {
  type Contradiction,
  type Deposit,
  type Note,
  type WeighedDeposit,
  formatDeposit,
  knowledgeText,
} from "../../knowledge/index.js";
import { clipMiddle, inertLine, isoTime, randomBase32 } from "../../shared/index.js";
import { callAgent } from "../call-agent.js";
import { countUse } from "../count-use.js";
import { codeDiff, onlyCode } from "../code.js";
import { asMaterial } from "../material.js";
import { eventDeposit } from "../event-deposit.js";
import type { LearntBy } from "../learnt-deposit.js";
import { newPatterns, patternDeposit } from "../new-patterns.js";
import { type Lesson, LessonOutput } from "../outputs.js";
import { experienceFor } from "../experience.js";
import { type Site, fullName, sitesOf } from "../site.js";
import { isBeyond } from "../state.js";
import type { Run } from "../types.js";
import { weighLesson } from "../weigh-lesson.js";
import { changedFiles } from "./validate.js";

const MAX_CHANGE_CHARACTERS = 6000;
const MAX_KNOWLEDGE_TOKENS = 1500;
const MAX_SHOWN = 300;
/** A run that has fixed more than this tells the rest in its lesson. */
const MAX_EVENTS = 5;
const MAX_PATTERNS = 3;

/** experience-depositor writes down what the next similar requirement should know; nothing is learnt from a failed result. */
export async function learn(run: Run, signal: AbortSignal): Promise<null> {
  const path = `context/deposits/${run.id}.md`;
  if (run.validation?.outcome !== "passed" || isBeyond(run, "implement")) return null;
  const learnt = learntBy(run);
  await learnFromFailures(run, learnt, signal);
  await learnNewPatterns(run, learnt, signal);
  if (await run.workspace.files.read(path)) return null;
  const call = {
    agent: "experience-depositor",
    phase: "complete",
    task: "learn",
    text: await taskText(run, signal),
    output: LessonOutput,
  };
  const end = await callAgent(run, call, signal);
  if (end.reason !== "GOAL") {
    // A missing lesson never costs the result: it is said, and the run goes on.
    run.board.notices.push(`experience-depositor ended with ${end.reason}`);
    return null;
  }
  const lesson = end.output?.lesson;
  if (!lesson) return null;
  const deposit: Deposit = {
    id: run.id,
    run: run.id,
    by: run.doors.self,
    source: run.ask.thread?.url ?? run.requirement,
    note: noteOf(lesson),
    at: isoTime(run.deps.clock.now()),
    rules: [],
    origin: "task",
  };
  await weighAndKeep(run, deposit, signal);
  return null;
}

/** Each failure that passed later is an event: what failed, why, what did not help, what did, and what proves it. */
async function learnFromFailures(run: Run, learnt: LearntBy, signal: AbortSignal): Promise<void> {
  const { deps, id } = run;
  for (const failure of run.failures.fixed().slice(0, MAX_EVENTS)) {
    const deposit = eventDeposit(failure, learnt);
    if (deposit === null)
      deps.log.warn({ run: id, command: failure.command }, "a fixed failure is not kept: it shows a secret");
    else await weighAndKeep(run, deposit, signal);
  }
}

/** A function that came with this change and is called in several places already is how it is done here: that is kept once. */
async function learnNewPatterns(run: Run, learnt: LearntBy, signal: AbortSignal): Promise<void> {
  const { map } = run.code;
  const { mirror, baseSha, head } = run.workspace;
  const diff = onlyCode(await mirror.diff(baseSha, await head()));
  const before = await mirror.readFiles(baseSha, await changedFiles(run));
  const memories = await run.memory.memories(run.knowledge);
  const known = memories.flatMap(({ symbols, linked = [] }) => [...symbols, ...linked]);
  await map.refresh(signal);
  const found = newPatterns(map, diff, before).filter(({ symbol }) => !known.includes(symbol.key));
  for (const pattern of found.slice(0, MAX_PATTERNS)) {
    const { text } = await map.definition(pattern.symbol.key);
    await weighAndKeep(run, patternDeposit(pattern, text, learnt), signal);
  }
}

function learntBy({ id, doors, ask, requirement, deps, language }: Run): LearntBy {
  const source = ask.thread?.url ?? "";
  return { run: id, by: doors.self, source, requirement, at: isoTime(deps.clock.now()), language };
}

/** Compares a lesson with what is known, and keeps what is new; a deposit that an earlier try wrote stays as it is. */
async function weighAndKeep(run: Run, deposit: Deposit, signal: AbortSignal): Promise<void> {
  if (await run.workspace.files.read(`context/deposits/${deposit.id}.md`)) return;
  await keep(run, await weighLesson(deposit, { tree: run.knowledge, memory: run.memory }, signal));
}

/** Writes what is new, books what was learnt again, and shows people what contradicts each other: both stay until they decide. */
async function keep(run: Run, weighed: WeighedDeposit): Promise<void> {
  const { board, deps, id } = run;
  if (weighed.kind === "nothing") {
    deps.log.info({ run: id, reason: weighed.reason }, "no lesson is kept");
    return;
  }
  if (weighed.kind === "known") {
    const at = isoTime(deps.clock.now());
    run.memoryEvents.push({ v: 1, memory: weighed.id, run: id, at, kind: "seen", text: weighed.text });
    return;
  }
  const { deposit, against } = weighed;
  await run.workspace.files.write(`context/deposits/${deposit.id}.md`, formatDeposit(deposit));
  countUse(run, { kind: "note", id: deposit.note.id, how: "learnt" });
  // What happened at two times need not agree.
  if (against && deposit.note.type !== "event")
    board.notices.push(contradiction(run, deposit.note.id, against));
}

function contradiction(run: Run, id: string, against: Contradiction): string {
  const before = clipMiddle(inertLine(against.said), MAX_SHOWN);
  const now = clipMiddle(inertLine(against.new), MAX_SHOWN);
  return run.language === "zh"
    ? `新经验 ${id} 与 ${against.id} 矛盾，两者都已保留，请判断哪一条正确。${against.id}：“${before}”；${id}：“${now}”`
    : `The new lesson ${id} contradicts ${against.id}; both are kept. Which one is right? ${against.id}: "${before}"; ${id}: "${now}"`;
}

function noteOf(lesson: Lesson): Note {
  return {
    id: `EXP-${randomBase32(8)}`,
    title: lesson.title,
    type: "pattern",
    status: "active",
    trust: "bot",
    problem: lesson.problem,
    triggers: {
      keywords: lesson.keywords,
      paths: lesson.paths,
      symbols: lesson.symbols,
      labels: [],
      phases: [],
      text: [],
    },
    solution: lesson.solution,
    verification: lesson.verification,
    related: lesson.related,
    file: "",
    raw: "",
  };
}

/** What was changed in one of the repositories; empty for a service in which nothing was. */
async function changeIn(site: Site): Promise<string> {
  const files = await changedFiles(site);
  if (site.service !== "" && files.length === 0) return "";
  const name = site.service === "" ? "" : `In ${fullName(site.repository)}:\n`;
  return `${name}${files.join("\n")}\n\n${asMaterial(clipMiddle(await codeDiff(site), MAX_CHANGE_CHARACTERS))}`;
}

async function taskText(run: Run, signal: AbortSignal): Promise<string> {
  const change = (await Promise.all(sitesOf(run).map(changeIn))).filter(Boolean).join("\n\n");
  const experience = await experienceFor(run, "design", {}, signal);
  const { text } = knowledgeText(run.knowledge, experience, MAX_KNOWLEDGE_TOKENS);
  return run.skills.prompt("task-lesson", {
    requirement: run.requirement,
    repository: `${run.ask.repository.owner}/${run.ask.repository.name}`,
    document: asMaterial(run.documents.requirement),
    design: asMaterial(run.documents.design),
    outcome: run.validation?.reason ?? "",
    change,
    knowledge: text || "none",
  });
}
