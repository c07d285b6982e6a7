import type { z } from "zod";
import type { AgentEnd } from "../agent/index.js";
import type { WorkKind } from "../skills/index.js";
import { budgetOf } from "./budget.js";
import { freshMap, isBook } from "./code.js";
import type { Place, ShownCode } from "./job.js";
import { runJob } from "./run-job.js";
import type { Site } from "./site.js";
import type { Run } from "./types.js";

/** One call of an agent by a phase. */
export interface AgentCall<Output> {
  agent: string;
  phase: string;
  /** Task id, or the phase's name where there is no task. */
  task: string;
  /** What kind of work it is, where the steps differ by it. */
  kind?: WorkKind;
  /** Skills that stand in its instructions in place of its own: `{"req-create": "req-change"}`. */
  instead?: Readonly<Record<string, string>>;
  /** The first message, ready filled. */
  text: string;
  /** The code that the message holds. */
  code?: ShownCode;
  output: z.ZodType<Output>;
  /** The repository that it works in: the requirement's own, if nothing else is said. */
  site?: Site;
  /** The copy of its checkout that it works in; without one, the checkout itself. */
  place?: Place;
}

/** Runs one agent for a phase; only its validated output comes back. */
export async function callAgent<Output>(
  run: Run,
  call: AgentCall<Output>,
  signal: AbortSignal,
): Promise<AgentEnd<Output>> {
  const agent = run.skills.agent(call.agent);
  const site = call.site ?? run;
  const job = {
    ...call,
    agent,
    path: agent.name,
    kind: call.kind ?? null,
    loads: agent.skills.map((name) => call.instead?.[name] ?? name),
    code: call.code ?? null,
    place: call.place ?? { ...site.workspace, site, map: freshMap(site.code) },
    budget: budgetOf(run, call.task),
    isSubagent: false,
  };
  const end = await runJob(run, job, signal);
  run.board.todo = [];
  if (end.output) run.said.push(JSON.stringify(end.output));
  // What was done in a copy is there once it is merged.
  if (agent.writes && !call.place && site.failures.isOpen()) {
    const changes = await site.workspace.changes();
    noteWork(
      site,
      end,
      changes.map(({ path }) => path).filter((path) => !isBook(path)),
    );
  }
  // Why a run was stopped is the run's to say, not the agent's failure.
  if (end.reason === "ABORTED") signal.throwIfAborted();
  return end;
}

/** Tells those who watch failures what an agent did about them. */
export function noteWork(
  { failures }: Pick<Site, "failures">,
  end: AgentEnd<unknown>,
  paths: readonly string[],
): void {
  if (failures.isOpen()) failures.worked(summaryOf(end), paths);
}

/** What an agent says that it did. */
function summaryOf({ output, message }: AgentEnd<unknown>): string {
  const { summary } = (output ?? {}) as { summary?: unknown };
  return typeof summary === "string" ? summary : message || "it gave no report";
}
