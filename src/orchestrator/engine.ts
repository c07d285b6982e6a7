import { AccrueError, isAccrueError, languageOf, marker, messageOf, type Language } from "../shared/index.js";
import { completeAndFold } from "./complete.js";
import { reactionTarget } from "./github-front.js";
import type { Ask } from "./intent.js";
import { KNOWLEDGE_BRANCH } from "./knowledge-tree.js";
import type { RunStart } from "./phases/open.js";
import { type Remembered, remember } from "./remember.js";
import { groupOf, requirementOf, requirementOfBranch, stableUlid } from "./requirement-of.js";
import { billText } from "./resources.js";
import { runRequirement } from "./run.js";
import { helpText, saying } from "./texts/replies.js";
import type { Doors, EngineDeps, RunEnd, Settings } from "./types.js";

/** What becomes of an ask: it was answered at once, or long work has to be queued under a group. */
export type Decision = { kind: "answered"; outcome: string } | { kind: "work"; group: string; work: Work };

/** Long work, one at a time per group. */
export type Work =
  | { kind: "run"; start: RunStart }
  | { kind: "complete"; ask: Ask; requirement: string | null };

/** Stops what runs or waits in a group; tells how much that was. */
export type Stop = (
  group: string,
  stop: { by: string; reason: string },
) => { removed: number; signalled: number };

export interface Engine {
  /** Who asks is checked, and control intents are answered at once. `attempt` above 1 looks for what an earlier try wrote. */
  decide(ask: Ask, attempt: number, signal: AbortSignal): Promise<Decision>;
  /** Does long work to its end; gives a sentence for the record. */
  work(work: Work, signal: AbortSignal): Promise<string>;
  /** One run to its end, for fronts that wait for it. */
  run(start: RunStart, signal: AbortSignal): Promise<RunEnd>;
  /** Records a lesson, for fronts without a thread to answer on. */
  remember(ask: Ask, text: string, signal: AbortSignal): Promise<Remembered>;
}

interface Scene {
  ask: Ask;
  doors: Doors;
  settings: Settings;
  language: Language;
  requirement: string | null;
  attempt: number;
}

const RANKS = ["none", "read", "triage", "write", "maintain", "admin"];

const NOTHING_WAITS: Stop = () => ({ removed: 0, signalled: 0 });

/** The one engine behind App, Action and command line. Without a queue there is nothing that `stop` could reach. */
export function createEngine(deps: EngineDeps, stop: Stop = NOTHING_WAITS): Engine {
  async function sceneOf(ask: Ask, attempt: number): Promise<Scene> {
    const doors = await deps.doors(ask);
    const settings = await deps.settings(ask, doors);
    const words = "text" in ask.intent ? ask.intent.text : "";
    const language =
      settings.language === "auto"
        ? languageOf(`${ask.thread?.title ?? ""} ${ask.thread?.body ?? ""} ${words}`)
        : settings.language;
    return { ask, doors, settings, language, requirement: requirementOf(ask), attempt };
  }

  return {
    decide: async (ask, attempt, signal) => {
      if (ask.intent.kind === "ignore") return { kind: "answered", outcome: `ignored: ${ask.intent.reason}` };
      const doors = await deps.doors(ask);
      try {
        const scene = await sceneOf(await withHead(ask, doors), attempt);
        const refusal = await refusalOf(scene);
        if (refusal) return { kind: "answered", outcome: `ignored: ${refusal}` };
        return await answer(scene, { deps, stop, signal });
      } catch (error) {
        if (!isAccrueError(error, "CONFIG_INVALID")) throw error;
        return tellConfiguration(ask, doors, { attempt, message: error.message });
      }
    },
    work: async (work, signal) => {
      if (work.kind === "run") {
        const end = await runRequirement(work.start, deps, signal);
        return `${end.state}: ${end.reason}`;
      }
      return complete(await sceneOf(work.ask, 1), deps, signal);
    },
    run: (start, signal) => runRequirement(start, deps, signal),
    remember: async (ask, text, signal) => {
      const { doors, settings, language } = await sceneOf(ask, 1);
      return remember({ ask, text, doors, settings, language }, deps, signal);
    },
  };
}

/** A comment on a pull request does not tell its branch: it is looked up. */
async function withHead(ask: Ask, { port }: Doors): Promise<Ask> {
  if (!ask.thread?.isPull || ask.headRef !== null || !port) return ask;
  const pull = await port.pull(ask.thread.number);
  const own = `${ask.repository.owner}/${ask.repository.name}`.toLowerCase();
  return pull.headRepository?.toLowerCase() === own ? { ...ask, headRef: pull.headRef } : ask;
}

/** A configuration that cannot be used is said where somebody asked, and is the repository's to correct. */
async function tellConfiguration(
  ask: Ask,
  { port }: Doors,
  problem: { attempt: number; message: string },
): Promise<Decision> {
  const isPerson =
    ask.actor?.type === "User" &&
    ["write", "maintain", "admin"].includes((await port?.permission(ask.actor.login)) ?? "none");
  if (port && ask.thread && isPerson) {
    await port.addComment(
      ask.thread.number,
      marker("reply", ask.key),
      `❌ ${problem.message}`,
      problem.attempt > 1,
    );
  }
  return { kind: "answered", outcome: `ignored: ${problem.message}` };
}

/** Why this ask is not answered, or null. Fails closed: only a permission that GitHub confirms counts. */
async function refusalOf({ ask, doors, settings }: Scene): Promise<string | null> {
  const { port } = doors;
  if (!port) return null;
  const isClosing = ask.intent.kind === "stop" && ask.comment === null;
  const isMerge = ask.intent.kind === "continue" && ask.intent.merged;
  if (isClosing || isMerge) return null;
  if (!ask.actor) return "the sender's account does not exist any more";
  if (ask.actor.type !== "User") {
    return settings.permissions.allowed_bots.includes(ask.actor.login)
      ? null
      : `${ask.actor.login} is a bot that is not in permissions.allowed_bots`;
  }
  const permission = await port.permission(ask.actor.login);
  if (RANKS.indexOf(permission) >= RANKS.indexOf(settings.permissions.trigger)) return null;
  const target = reactionTarget(ask);
  if (target && ask.comment) await port.react(target, "confused");
  return `@${ask.actor.login} has ${permission} permission here, ${settings.permissions.trigger} is needed`;
}

async function answer(
  scene: Scene,
  tools: { deps: EngineDeps; stop: Stop; signal: AbortSignal },
): Promise<Decision> {
  const { ask, settings, language, requirement } = scene;
  const { deps, stop, signal } = tools;
  const { intent } = ask;
  switch (intent.kind) {
    case "help":
      return reply(
        scene,
        helpText(language, { ...settings, permission: settings.permissions.trigger }, intent.unknown),
      );
    case "bill": {
      const text = billText(deps, {
        requirement: requirement ?? "",
        language,
        budgetUsd: settings.budget.requirement.usd,
        repository: ask.repository,
      });
      return reply(scene, text || saying("noBill", language, requirement ?? ""));
    }
    case "stop": {
      const by = ask.actor?.login ?? "unknown";
      const { removed, signalled } = stop(groupOf(ask, requirement ?? ""), {
        by,
        reason: intent.reason || `stopped by @${by}`,
      });
      if (!ask.comment)
        return { kind: "answered", outcome: `stopped ${signalled} running and ${removed} waiting` };
      return reply(
        scene,
        saying(removed + signalled > 0 ? "stopped" : "nothingRuns", language, requirement ?? ""),
      );
    }
    case "remember":
      return recall(scene, intent.text, deps, signal);
    case "ask":
      return reply(
        scene,
        helpText(language, { ...settings, permission: settings.permissions.trigger }, "ask"),
      );
    case "continue":
      if (intent.merged) return queueCompletion(scene);
      return queueRun(scene);
    case "start": {
      const refusal = await staleStart(scene);
      return refusal ? { kind: "answered", outcome: `ignored: ${refusal}` } : queueRun(scene);
    }
    case "change":
    case "retry":
    case "approve":
      return queueRun(scene);
    case "ignore":
      break;
  }
  return { kind: "answered", outcome: `ignored: ${intent.reason}` };
}

/** A label may be gone and an issue closed by the time its event is read. */
async function staleStart({ ask, doors, settings }: Scene): Promise<string | null> {
  if (!doors.port || !ask.thread || ask.comment) return null;
  const issue = await doors.port.issue(ask.thread.number);
  if (issue.state === "closed") return `#${issue.number} is closed`;
  const isLabelled = issue.labels.some((label) => label.toLowerCase() === settings.label.toLowerCase());
  return isLabelled ? null : `the label ${settings.label} was removed meanwhile`;
}

function queueRun({ ask, requirement }: Scene): Decision {
  if (!requirement)
    throw new AccrueError(
      "INPUT_INVALID",
      "A run needs an issue, a pull request of a requirement, or a REQ id.",
    );
  const run = stableUlid(Date.parse(ask.at), ask.key);
  return {
    kind: "work",
    group: groupOf(ask, requirement),
    work: { kind: "run", start: { ask, run, requirement } },
  };
}

function queueCompletion({ ask }: Scene): Decision {
  const requirement = requirementOfBranch(ask.headRef);
  if (!requirement && !ask.headRef?.startsWith(KNOWLEDGE_BRANCH))
    return { kind: "answered", outcome: "ignored: not a pull request of a requirement" };
  return { kind: "work", group: groupOf(ask, "fold"), work: { kind: "complete", ask, requirement } };
}

async function reply({ ask, doors, attempt }: Scene, text: string): Promise<Decision> {
  if (doors.port && ask.thread)
    await doors.port.addComment(ask.thread.number, marker("reply", ask.key), text, attempt > 1);
  return { kind: "answered", outcome: `answered ${ask.intent.kind}` };
}

async function recall(scene: Scene, text: string, deps: EngineDeps, signal: AbortSignal): Promise<Decision> {
  const { ask, doors, settings, language } = scene;
  if (!text.trim()) return reply(scene, saying("nothingToRemember", language));
  const target = reactionTarget(ask);
  if (doors.port && target) await doors.port.react(target, "eyes");
  try {
    const { text: answered } = await remember({ ask, text, doors, settings, language }, deps, signal);
    return await reply(scene, answered);
  } catch (error) {
    // A person who taught something is told when it did not work; what may work later is tried again instead.
    if (!isAccrueError(error) || error.retryable) throw error;
    await reply(scene, saying("notRecorded", language, messageOf(error)));
    return { kind: "answered", outcome: `remember failed: ${messageOf(error)}` };
  }
}

async function complete(scene: Scene, deps: EngineDeps, signal: AbortSignal): Promise<string> {
  const { ask, doors, settings, language } = scene;
  if (!doors.port || !ask.thread) return "ignored: nothing was merged here";
  const pull = await doors.port.pull(ask.thread.number);
  if (!pull.merged || !pull.mergeCommit) return `ignored: #${pull.number} is not merged`;
  if (pull.baseRef !== (settings.base || ask.defaultBranch))
    return `ignored: #${pull.number} was merged into ${pull.baseRef}, not into the base branch`;
  const merged = { sha: pull.mergeCommit, pull: pull.number, by: ask.actor?.login ?? "unknown" };
  const requirement = requirementOfBranch(pull.headRef);
  const summary = await completeAndFold(
    { ask, doors, settings, language, requirement, merged },
    deps,
    signal,
  );
  if (requirement) await showCompletion(scene, requirement, merged);
  return `completed: ${summary}`;
}

/** The living status comment keeps its table; its first line now says that the work is merged and filed. */
async function showCompletion(
  { doors, language }: Scene,
  requirement: string,
  merged: { sha: string; pull: number },
): Promise<void> {
  const issue = Number(/^REQ-(\d+)$/.exec(requirement)?.[1] ?? 0);
  if (!doors.port || !issue) return;
  const mark = marker("status", requirement);
  const status = (await doors.port.comments(issue)).find(({ body }) => body.includes(mark));
  if (!status) return;
  const done = language === "zh" ? "已完成" : "Completed";
  const link = `[\`${merged.sha.slice(0, 7)}\`](${doors.port.web(`commit/${merged.sha}`)})`;
  const head = `✅ **${done}** · #${merged.pull} · ${link}`;
  const body = status.body
    .replace(mark, "")
    .trimStart()
    .replace(/^.*/, () => head);
  await doors.port.upsertComment(issue, mark, body);
}
