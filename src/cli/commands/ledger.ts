import { type GroupBy, type Ledger, formatTokens, formatUsd } from "../../ledger/index.js";
import { EXIT } from "../output.js";
import { GROUPINGS, type CommandEnd } from "../program.js";

/** Prints where the tokens went, grouped. */
export function ledgerCommand(
  ledger: Ledger,
  input: { by: string; requirement: string | null; task: string | null },
): CommandEnd {
  const by = GROUPINGS.find((group): group is GroupBy => group === input.by) ?? "phase";
  const { requirement, task } = input;
  const report = ledger.report({ by, ...(requirement ? { requirement } : {}), ...(task ? { task } : {}) });
  const rows = [...report.groups, { ...report.totals, key: "sum" }].map((group) => [
    group.key,
    String(group.calls),
    formatTokens(group.input + group.cacheRead + group.cacheWrite),
    formatTokens(group.cacheRead),
    formatTokens(group.output),
    formatUsd(group.costNanoUsd),
  ]);
  const anomalies = report.anomalies.map(({ name, message }) => `⚠ ${name}: ${message}`);
  return {
    json: report,
    text: [table([[by, "calls", "input", "cached", "output", "cost"], ...rows]), ...anomalies].join("\n"),
    status: EXIT.done,
  };
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
