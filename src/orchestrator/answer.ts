import { AccrueError, inertLine } from "../shared/index.js";
import { answerAutonomy } from "./answer-autonomy.js";
import { answerForget, answerRemark } from "./answer-knowledge.js";
import { questionsOf, takeQuestion } from "./answer-question.js";
import { takeServices } from "./answer-services.js";
import { budgetLabel, budgetUsd, changeBudget } from "./budget.js";
import type { Decision, Stop } from "./decision.js";
import { isEdit, proofOf } from "./intent.js";
import { KNOWLEDGE_BRANCH } from "./knowledge-tree.js";
import type { RunStart } from "./phases/open.js";
import { billText } from "./resources.js";
import { decline, reply } from "./reply.js";
import { callableCommands } from "./repository-skills.js";
import { foreignThread, groupOf, issueOf, requirementOfBranch, stableUlid } from "./requirement-of.js";
import type { Scene } from "./scene.js";
import { headStatus, readStatus } from "./status-line.js";
import { helpText } from "./texts/help.js";
import { saying } from "./texts/replies.js";
import type { EngineDeps } from "./types.js";

/** Answers control intents at once; turns everything else into work, or says why there is none to do. */
export async function answer(scene: Scene, deps: EngineDeps, stop: Stop): Promise<Decision> {
  const { ask, settings, language, requirement } = scene;
  const { intent } = ask;
  switch (intent.kind) {
    case "help":
      return help(scene, intent.unknown, deps);
    case "bill": {
      const text = billText(deps, {
        requirement: requirement ?? "",
        language,
        budgetUsd: budgetUsd(deps.ledger, { ask, requirement: requirement ?? "", settings }),
        repository: ask.repository,
      });
      return reply(scene, text || saying("noBill", language, requirement ?? ""));
    }
    case "stop":
      return stopWork(scene, intent.reason, stop);
    case "remember":
    case "optimize-flow":
      return answerRemark(scene, deps);
    case "forget":
      return answerForget(scene, deps);
    case "load-service":
      return takeServices(scene);
    case "ask":
      return takeQuestion(scene);
    case "budget":
      return answerBudget(scene, intent.text, deps);
    case "autonomy":
      return (await answerAutonomy(scene, intent.level, deps)) ?? takeWork(scene);
    case "change":
      // Without a word of what is wrong there is nothing to change.
      if (intent.text.trim() === "" && !isEdit(ask))
        return decline(scene, saying("whatToChange", language, "", settings.mention));
      return takeWork(scene);
    case "continue":
    case "start":
    case "retry":
    case "approve":
      return takeWork(scene);
    case "ignore":
      break;
  }
  return { kind: "answered", outcome: `ignored: ${intent.reason}` };
}

async function help(scene: Scene, unknown: string | null, deps: EngineDeps): Promise<Decision> {
  const { mention, label, permissions } = scene.settings;
  const values = { mention, label, permission: permissions.trigger };
  const commands = await callableCommands(scene, deps);
  return reply(scene, helpText(scene.language, { values, commands, unknown }));
}

async function stopWork(scene: Scene, why: string, stop: Stop): Promise<Decision> {
  const { ask, doors, language, requirement } = scene;
  const by = ask.actor?.login ?? "unknown";
  const reason = saying("stoppedBy", language, `@${by}${why ? `: ${why}` : ""}`);
  const { removed, signalled } = stop(groupOf(ask, requirement ?? ""), { by, reason });
  // What ends the work of a thread leaves its questions open; a person who says stop means all of it.
  const asked = ask.comment ? stop(questionsOf(scene), { by, reason }) : { removed: 0, signalled: 0 };
  // What waits has no run that could say so itself.
  const issue = issueOf(ask, requirement ?? "");
  if (removed > 0 && signalled === 0 && doors.port && issue !== null) {
    const place = { port: doors.port, self: doors.self, issue, requirement: requirement ?? "" };
    if ((await readStatus(place))?.startsWith("⏳"))
      await headStatus(place, `⏸ **${inertLine(reason)}**`, (rest) => rest.replaceAll("⏳", "⏸"));
  }
  if (!ask.comment)
    return { kind: "answered", outcome: `stopped ${signalled} running and ${removed} waiting` };
  const isRun = removed + signalled > 0;
  const what = isRun ? "stopped" : asked.removed + asked.signalled > 0 ? "stoppedAnswers" : "nothingRuns";
  const said = saying(what, language, requirement ?? "");
  // A try before this one may have dropped them and died before it could say so.
  const dropped =
    removed + asked.removed > 0
      ? saying("dropped", language, String(removed + asked.removed))
      : scene.attempt > 1
        ? saying("droppedBefore", language)
        : "";
  return reply(scene, [said, dropped].filter(Boolean).join(" "));
}

/** Without an amount the button asks for as much again, and a comment for how things stand. */
async function answerBudget(scene: Scene, text: string, deps: EngineDeps): Promise<Decision> {
  const { ask, language, requirement, settings } = scene;
  if (!requirement) return decline(scene, saying("noRequirement", language));
  if (text === "" && ask.comment) {
    const label = budgetLabel(deps.ledger, { ask, requirement, settings });
    return reply(scene, saying("budgetIs", language, label, settings.mention));
  }
  const { label, isAwaited } = await changeBudget(scene, { requirement, text }, deps);
  if (ask.comment)
    await reply(scene, saying(isAwaited ? "budgetGoesOn" : "budgetIs", language, label, settings.mention));
  return isAwaited ? queueRun(scene) : { kind: "answered", outcome: `answered budget: ${label}` };
}

/** Queues the work that is asked for, unless its thread is no place for work any more: then whoever asked is told. */
async function takeWork(scene: Scene): Promise<Decision> {
  const { ask, doors, settings, language } = scene;
  const { intent } = ask;
  if (intent.kind === "continue" && intent.merged) return queueCompletion(scene);
  if (!doors.port || !ask.thread) return queueRun(scene);
  const { number, isPull } = ask.thread;
  if (proofOf(ask) !== null) return takeRequest(scene, number);
  if (isPull && requirementOfBranch(ask.headRef) === null) {
    const elsewhere = foreignThread(ask.headRef);
    return elsewhere === null
      ? decline(scene, saying("notOurs", language, `\`${settings.label}\``))
      : decline(scene, saying("elsewhere", language, elsewhere));
  }
  const issue = await doors.port.issue(number);
  if (issue.state === "closed") {
    const wantsOn = intent.kind === "retry" || intent.kind === "continue";
    if (isPull && wantsOn && (await doors.port.pull(number)).merged) return queueCompletion(scene);
    // Others may have done their part after the merge.
    if (!isPull && intent.kind === "continue") return queueCompletion(scene);
    return decline(scene, saying("closed", language, `#${number}`));
  }
  const isLabel = intent.kind === "start" && ask.comment === null;
  if (isLabel && !issue.labels.some((label) => label.toLowerCase() === settings.label.toLowerCase())) {
    return decline(scene, `the label ${settings.label} was removed meanwhile`);
  }
  if (isEdit(ask) && !(await isOpened(scene, issue.labels)))
    return decline(scene, `#${number} was edited and is no requirement`);
  return queueRun(scene);
}

/** A small request stands on the branch of its pull request, whosever that is: it has to lie here, and be no branch that others build on. */
async function takeRequest(scene: Scene, number: number): Promise<Decision> {
  const { ask, doors, language, settings } = scene;
  if (!doors.port) return queueRun(scene);
  const pull = await doors.port.pull(number);
  const own = `${ask.repository.owner}/${ask.repository.name}`.toLowerCase();
  if (pull.state === "closed") return decline(scene, saying("closed", language, `#${number}`));
  const isKept = [ask.defaultBranch, settings.base].includes(pull.headRef);
  if (pull.headRepository?.toLowerCase() !== own || isKept)
    return decline(scene, saying("notHere", language, `\`${pull.headRef}\``));
  return queueRun(scene, { number, head: pull.headRef, base: pull.baseRef });
}

/** Whether an issue is a requirement, or waits to be one: what is queued for it shows nothing yet but the label. */
async function isOpened(
  { doors, settings, requirement }: Scene,
  labels: readonly string[],
): Promise<boolean> {
  const { port, self } = doors;
  const issue = Number(/^REQ-(\d+)$/.exec(requirement ?? "")?.[1] ?? 0);
  if (labels.some((label) => label.toLowerCase() === settings.label.toLowerCase())) return true;
  return port !== null && (await readStatus({ port, self, issue, requirement: requirement ?? "" })) !== null;
}

function queueRun({ ask, requirement }: Scene, pull?: RunStart["pull"]): Decision {
  if (!requirement)
    throw new AccrueError(
      "INPUT_INVALID",
      "A run needs an issue, a pull request of a requirement, or a REQ id.",
    );
  const run = stableUlid(Date.parse(ask.at), ask.key);
  return {
    kind: "work",
    group: groupOf(ask, requirement),
    work: { kind: "run", start: { ask, run, requirement, ...(pull && { pull }) } },
  };
}

function queueCompletion({ ask, requirement: ofThread }: Scene): Decision {
  const requirement = ask.thread?.isPull === false ? ofThread : requirementOfBranch(ask.headRef);
  if (!requirement && !ask.headRef?.startsWith(KNOWLEDGE_BRANCH))
    return { kind: "answered", outcome: "ignored: not a pull request of a requirement" };
  return { kind: "work", group: groupOf(ask, "fold"), work: { kind: "complete", ask, requirement } };
}
