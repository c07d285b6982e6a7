import { join } from "node:path";
import { type AgentDeps, type AgentSpec, readNotices, runAgent } from "../agent/index.js";
import { createBudget } from "../ledger/index.js";
import { type CheckedProse, ServiceProse, checkProse, citedFiles } from "../services/index.js";
import { isAccrueError } from "../shared/index.js";
import { type ToolContext, createSeenFiles } from "../tools/index.js";
import { syntaxProblemOf } from "../validator/index.js";
import { freshMap } from "./code.js";
import { asMaterial } from "./material.js";
import type { VisitedService } from "./visit-service.js";
import { handOverFolder, runFolder } from "./resources.js";
import type { ServicesScene } from "./service-place.js";
import type { EngineDeps } from "./types.js";

const AGENT = "service-analyst";
const PHASE = "complete";

/** What a model says about a service, checked; null with the reason where there is nothing to be taken. */
export interface Analysis {
  prose: CheckedProse | null;
  /** Pointers that led nowhere. */
  dropped: string[];
  /** Why there are no new sentences, for people; `kept`: those of last time stay. Null when there are. */
  missing: "no-answer" | "copied" | "kept" | null;
  /** What went wrong, in words. */
  reason: string;
}

/** Asks one agent that only reads what the service is; what it says is taken only as far as it can be checked. */
export async function askAnalyst(
  scene: ServicesScene,
  { open, facts }: { open: VisitedService; facts: string },
  deps: EngineDeps,
): Promise<Analysis> {
  const nothing = (missing: Analysis["missing"], reason: string) => ({
    prose: null,
    dropped: [],
    missing,
    reason,
  });
  try {
    const { spec, agentDeps } = await specOf(scene, { open, facts }, deps);
    const { output, message } = await runAgent(spec, agentDeps, scene.signal);
    scene.signal.throwIfAborted();
    if (output === null) return nothing("no-answer", message);
    const texts = new Map<string, string>();
    const { folder } = open.place;
    const own = withoutFolder(output, folder);
    for (const path of citedFiles(own)) {
      const text = await open.textOf(path);
      if (text !== undefined) texts.set(path, text);
    }
    const { prose, dropped } = checkProse(own, (path) => texts.get(path));
    if (prose === null) return nothing("copied", "");
    const isEmpty = Object.values(prose).every((lines) => lines.length === 0);
    return { prose: isEmpty ? null : prose, dropped, missing: isEmpty ? "no-answer" : null, reason: "" };
  } catch (error) {
    // Without a model there are the facts.
    if (!isAccrueError(error) || scene.signal.aborted) throw error;
    deps.log.warn({ service: open.place.service, reason: error.message }, "no model says what a service is");
    return nothing("no-answer", error.message);
  }
}

/** Files are named from the root of the checkout or from the service's folder; both are understood. */
function withoutFolder(prose: ServiceProse, folder: string): ServiceProse {
  if (folder === "") return prose;
  const bare = (pointer: string) =>
    pointer.startsWith(`${folder}/`) ? pointer.slice(folder.length + 1) : pointer;
  const lines = (said: ServiceProse["position"]) =>
    said.map(({ text, pointers }) => ({ text, pointers: pointers.map(bare) }));
  return { position: lines(prose.position), duties: lines(prose.duties), pitfalls: lines(prose.pitfalls) };
}

async function specOf(
  scene: ServicesScene,
  { open, facts }: { open: VisitedService; facts: string },
  deps: EngineDeps,
): Promise<{ spec: AgentSpec<ServiceProse>; agentDeps: AgentDeps }> {
  const { settings, ask, language, run } = scene;
  const { place } = open;
  const { skills, ledger, clock } = deps;
  const agent = skills.agent(AGENT);
  const requirement = scene.requirement ?? "";
  const scope = { repository: ask.repository, requirement, run, task: `load-service ${place.service}` };
  const budget = createBudget(ledger, clock, scope, settings.budget);
  const { at, at_tokens: atTokens, keep } = settings.agent.compression;
  const folder = await runFolder(deps, run);
  const name = `${AGENT}-${place.service}`;
  const facing = { tools: agent.tools, instructions: "", language, kind: null, skillTokens: 0 };
  const where =
    place.folder && `It is the folder \`${place.folder}\` of the checkout: pointers count from there.`;
  const asked = { service: place.service, repository: place.label, folder: where, facts: asMaterial(facts) };
  const handOver = await handOverFolder(deps, { ask, requirement: requirement || run });
  const spec: AgentSpec<ServiceProse> = {
    tier: agent.tier,
    system: skills.systemPrompt(agent, facing),
    task: skills.prompt("task-service", asked),
    output: ServiceProse,
    tools: agent.tools,
    isSubagent: true,
    maxTurns: Math.min(agent.maxTurns, settings.agent.max_turns),
    maxMs: Math.min(agent.maxMinutes, settings.agent.max_minutes) * 60_000,
    maxOutputTokens: settings.agent.max_output_tokens[agent.callType],
    compression: { at, atTokens, keep },
    attribution: { ...scope, phase: PHASE, agent: agent.name, callType: agent.callType },
    context: contextOf(open, { artefacts: join(folder, "outputs"), handOver: join(handOver, `${name}.md`) }),
    transcript: join(folder, `${name}.jsonl`),
    resume: false,
  };
  const agentDeps: AgentDeps = {
    model: deps.model(settings),
    registry: deps.registry,
    clock,
    texts: { ...readNotices(skills.prompt("notices", {})), compress: skills.prompt("compress", {}) },
    budget: { reached: (purpose) => (budget.reached(purpose) === null ? null : "The budget is used up.") },
    onEvent: () => {},
  };
  return { spec, agentDeps };
}

/** The checkout to look at, and nothing besides. */
function contextOf(
  { workspace: { files, box }, code }: VisitedService,
  folders: Pick<ToolContext, "artefacts" | "handOver">,
): ToolContext {
  return {
    files,
    box,
    ...folders,
    seen: createSeenFiles(),
    problemOf: (path, signal) => syntaxProblemOf({ files, box, path }, signal),
    map: freshMap(code),
    history: null,
    showTodo: () => {},
    askPerson: null,
  };
}
