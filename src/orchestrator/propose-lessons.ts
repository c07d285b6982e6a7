import { z } from "zod";
import { DepositedLesson, type Tree } from "../knowledge/index.js";
import { createBudget } from "../ledger/index.js";
import type { ModelRequest } from "../model/index.js";
import { AccrueError, isAccrueError } from "../shared/index.js";
import { asMaterial } from "./material.js";
import type { Remark } from "./remark.js";
import { askId } from "./push-knowledge.js";
import type { Scene } from "./scene.js";
import type { EngineDeps } from "./types.js";

const AGENT = "experience-depositor";
const TASK = "remark";
/** A person waits for the answer: rules have one at once. */
const MAX_WAIT_MS = 60_000;
const MAX_REMARK = 8_000;
const MAX_HUNK = 3_000;
const MAX_DOCUMENTS = 40;
const MAX_HEADINGS = 6;

const Lessons = z.object({
  lessons: z.array(DepositedLesson).max(8).describe("What was taught, one thing each; empty when nothing."),
});

/**
 * Asks a model for the lessons of a remark, booked under the thread's requirement. Null where none is to be asked, where it fails
 * or the budget is used up, and where it finds nothing: then rules write it down.
 */
export async function proposeLessons(
  scene: Scene,
  of: { remark: Remark; tree: Tree },
  deps: EngineDeps,
): Promise<readonly DepositedLesson[] | null> {
  const { settings, signal, ask } = scene;
  if (settings.knowledge.depositor === "rules") return null;
  try {
    const { request, stop } = questionOf(scene, of, deps);
    const { output, problem } = await deps.model(settings).answer(request, Lessons, stop);
    if (problem !== null)
      deps.log.warn(
        { delivery: ask.key, problem },
        "the depositor gave no usable answer: rules write it down",
      );
    return output && output.lessons.length > 0 ? output.lessons : null;
  } catch (error) {
    if (signal.aborted) throw error;
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    if (!isAccrueError(error) && !isLate) throw error;
    deps.log.warn({ delivery: ask.key, reason: error.message }, "no depositor: rules write it down");
    return null;
  }
}

function questionOf(
  scene: Scene,
  { remark, tree }: { remark: Remark; tree: Tree },
  { skills, ledger, clock }: EngineDeps,
): { request: Omit<ModelRequest, "tools">; stop: AbortSignal } {
  const { ask, settings, language, signal } = scene;
  const { repository } = ask;
  const agent = { ...skills.agent(AGENT), prompt: skills.prompt("job-remark", {}) };
  const scope = { repository, requirement: scene.requirement ?? "", run: askId(ask), task: TASK };
  const budget = createBudget(ledger, clock, scope, settings.budget);
  const facts = { tools: [], instructions: "", language, kind: null, skillTokens: 0 };
  const request = {
    tier: agent.tier,
    system: skills.systemPrompt(agent, facts),
    messages: [
      {
        role: "user" as const,
        content: [
          {
            type: "text" as const,
            text: skills.prompt("task-remark", {
              repository: `${repository.owner}/${repository.name}`,
              about: ask.intent.kind === "optimize-flow" ? aboutFlow(skills) : "",
              remark: asMaterial(remark.text.slice(0, MAX_REMARK)),
              place: asMaterial(placeText(remark)),
              documents: documentsIn(tree),
            }),
          },
        ],
      },
    ],
    maxOutputTokens: settings.agent.max_output_tokens[agent.callType],
    attribution: { ...scope, phase: "complete", agent: agent.name, callType: agent.callType },
    admit: () => {
      if (budget.reached("work") !== null)
        throw new AccrueError("BUDGET_REACHED", "The budget is used up: no model is asked.");
    },
  };
  return { request, stop: AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]) };
}

/** What the command of that name says, with the remark in the place of its arguments. */
function aboutFlow({ commands }: EngineDeps["skills"]): string {
  const parts = commands.get("optimize-flow")?.template ?? [];
  return parts.map((part) => (part.type === "text" ? part.text : "what stands below")).join("");
}

function placeText({ place, paths }: Remark): string {
  if (place === null) return paths.join("\n") || "none";
  const line = place.line === null ? "" : `:${place.line}`;
  return `${place.path}${line}\n${(place.hunk ?? "").slice(-MAX_HUNK)}`;
}

/** Documents with the headings that tell what they are about. */
function documentsIn(tree: Tree): string {
  const documents = [...tree]
    .filter(([path]) => /^context\/(?:business|tech)\/.+\.md$/.test(path))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, MAX_DOCUMENTS)
    .map(([path, text]) => {
      const headings = [...text.matchAll(/^#{1,3} +(.+)$/gm)].map(([, title = ""]) => title.trim());
      return `- ${path}: ${headings.slice(0, MAX_HEADINGS).join("; ")}`;
    });
  return asMaterial(documents.join("\n")) || "none";
}
