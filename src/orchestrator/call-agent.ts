import { join } from "node:path";
import type { z } from "zod";
import { type AgentEnd, readNotices, runAgent } from "../agent/index.js";
import type { AgentDefinition } from "../skills/index.js";
import { showActivity } from "./board.js";
import { runFolder } from "./resources.js";
import type { Run } from "./types.js";

/** One call of a subagent. */
export interface AgentCall<Output> {
  agent: string;
  phase: string;
  /** Task id, or the phase's name where there is no task. */
  task: string;
  /** The first message, ready filled. */
  text: string;
  output: z.ZodType<Output>;
}

const LANGUAGE_NAMES = { en: "English", zh: "Chinese (简体中文)" };

/** System prompt of an agent: the same bytes for every call of it within a run, so that the provider's cache holds. */
function systemPrompt(run: Run, agent: AgentDefinition): string {
  const { skills } = run.deps;
  const instructions = run.knowledge.get("AGENTS.md");
  return [
    skills.prompt("preamble", {}),
    skills.prompt("mandates", {}),
    ...(instructions ? [skills.prompt("repository", { instructions })] : []),
    skills.fill(
      agent,
      agent.prompt.includes("{{language}}") ? { language: LANGUAGE_NAMES[run.language] } : {},
    ),
  ].join("\n\n");
}

function limitsOf(run: Run, agent: AgentDefinition): { maxTurns: number; maxMs: number } {
  const { executor, max_turns, max_minutes } = run.settings.agent;
  const isExecutor = agent.name === "implementation-executor";
  const maxTurns = isExecutor ? executor.max_turns : Math.min(agent.maxTurns, max_turns);
  const minutes = isExecutor ? executor.max_minutes : Math.min(agent.maxMinutes, max_minutes);
  return { maxTurns, maxMs: minutes * 60_000 };
}

/** Reason to stop before the next model call, when the requirement's budget is used up; else null. */
export function budgetReached(run: Run): string | null {
  const limit = run.settings.budget.requirement.usd;
  const spent = run.deps.ledger.spentNanoUsd({
    requirement: run.requirement,
    repository: run.ask.repository,
  });
  return spent >= limit * 1e9 ? `the budget of $${limit.toFixed(2)} for ${run.requirement} is used up` : null;
}

/** Runs one subagent with its own history, tools and limits; only its validated output comes back. */
export async function callAgent<Output>(
  run: Run,
  call: AgentCall<Output>,
  signal: AbortSignal,
): Promise<AgentEnd<Output>> {
  const { skills } = run.deps;
  const agent = skills.agent(call.agent);
  const folder = await runFolder(run.deps, run.id);
  const { at, at_tokens: atTokens, keep } = run.settings.agent.compression;
  const end = await runAgent(
    {
      tier: agent.tier,
      system: systemPrompt(run, agent),
      task: call.text,
      output: call.output,
      tools: agent.tools,
      isSubagent: false,
      ...limitsOf(run, agent),
      maxOutputTokens: run.settings.agent.max_output_tokens[agent.callType],
      compression: { at, atTokens, keep },
      attribution: { ...run.attribution(call.phase, call.task, agent.name), callType: agent.callType },
      context: {
        files: run.workspace.files,
        box: run.workspace.box,
        artefacts: join(folder, "outputs"),
        handOver: join(folder, `${call.phase}-${call.task}-${agent.name}.md`),
        problemOf: () => Promise.resolve(null),
        showTodo: () => {},
        askPerson: null,
      },
      transcript: join(folder, `${call.phase}-${call.task}-${agent.name}.jsonl`),
      resume: false,
    },
    {
      model: run.deps.model(run.settings),
      registry: run.deps.registry,
      clock: run.deps.clock,
      onEvent: (event) => showActivity(run, agent.name, event),
      texts: { ...readNotices(skills.prompt("notices", {})), compress: skills.prompt("compress", {}) },
      budget: { reached: () => budgetReached(run) },
    },
    signal,
  );
  // Why a run was stopped is the run's to say, not the agent's failure.
  if (end.reason === "ABORTED") signal.throwIfAborted();
  return end;
}
