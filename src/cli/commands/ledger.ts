import {
  type EntryFilter,
  type GroupBy,
  type Ledger,
  type PackSums,
  type PhaseTokens,
  formatTokens,
  formatUsd,
} from "../../ledger/index.js";
import type { RepositoryRef } from "../../shared/index.js";
import type { BookedCosts } from "../cost-events.js";
import { EXIT } from "../output.js";
import { GROUPINGS, type ReportInput } from "../ledger-program.js";
import type { CommandEnd } from "../program.js";

/** Prints where the tokens went, grouped. */
export function ledgerCommand(
  ledger: Ledger,
  input: Pick<ReportInput, "by" | "requirement" | "task" | "since" | "until">,
): CommandEnd {
  const by = GROUPINGS.find((group): group is GroupBy => group === input.by) ?? "phase";
  const { requirement, task, since, until } = input;
  const filter: EntryFilter = {
    ...(requirement ? { requirement } : {}),
    ...(task ? { task } : {}),
    ...(since ? { since } : {}),
    ...(until ? { until } : {}),
  };
  const report = ledger.report({ by, ...filter });
  const rows = [...report.groups, { ...report.totals, key: "sum" }].map((group) => [
    group.key || "(sums from git)",
    String(group.calls),
    formatTokens(group.input + group.cacheRead + group.cacheWrite),
    formatTokens(group.cacheRead),
    formatTokens(group.output),
    formatUsd(group.costNanoUsd),
  ]);
  const unanswered = report.totals.attempts - report.totals.calls;
  const waste = report.wasted
    .filter(({ calls }) => calls > 0)
    .map(({ key, calls, costNanoUsd }) => [key, String(calls), formatUsd(costNanoUsd)]);
  const parts = [
    table([[by, "calls", "input", "cached", "output", "cost"], ...rows]),
    ...(waste.length > 0 ? [table([["for nothing", "calls", "cost"], ...waste])] : []),
    ...(unanswered > 0 ? [`  Failed before they used a token: ${unanswered} more.`] : []),
    ...(report.packs.asked > 0 ? [packsLine(report.packs)] : []),
    ...(report.packs.knowledgeTokens > 0 ? [knowledgeLine(report.knowledge)] : []),
    ...report.anomalies.map(({ name, message }) => `⚠ ${name}: ${message}`),
  ];
  return { json: report, text: parts.join("\n"), status: EXIT.done };
}

/** Takes over what git says that runs cost, for runs that the ledger does not know. */
export function ledgerRebuildCommand(
  ledger: Pick<Ledger, "import">,
  repository: RepositoryRef,
  { events, problems }: BookedCosts,
): CommandEnd {
  const { runs, entries } = ledger.import(
    events.map(({ id, req, run, at, rows }) => ({ id, repository, requirement: req, run, at, rows })),
  );
  const known = new Set(events.map(({ run }) => run)).size;
  const lines = [
    `${known} runs have costs in git; ${runs} were not in the ledger: ${entries} entries added.`,
    ...problems.map((problem) => `⚠ ${problem}`),
  ];
  return { json: { runs, entries, problems }, text: lines.join("\n"), status: EXIT.done };
}

/** How well the context packs foresaw what agents asked for. */
function packsLine({ packs, asked, askedLater }: PackSums): string {
  const share = Math.round((askedLater / asked) * 100);
  return `  Context packs: ${packs}; of ${asked} files that agents asked for, ${askedLater} (${share} %) were in none of them.`;
}

/** What knowledge took of the packs, phase by phase. */
function knowledgeLine(phases: readonly PhaseTokens[]): string {
  const parts = phases.filter(({ tokens }) => tokens > 0).map(({ phase, tokens }) => `${phase} ${tokens}`);
  return `  Knowledge shown, in tokens: ${parts.join(", ")}.`;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(
      (row) =>
        `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join("  ")}`,
    )
    .join("\n");
}
