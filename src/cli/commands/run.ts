import { formatTokens, formatUsd } from "../../ledger/index.js";
import type { Bill } from "../../ledger/index.js";
import type { Ask, Engine, RunEnd } from "../../orchestrator/index.js";
import { AccrueError, type Clock, createUlids } from "../../shared/index.js";
import { EXIT } from "../output.js";
import type { CommandEnd } from "../program.js";

/** What `accrue run` works with: the engine of this repository and its ledger. */
export interface RunCommandDeps {
  engine: Engine;
  ask: Ask;
  requirement: string;
  /** What it may cost from now on, in a person's words; null leaves that as it is. */
  budget: string | null;
  bill(requirement: string): Bill;
  clock: Clock;
}

/** Does a requirement in a person's own repository, ending in a branch; the checkout, index and stash stay as they are. */
export async function runCommand(deps: RunCommandDeps, signal: AbortSignal): Promise<CommandEnd> {
  const { ask, engine, clock, requirement, budget } = deps;
  if (budget !== null) await engine.setBudget(ask, { requirement, text: worded(budget) }, signal);
  const end = await engine.run({ ask, run: createUlids(clock)(), requirement }, signal);
  const bill = deps.bill(requirement);
  const { requirement: id, run, branch, outcome, tasks } = end;
  return {
    json: { requirement: id, run, branch, outcome, tasks, bill },
    text: textOf(end, bill, ask),
    status: statusOf(end),
  };
}

/** An empty amount would mean "as much again", which only a button means. */
function worded(budget: string): string {
  if (budget.trim()) return budget.trim();
  throw new AccrueError("INPUT_INVALID", "--budget is empty: write an amount, such as '$5' or 50k.");
}

function statusOf(end: RunEnd): number {
  if (end.state === "paused") return EXIT.paused;
  return end.state === "finished" && end.outcome !== "failed" ? EXIT.done : EXIT.failed;
}

function textOf(end: RunEnd, bill: Bill, ask: Ask): string {
  const { totals } = bill;
  const tokens = totals.input + totals.cacheRead + totals.cacheWrite + totals.output;
  const lines = [
    `${formatUsd(totals.costNanoUsd)} · ${formatTokens(tokens)} tokens in ${totals.calls} model calls`,
  ];
  if (end.branch && end.state === "finished") {
    lines.push(`Look:  git diff ${ask.defaultBranch}...${end.branch}`, `Take:  git merge ${end.branch}`);
  } else if (end.branch) {
    lines.push(`Go on: accrue run ${end.requirement}`);
  }
  return lines.map((line) => `  ${line}`).join("\n");
}
