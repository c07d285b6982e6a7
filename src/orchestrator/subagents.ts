import { z } from "zod";
import { type AgentEnd, agentTool } from "../agent/index.js";
import type { AgentDefinition } from "../skills/index.js";
import type { Tool } from "../tools/index.js";
import { forkMap } from "./code.js";
import { countUse } from "./count-use.js";
import type { Job, Place, RunJob } from "./job.js";
import type { Run } from "./types.js";

/** Of what is left of its caller's budget. */
const SHARE = 0.5;
/** A subagent ends by itself; this is only for one that does not. */
const MARGIN_MS = 2 * 60_000;

const Task = z.strictObject({
  task: z.string().min(1).describe("What to do, with all that it needs to know"),
});
const Result = z.strictObject({ result: z.string().min(1) });

/** The agents that an agent may call as tools: each call has its own history, a share of the budget, and a copy of the checkout if it writes. */
export function subagentTools(run: Run, caller: Job<unknown>, runJob: RunJob): Tool[] {
  return caller.agent.subagents.map((name) => {
    const agent = run.skills.agent(name);
    let calls = 0;
    return agentTool({
      name,
      description: agent.description,
      input: agent.input instanceof z.ZodObject ? agent.input : Task,
      writes: agent.writes,
      timeoutMs: agent.maxMinutes * 60_000 + MARGIN_MS,
      call: (input, _context, signal) => {
        calls += 1;
        return callSubagent(run, { caller, agent, input, number: calls, runJob }, signal);
      },
    });
  });
}

interface SubagentCall {
  caller: Job<unknown>;
  agent: AgentDefinition;
  input: Record<string, unknown>;
  number: number;
  runJob: RunJob;
}

async function callSubagent(
  run: Run,
  { caller, agent, input, number, runJob }: SubagentCall,
  signal: AbortSignal,
): Promise<AgentEnd<unknown>> {
  const path = `${caller.path}/${agent.name}#${number}`;
  countUse(run, { kind: "agent", id: agent.name, how: "fired" });
  const job = (place: Place): Job<unknown> => ({
    ...caller,
    agent,
    path,
    loads: agent.skills,
    place,
    text: textOf(input),
    output: agent.output ?? Result,
    budget: caller.budget.slice(SHARE, path),
    code: null,
    isSubagent: true,
  });
  if (!agent.writes) return runJob(run, job(caller.place), signal);

  const fork = await caller.place.fork(`${caller.task}-${agent.name}-${number}`.toLowerCase(), signal);
  const code = forkMap(run.deps, caller.place.site, fork);
  try {
    const end = await runJob(run, job({ ...caller.place, ...fork, map: code.map }), signal);
    if (end.reason !== "GOAL") return end;
    const adopted = await (await fork.seal()).adopt();
    return adopted.kind === "adopted" ? end : { ...end, reason: "ERROR", message: adopted.message };
  } finally {
    await code.close();
    await fork.close();
  }
}

/** One field is a sentence; several are named. */
function textOf(input: Record<string, unknown>): string {
  const fields = Object.entries(input).map(([name, value]) => ({
    name,
    text: typeof value === "string" ? value : JSON.stringify(value),
  }));
  const [only] = fields;
  if (only && fields.length === 1) return only.text;
  return fields.map(({ name, text }) => `<${name}>\n${text}\n</${name}>`).join("\n\n");
}
