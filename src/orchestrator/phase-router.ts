import { z } from "zod";
import { createBudget } from "../ledger/index.js";
import type { ModelRequest } from "../model/index.js";
import { AccrueError, isAccrueError } from "../shared/index.js";
import { isAmbiguous } from "./ambiguous.js";
import type { Decision } from "./decision.js";
import type { Intent } from "./intent.js";
import { asMaterial } from "./material.js";
import { askId } from "./push-knowledge.js";
import { decline } from "./reply.js";
import { issueOf, requirementOfBranch } from "./requirement-of.js";
import type { Scene } from "./scene.js";
import { readStatus } from "./status-line.js";
import { saying } from "./texts/replies.js";
import type { EngineDeps } from "./types.js";

const AGENT = "phase-router";
/** A person waits, and what is taken without an answer is no harm. */
const MAX_WAIT_MS = 30_000;
const MAX_COMMENT = 4000;
const MAX_OUTPUT_TOKENS = 300;

const Route = z.object({
  wants: z.enum(["change", "question", "remember", "test", "lint", "nothing"]),
  reason: z.string().min(1).max(200).describe("Why, in a few words."),
});
type Route = z.infer<typeof Route>;

/**
 * The scene of what a comment wants. Events, labels, states and words decide; only where they leave it open on a requirement that
 * is under way, a model is asked once. Without a usable answer it stays what the words say.
 */
export async function routed(scene: Scene, deps: EngineDeps): Promise<Scene | Decision> {
  if (!isAmbiguous(scene.ask) || !(await isUnderWay(scene))) return scene;
  const route = await askRouter(scene, deps);
  if (route === null) return scene;
  deps.log.info({ delivery: scene.ask.key, ...route }, "a comment was routed by a model");
  const { ask, language, settings } = scene;
  if (route.wants === "nothing") return decline(scene, saying("isNothing", language, "", settings.mention));
  return { ...scene, ask: { ...ask, intent: intentOf(route, scene) } };
}

/** What the engine does with it: a test or a rule can only be proved on a pull request. */
function intentOf({ wants }: Route, { ask }: Scene): Intent {
  const { intent, thread } = ask;
  if (!("text" in intent)) return intent;
  if (wants === "question") return { kind: "ask", text: intent.text };
  if (wants === "remember") return { kind: "remember", text: intent.text, into: "knowledge" };
  if ((wants === "test" || wants === "lint") && thread?.isPull)
    return { kind: "change", text: intent.text, proof: wants };
  return intent;
}

/** True where there is something that the comment can be about. On a fresh issue it is the work that is asked for. */
async function isUnderWay({ ask, doors, requirement }: Scene): Promise<boolean> {
  if (!doors.port || !ask.thread || requirement === null) return false;
  if (ask.thread.isPull) return requirementOfBranch(ask.headRef) !== null;
  const issue = issueOf(ask, requirement);
  if (issue === null) return false;
  return (await readStatus({ port: doors.port, self: doors.self, issue, requirement })) !== null;
}

async function askRouter(scene: Scene, deps: EngineDeps): Promise<Route | null> {
  const { settings, signal, ask } = scene;
  try {
    const stop = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
    const { output, problem } = await deps.model(settings).answer(questionOf(scene, deps), Route, stop);
    if (problem !== null)
      deps.log.warn({ delivery: ask.key, problem }, "the phase router gave no usable answer");
    return output;
  } catch (error) {
    if (signal.aborted) throw error;
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    if (!isAccrueError(error) && !isLate) throw error;
    deps.log.warn({ delivery: ask.key, reason: error.message }, "no phase router: the words decide");
    return null;
  }
}

function questionOf(scene: Scene, { skills, ledger, clock }: EngineDeps): Omit<ModelRequest, "tools"> {
  const { ask, settings, language } = scene;
  const { repository, thread } = ask;
  const agent = skills.agent(AGENT);
  const requirement = scene.requirement ?? "";
  const scope = { repository, requirement, run: askId(ask), task: "route" };
  const budget = createBudget(ledger, clock, scope, settings.budget);
  const text = skills.prompt("task-route", {
    requirement,
    repository: `${repository.owner}/${repository.name}`,
    thread: thread?.isPull ? "its pull request" : "its issue",
    title: asMaterial(thread?.title ?? ""),
    comment: asMaterial(("text" in ask.intent ? ask.intent.text : "").slice(0, MAX_COMMENT)),
  });
  return {
    tier: agent.tier,
    system: skills.systemPrompt(agent, { tools: [], instructions: "", language, kind: null, skillTokens: 0 }),
    messages: [{ role: "user", content: [{ type: "text", text }] }],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    attribution: { ...scope, phase: "requirement", agent: agent.name, callType: agent.callType },
    admit: () => {
      if (budget.reached("work") !== null)
        throw new AccrueError("BUDGET_REACHED", "The budget is used up: no model is asked.");
    },
  };
}
