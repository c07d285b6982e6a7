import { type BudgetStop, QUESTION_PHASE, createBudget } from "../ledger/index.js";
import { type Language, isAccrueError, visibleText } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import { budgetOf } from "./budget.js";
import { callAgent } from "./call-agent.js";
import { closeCheckouts, closeRun } from "./close-run.js";
import { showCode } from "./code.js";
import { commitsTouching } from "./commits-touching.js";
import { knowledgeFor } from "./experience.js";
import { type Citation, lookUpAnswer } from "./look-up-answer.js";
import { asMaterial } from "./material.js";
import { AnswerOutput } from "./outputs.js";
import { type Reading, openReading } from "./phases/open.js";
import { askId } from "./push-knowledge.js";
import { branchOf, isCompletedOn } from "./requirement-branch.js";
import { openMirror } from "./resources.js";
import { saidAbove } from "./said-above.js";
import type { Scene } from "./scene.js";
import { fullName } from "./site.js";
import type { EngineDeps, Run } from "./types.js";

const AGENT = "codebase-investigator";
const TASK = "question";
/** What code is shown unasked; the agent looks for more itself. */
const CODE_SHARE = 0.6;
const MAX_QUESTION = 8000;
const MAX_THREAD = 4000;

/** What is read for an answer. */
export interface ReadAt {
  /** The branch whose code was read. */
  branch: string;
  commit: string;
}

/** What became of a question. */
export interface Answered {
  /** Null where there is no answer. */
  answer: string | null;
  citations: Citation[];
  /** How many citations led nowhere. */
  dropped: number;
  /** True where a limit ended the search before its end. */
  isCutShort: boolean;
  /** Why there is none, or why it was cut short; empty otherwise. */
  reason: string;
  /** The limit that forbids to look; null when none does. */
  stop: BudgetStop | null;
  /** Null where nothing was read. */
  at: ReadAt | null;
  run: string;
  /** The question's. */
  language: Language;
  /** What it has cost, over all tries. */
  nanoUsd: number;
  calls: number;
}

/**
 * Answers a question from code, documents, history and knowledge with an agent that only reads. Nothing is changed, anywhere; what it
 * cites is looked up. Where the budget is used up no model is asked.
 */
export async function findAnswer(scene: Scene, deps: EngineDeps): Promise<Answered> {
  const { ask, settings, signal } = scene;
  const run = askId(ask);
  const requirement = scene.requirement ?? run;
  const scope = { repository: ask.repository, requirement, run, task: TASK };
  // An earlier try may have died in a call.
  deps.ledger.recover({ run });
  const stop = createBudget(deps.ledger, deps.clock, scope, settings.budget).reached("work");
  const told = () => ({ ...costOf(scene, deps), run, language: scene.language });
  if (stop) return { ...nothing(""), ...told(), stop };
  const mirror = await openMirror(deps, scene, signal);
  const reading = await placeToRead(scene, mirror);
  const opened = await openReading({ ask, run, requirement }, reading, deps, signal);
  try {
    const found = await search(opened, scene);
    await closeCheckouts(opened);
    return { ...found, ...told() };
  } catch (error) {
    // What is tried again may be under way with another worker, in the same checkout.
    if (!isAccrueError(error) || !error.retryable) await closeCheckouts(opened);
    throw error;
  } finally {
    await closeRun(opened);
  }
}

type Found = Omit<Answered, "nanoUsd" | "calls" | "run" | "language">;

function nothing(reason: string): Found {
  return { answer: null, citations: [], dropped: 0, isCutShort: false, reason, stop: null, at: null };
}

function costOf({ ask }: Scene, { ledger }: EngineDeps): Pick<Answered, "nanoUsd" | "calls"> {
  const of = { repository: ask.repository, run: askId(ask) };
  return { nanoUsd: ledger.spentNanoUsd(of), calls: ledger.entries(of).length };
}

/** The requirement's own branch until it is merged, the branch of another open pull request, else the base. */
async function placeToRead(scene: Scene, mirror: Mirror): Promise<Reading> {
  const { ask, doors, settings, requirement, language } = scene;
  const base = settings.base || ask.defaultBranch;
  const ofBase = { branch: `agent/read-${askId(ask)}`, base, language };
  if (!doors.port || !ask.thread || requirement === null) return ofBase;
  const own = await branchOf(mirror, { requirement, settings });
  if (own !== null)
    return (await isCompletedOn(mirror, base, requirement)) ? ofBase : { ...ofBase, branch: own.name };
  if (!ask.thread.isPull || ask.headRef === null) return ofBase;
  const pull = await doors.port.pull(ask.thread.number);
  return pull.state === "open" ? { ...ofBase, branch: ask.headRef, base: pull.baseRef } : ofBase;
}

async function search(run: Run, scene: Scene): Promise<Found> {
  const { signal, ask } = scene;
  const { workspace } = run;
  const question = questionOf(scene);
  const files = ask.comment?.path ? [ask.comment.path] : [];
  const experience = await knowledgeFor(run, "design", { text: question, paths: files }, signal);
  const wish = { task: question, files, share: CODE_SHARE, experience, phase: "design", taken: 0 } as const;
  const code = await showCode(run, wish, signal);
  const shown = code.pack.items.flatMap(({ path, tier }) => (tier === "code" ? [path] : []));
  const history = await commitsTouching(run, [...new Set([...files, ...shown])]);
  const head = await workspace.head();
  const branch = workspace.isNew ? workspace.baseBranch : workspace.branch;
  const text = run.skills.prompt("task-ask", {
    repository: fullName(ask.repository),
    place: placeOf(scene),
    branch,
    question: asMaterial(question),
    thread: await threadText(scene),
    documents: documentsOf(run).join(", ") || "there are none",
    knowledge: code.knowledge,
    code: code.text || "none was found",
    history: asMaterial(history) || "none",
  });
  const call = { agent: AGENT, phase: QUESTION_PHASE, task: TASK, text, code, output: AnswerOutput };
  const { output, reason, message } = await callAgent(run, call, signal);
  const at = { branch, commit: head };
  const stop = reason === "BUDGET" ? budgetOf(run, TASK).reached("work") : null;
  if (output === null) return { ...nothing(message), at, stop };
  const found = await lookUpAnswer(run, output);
  const isCutShort = reason !== "GOAL";
  return { ...nothing(isCutShort ? message : ""), ...found, isCutShort, at, stop };
}

function questionOf({ ask }: Scene): string {
  return visibleText("text" in ask.intent ? ask.intent.text : "").slice(0, MAX_QUESTION);
}

/** Where it was asked, in words: a line of the diff is what "this" means there. */
function placeOf({ ask }: Scene): string {
  const { comment, thread } = ask;
  if (!thread) return "on the command line";
  const where = `on ${thread.isPull ? "pull request" : "issue"} #${thread.number}`;
  if (!comment?.path) return where;
  return `${where}, of \`${comment.path}${comment.line === null ? "" : `:${comment.line}`}\``;
}

async function threadText(scene: Scene): Promise<string> {
  const { thread, comment } = scene.ask;
  if (!thread) return "";
  const issue = `${visibleText(thread.title)}\n\n${visibleText(thread.body)}`.slice(0, MAX_THREAD);
  const above = await saidAbove(scene);
  return [
    `The thread:\n\n<issue>\n${asMaterial(issue)}\n</issue>`,
    comment?.diffHunk ? `The lines:\n\n<excerpt>\n${asMaterial(comment.diffHunk)}\n</excerpt>` : "",
    above ? `Said before:\n\n<comment>\n${asMaterial(above)}\n</comment>` : "",
  ]
    .filter(Boolean)
    .join("\n\n");
}

function documentsOf({ knowledge, requirement }: Run): string[] {
  return [...knowledge.keys()].filter(
    (path) =>
      path.startsWith("requirements/") &&
      path.endsWith(".md") &&
      /^[-/]/.test(path.split(`/${requirement}`, 2)[1] ?? ""),
  );
}
