import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type AgentDeps,
  type AgentEnd,
  type AgentEvent,
  type AgentSpec,
  answerOnce,
  readNotices,
  runAgent,
} from "../agent/index.js";
import { clipMiddle } from "../shared/index.js";
import { type Registry, type ToolContext, createSeenFiles, skillTool } from "../tools/index.js";
import { syntaxProblemOf } from "../validator/index.js";
import { show, showActivity } from "./board.js";
import { budgetSentence, warnPeople } from "./budget.js";
import { keepPack } from "./code.js";
import { countUse } from "./count-use.js";
import type { Job } from "./job.js";
import { handOverFolder, runFolder } from "./resources.js";
import { subagentTools } from "./subagents.js";
import type { Run } from "./types.js";
import { historyIn } from "./code-history.js";
import { watchBox } from "./watch-box.js";

/** The list of skills takes at most this share of the model's window. */
const SKILLS_SHARE = 0.01;
const DEFAULT_WINDOW = 100_000;
/** Of AGENTS.md: it is sent with every call. */
const MAX_INSTRUCTIONS_CHARS = 32_000;

/** Runs one agent with its own history, tools and limits; only its validated output comes back. */
export async function runJob<Output>(
  run: Run,
  job: Job<Output>,
  signal: AbortSignal,
): Promise<AgentEnd<Output>> {
  const { deps, settings, skills } = run;
  const { agent, budget } = job;
  const model = deps.model(settings);
  const { registry, allowed, offered } = toolsOf(run, job);
  const spec = await specOf(run, job, {
    allowed,
    offered,
    skillTokens: Math.floor((model.window(agent.tier)?.context ?? DEFAULT_WINDOW) * SKILLS_SHARE),
  });
  const reached = (purpose: "work" | "final") => {
    // The reserve is for our own validation: a repository's agent cannot claim it.
    const isValidation = agent.callType === "validate" && agent.origin === "shipped";
    const stop = budget.reached(isValidation ? "final" : purpose);
    if (stop === null) return null;
    // One dear call can go past the alert and the limit at once.
    warnPeople(run, budget);
    return budgetSentence(run, stop);
  };
  const agentDeps: AgentDeps = {
    model,
    registry,
    clock: deps.clock,
    texts: { ...readNotices(skills.prompt("notices", {})), compress: skills.prompt("compress", {}) },
    budget: { reached },
    onEvent: (event) => follow(run, job, event),
  };
  const work = offered.length === 0 ? answerOnce : runAgent;
  const end = await work(spec, agentDeps, signal);
  keepPack(run, job, spec.context.seen.paths());
  // Nobody goes on with what is done.
  if (end.reason === "GOAL") await rm(spec.context.handOver, { force: true });
  return end;
}

/** What an agent may use: the patterns, and the names of what there is for it. */
interface Offer {
  allowed: string[];
  offered: string[];
}

/** What the agent is offered: its own tools, the agents that it may call, and the skills there are. */
function toolsOf(run: Run, job: Job<unknown>): Offer & { registry: Registry } {
  const { agent, isSubagent } = job;
  const { skills, deps } = run;
  const agents = isSubagent ? [] : subagentTools(run, job, runJob);
  const all = [...skills.skills.values()].filter(({ origin }) => origin !== "shipped");
  const used = (id: string) => countUse(run, { kind: "skill", id, how: "activated" });
  const reader = skillTool({
    skills: all,
    load: (name) => {
      const { body, files, folder } = skills.skill(name);
      return Promise.resolve({ body, files: folder === null ? [] : files, folder: folder ?? "" });
    },
    used,
  });
  const hasSkills = all.length > 0 && agent.tools.length > 0;
  const extra = [...agents, ...(hasSkills ? [reader] : [])];
  const allowed = [...agent.tools, ...extra.map(({ name }) => name)];
  const { registry: found, writing } = run.toolbox ?? { registry: deps.registry, writing: [] };
  const registry = (agent.writes ? found : found.filter(["*"], writing)).with(...extra);
  const offered = registry.filter(allowed).specs();
  return { registry, allowed, offered: offered.map(({ name }) => name) };
}

async function specOf<Output>(
  run: Run,
  job: Job<Output>,
  { allowed, offered, skillTokens }: Offer & { skillTokens: number },
): Promise<AgentSpec<Output>> {
  const { settings, skills } = run;
  const { agent, path, phase, task } = job;
  const { at, at_tokens: atTokens, keep } = settings.agent.compression;
  const folder = await runFolder(run.deps, run.id);
  const name = `${phase}-${task}-${path.replace(/[^\w.-]+/gu, ".")}`;
  const handOver = join(await handOverFolder(run.deps, run), `${name}.md`);
  return {
    tier: agent.tier,
    system: skills.systemPrompt(agent, {
      tools: offered,
      instructions: clipMiddle(job.place.site.instructions, MAX_INSTRUCTIONS_CHARS),
      language: run.language,
      kind: job.kind,
      loads: job.loads,
      skillTokens,
    }),
    task: job.text,
    output: job.output,
    tools: allowed,
    isSubagent: job.isSubagent,
    ...limitsOf(run, job),
    maxOutputTokens: settings.agent.max_output_tokens[agent.callType],
    compression: { at, atTokens, keep },
    attribution: { ...run.attribution(phase, task, path), callType: agent.callType },
    context: contextOf(run, job, { artefacts: join(folder, "outputs"), handOver }),
    transcript: join(folder, `${name}.jsonl`),
    // What a writer did to the checkout since its last commit is gone after a crash: its history would lie.
    resume: !agent.writes,
  };
}

function limitsOf(
  { settings }: Run,
  { agent }: Job<unknown>,
): Pick<AgentSpec<unknown>, "maxTurns" | "maxMs"> {
  const { executor, max_turns, max_minutes } = settings.agent;
  const isExecutor = agent.origin === "shipped" && agent.writes;
  const maxTurns = isExecutor ? executor.max_turns : Math.min(agent.maxTurns, max_turns);
  const minutes = isExecutor ? executor.max_minutes : Math.min(agent.maxMinutes, max_minutes);
  return { maxTurns, maxMs: minutes * 60_000 };
}

function contextOf(
  run: Run,
  { place, phase, isSubagent }: Job<unknown>,
  files: Pick<ToolContext, "artefacts" | "handOver">,
): ToolContext {
  return {
    files: place.files,
    box: watchBox(place.box, place.site.failures),
    ...files,
    seen: createSeenFiles(),
    problemOf: (path, signal) => syntaxProblemOf({ files: place.files, box: place.box, path }, signal),
    map: place.map,
    // What memories say of a definition is of the requirement's own repository.
    history: place.site === run ? historyIn(run, phase) : null,
    showTodo: (todo) => {
      // The list on the board is the one of the agent that people follow.
      if (!isSubagent) void show(run, { todo });
    },
    askPerson: run.doors.askPerson,
  };
}

/** Shows what goes on, and tells people when it gets dear. */
function follow(run: Run, { path, budget }: Job<unknown>, event: AgentEvent): void {
  showActivity(run, path, event);
  if (event.type === "turn") warnPeople(run, budget);
}
