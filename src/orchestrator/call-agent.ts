import { join } from "node:path";
import type { z } from "zod";
import { type AgentEnd, runAgent } from "../agent/index.js";
import type { AgentDefinition, WorkKind } from "../skills/index.js";
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
  /** Left out where an agent does one kind of work only. */
  kind?: WorkKind;
}

/** Share of the model's window that the list of skills may take. */
const SKILLS_SHARE = 0.01;
/** Tokens to count with where the model's window is not known. */
const USUAL_WINDOW = 128_000;

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
  const agent = run.deps.skills.agent(call.agent);
  const folder = await runFolder(run.deps, run.id);
  const model = run.deps.model(run.settings);
  const window = model.window(agent.tier)?.context ?? USUAL_WINDOW;
  const end = await runAgent(
    {
      tier: agent.tier,
      system: run.deps.skills.systemPrompt(agent, {
        tools: run.deps.registry
          .filter(agent.tools)
          .specs()
          .map(({ name }) => name),
        instructions: run.knowledge.get("AGENTS.md") ?? "",
        language: run.language,
        kind: call.kind ?? null,
        skillTokens: Math.floor(window * SKILLS_SHARE),
      }),
      task: call.text,
      output: call.output,
      tools: agent.tools,
      ...limitsOf(run, agent),
      maxOutputTokens: run.settings.agent.max_output_tokens[agent.callType],
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
    },
    {
      model,
      registry: run.deps.registry,
      clock: run.deps.clock,
      onEvent: (event) => showActivity(run, agent.name, event),
      limit: () => budgetReached(run),
    },
    signal,
  );
  // Why a run was stopped is the run's to say, not the agent's failure.
  if (end.reason === "ABORTED") signal.throwIfAborted();
  return end;
}
