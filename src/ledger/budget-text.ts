import type { Language, RepositoryRef } from "../shared/index.js";
import { formatTokens, formatUsd, NANO_PER_USD } from "./format.js";
import type { BudgetStop } from "./budget-types.js";

/** Whom a sentence about a budget is for. */
export interface BudgetView {
  language: Language;
  repository: RepositoryRef;
  requirement: string;
  /** How people call the bot in a comment; null on a command line. */
  mention: string | null;
}

/** How much more is proposed when a budget is used up. */
const PROPOSED_TIMES = 1.5;
const THOUSAND = 1000;

/** What people read when a limit is reached or nearly so: what is used, of what, and what to do. */
export function budgetText(stop: BudgetStop, view: BudgetView): string {
  return view.language === "zh" ? chinese(stop, view) : english(stop, view);
}

function english(stop: BudgetStop, view: BudgetView): string {
  const { requirement, repository, mention } = view;
  const { spent, of, kept, percent } = amounts(stop);
  const name = {
    task: `The budget of task ${stop.subject} of ${requirement}`,
    requirement: `The budget of ${requirement}`,
    day: `The budget of ${repository.owner}/${repository.name} for ${stop.subject} (UTC)`,
    agent: `The share of ${stop.subject} in the budget of ${requirement}`,
  }[stop.limit];
  const state = percent === null ? "is used up" : `is ${percent} % used`;
  const reserve = stop.kept > 0 ? `, ${kept} of it kept for validation and the final answer` : "";
  const again = mention === null ? `run \`accrue run ${requirement}\`` : `reply \`${mention} retry\``;
  const raise = `raise \`budget.${stop.limit}\` in \`.github/agent.yml\``;
  const cure = {
    task: `To give it as much again, ${again}; for good, ${raise}.`,
    requirement:
      mention === null
        ? `To raise it, run \`accrue run --budget '${proposed(stop)}' ${requirement}\`.`
        : `To raise it, reply \`${mention} budget ${proposed(stop)}\`.`,
    day: `To go on, ${again} tomorrow, or ${raise}.`,
    agent: "",
  }[stop.limit];
  return `${name} ${state}: ${spent} of ${of}${reserve}. ${cure}`.trim();
}

function chinese(stop: BudgetStop, view: BudgetView): string {
  const { requirement, repository, mention } = view;
  const { spent, of, kept, percent } = amounts(stop);
  const name = {
    task: `${requirement} 中任务 ${stop.subject} 的预算`,
    requirement: `${requirement} 的预算`,
    day: `${repository.owner}/${repository.name} 在 ${stop.subject}（UTC）的预算`,
    agent: `${stop.subject} 在 ${requirement} 预算中的份额`,
  }[stop.limit];
  const state = percent === null ? "已用完" : `已用 ${percent} %`;
  const reserve = stop.kept > 0 ? `，其中 ${kept} 留给验证和最后的答复` : "";
  const again = mention === null ? `运行 \`accrue run ${requirement}\`` : `回复 \`${mention} retry\``;
  const raise = `在 \`.github/agent.yml\` 中调高 \`budget.${stop.limit}\``;
  const cure = {
    task: `${again} 再给它同样多的预算；要长期提高，请${raise}。`,
    requirement:
      mention === null
        ? `运行 \`accrue run --budget '${proposed(stop)}' ${requirement}\` 提高预算。`
        : `回复 \`${mention} budget ${proposed(stop)}\` 提高预算。`,
    day: `要继续，请明天${again}，或${raise}。`,
    agent: "",
  }[stop.limit];
  return `${name}${state}：${spent} / ${of}${reserve}。${cure}`;
}

/** The numbers as people read them; `percent` of what work may use, null when that is used up. */
function amounts({ unit, spent, of, kept }: BudgetStop): {
  spent: string;
  of: string;
  kept: string;
  percent: number | null;
} {
  const free = of - kept;
  const percent = spent >= free ? null : Math.floor((100 * spent) / free);
  const print = (amount: number) =>
    unit === "usd" ? formatUsd(amount * NANO_PER_USD) : formatTokens(amount);
  const name = unit === "usd" ? "" : " weighted tokens";
  return { spent: print(spent), of: `${print(of)}${name}`, kept: print(kept), percent };
}

/** As it is typed. */
function proposed({ unit, spent, of }: BudgetStop): string {
  const more = Math.max(spent, of) * PROPOSED_TIMES;
  return unit === "usd" ? `$${Math.ceil(more)}` : `${Math.ceil(more / THOUSAND)}k`;
}
