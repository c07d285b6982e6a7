import { parseEvents } from "../../requirements/index.js";
import { isAccrueError, type Language, languageOf, visibleText } from "../../shared/index.js";
import type { Mirror, Workspace } from "../../workspace/index.js";
import { headline, newBoard } from "../board.js";
import { openBooks } from "../books.js";
import { budgetLabel } from "../budget.js";
import { checkoutOf } from "../code.js";
import { followIn } from "../code-history.js";
import type { Ask } from "../intent.js";
import { gatherKnowledge } from "../knowledge-tree.js";
import { type SharedKnowledge, withSharedKnowledge } from "../shared-knowledge.js";
import { asMaterial } from "../material.js";
import { repositorySkills } from "../repository-skills.js";
import { requirementBranch } from "../requirement-branch.js";
import { openMirror } from "../resources.js";
import { quietDoors } from "../settle-request.js";
import { type Observations, unobserved } from "../site.js";
import type { Board, Doors, EngineDeps, Front, Run, RunEnd, Settings } from "../types.js";
import { needlessEdit } from "./edited.js";
import { nothingMade, refuseRun } from "./refuse-run.js";

/** What starts a run. Ids are given by whoever queued it, so that a crash resumes the same run. */
export interface RunStart {
  ask: Ask;
  run: string;
  requirement: string;
  /** The pull request that a small request stands on: its own branch is worked on, and nothing is planned. */
  pull?: { number: number; head: string; base: string };
}

/** What is read for somebody who only asks: a branch, or the base where there is none of that name. */
export interface Reading {
  branch: string;
  base: string;
  language: Language;
}

interface Scene {
  start: RunStart;
  /** Null for a run, which works. */
  reading: Reading | null;
  deps: EngineDeps;
  doors: Doors;
  settings: Settings;
  language: Language;
  board: Board;
  front: Front;
  startedMs: number;
}

/** The words of the requirement: the issue's as they were at the event, or what was typed. */
function wordsOf(ask: Ask): { title: string; text: string } {
  const wish = "text" in ask.intent && ask.intent.kind !== "budget" ? ask.intent.text : "";
  if (!ask.thread) return { title: (wish.split("\n")[0] ?? "").slice(0, 120), text: asMaterial(wish) };
  const shown = (text: string) => asMaterial(visibleText(text));
  const issue = `# ${shown(ask.thread.title)}\n\n${shown(ask.thread.body)}`;
  const said =
    ask.comment && wish
      ? `\n\n<comment by="${ask.actor?.login ?? "unknown"}">\n${shown(wish)}\n</comment>`
      : "";
  return { title: visibleText(ask.thread.title), text: issue + said };
}

async function setScene(start: RunStart, reading: Reading | null, deps: EngineDeps): Promise<Scene> {
  const { ask, requirement, run } = start;
  const startedMs = deps.clock.now();
  const doors = start.pull || reading ? quietDoors(await deps.doors(ask)) : await deps.doors(ask);
  const settings = await deps.settings(ask, doors);
  const words = wordsOf(ask);
  const spoken =
    settings.language === "auto" ? languageOf(`${words.title} ${words.text}`) : settings.language;
  const language = reading?.language ?? spoken;
  const board = newBoard({
    requirement,
    run,
    language,
    title: words.title,
    base: reading?.base ?? start.pull?.base ?? (settings.base || ask.defaultBranch),
    budget: budgetLabel(deps.ledger, { ask, requirement, settings }),
    headline: headline("start", language),
    spentNanoUsd: deps.ledger.spentNanoUsd({ requirement, repository: ask.repository }),
  });
  return {
    start,
    reading,
    deps,
    doors,
    settings,
    language,
    board,
    startedMs,
    front: doors.front({ ask, language, settings, requirement }),
  };
}

/** A small request stands on the branch of its pull request. */
async function branchOf(
  { start, reading, settings, board }: Scene,
  mirror: Mirror,
): Promise<{ branch: string; slug: string }> {
  if (reading) return { branch: reading.branch, slug: "" };
  if (start.pull) return { branch: start.pull.head, slug: "" };
  const { requirement } = start;
  return requirementBranch(mirror, { pattern: settings.branch, requirement, title: board.title });
}

async function checkOut(scene: Scene, signal: AbortSignal): Promise<Run> {
  const { deps, doors, start, settings, board, front, language, startedMs } = scene;
  const mirror = await openMirror(deps, { ask: start.ask, doors, settings }, signal);
  const { branch, slug } = await branchOf(scene, mirror);
  const workspace = await deps
    .workspaces(settings.sandbox)
    .open({ mirror, base: board.base, branch, run: start.run }, signal);
  board.branch = branch;
  const skills = await repositorySkills(deps, { mirror, base: board.base, settings });
  board.notices.push(...skills.problems.map(({ file, message }) => `${file}: ${message}`));
  const warn = (message: string) => void board.notices.push(message);
  const { tree: knowledge, elsewhere, shared } = await gather(scene, workspace, signal);
  const { events } = parseEvents(knowledge, start.requirement);
  const { repository } = start.ask;
  const code = await deps.openCode(checkoutOf(repository, workspace, workspace));
  const follow = followIn(code, warn, signal);
  const memory = await deps.openMemory({ repository, options: settings.memory, warn, follow }, signal);
  return {
    id: start.run,
    ask: start.ask,
    requirement: start.requirement,
    settings,
    language,
    doors,
    front,
    deps,
    startedMs,
    ...wordsOf(start.ask),
    board,
    service: "",
    repository,
    workspace,
    code,
    instructions: knowledge.get("AGENTS.md") ?? "",
    memory,
    skills,
    slug,
    events,
    knowledge,
    elsewhere,
    shared,
    ...untouched(),
    attribution: (phase, task, agent) => ({
      repository: start.ask.repository,
      requirement: start.requirement,
      run: start.run,
      phase,
      task,
      agent,
    }),
  };
}

/** What a run holds before its first phase. */
function untouched(): Observations &
  Pick<
    Run,
    | "services"
    | "toolbox"
    | "brought"
    | "proof"
    | "shown"
    | "said"
    | "memoryEvents"
    | "draft"
    | "documents"
    | "tasks"
    | "evidence"
    | "validation"
    | "pushedMs"
  > {
  return {
    ...unobserved(),
    services: [],
    toolbox: null,
    brought: "",
    proof: null,
    shown: new Map(),
    said: [],
    memoryEvents: [],
    draft: null,
    documents: { requirement: "", design: "", summary: "" },
    tasks: [],
    evidence: [],
    validation: null,
    pushedMs: 0,
  };
}

/** What is known to a run: by its own repository, and by the one that several share. */
async function gather(
  { deps, doors, settings, board, start }: Scene,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<Pick<Run, "elsewhere"> & SharedKnowledge> {
  const { mirror, baseSha, branch } = workspace;
  const { tree: own, elsewhere } = await gatherKnowledge(mirror, {
    base: baseSha,
    baseTip: (await mirror.resolve(`refs/remotes/origin/${board.base}`)) ?? baseSha,
    head: await workspace.head(),
    branch,
    requirement: start.requirement,
    roots: settings.knowledge.roots,
  });
  const warn = (message: string) => void board.notices.push(message);
  const asked = { ask: start.ask, doors, settings, signal, own, warn };
  return { elsewhere, ...(await withSharedKnowledge(asked, deps)) };
}

/** 👀 and the status comment at once, then the clone, the checkout, and what is known about this requirement. */
export async function openRun(
  start: RunStart,
  deps: EngineDeps,
  signal: AbortSignal,
): Promise<{ run: Run } | { end: RunEnd }> {
  const scene = await setScene(start, null, deps);
  const needless = await needlessEdit(scene, signal);
  if (needless)
    return { end: { ...nothingMade(start), outcome: "not-run", state: "finished", reason: needless } };
  await Promise.all([scene.front.acknowledge(), scene.front.show(scene.board, true)]);
  try {
    const run = await checkOut(scene, signal);
    openBooks(deps, run);
    return { run };
  } catch (error) {
    // A small request has no board to say it on: whoever gives the work up answers on its thread.
    if (isAccrueError(error) && !error.retryable && !start.pull)
      return { end: await refuseRun(scene, error) };
    throw error;
  }
}

/**
 * The same checkout and knowledge for a question: nothing is shown, and the books of a run that goes on beside it stay open.
 * Contract: commit and push nothing.
 */
export async function openReading(
  start: RunStart,
  reading: Reading,
  deps: EngineDeps,
  signal: AbortSignal,
): Promise<Run> {
  return checkOut(await setScene(start, reading, deps), signal);
}
