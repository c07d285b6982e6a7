import { type Language, inertLine } from "../shared/index.js";
import { moneyColumn, tokenColumn } from "./columns.js";
import { formatTokens, formatUsd, NANO_PER_USD } from "./format.js";
import { type BillWords, billWords } from "./words.js";
import type { Bill, Group, Totals } from "./types.js";

/** What goes into a bill besides the ledger's own numbers. */
export interface BillView {
  language: Language;
  /** Null: no limit. */
  budgetUsd: number | null;
  /** Earlier requirements of the same kind, oldest first, without this one. */
  similar: readonly { requirement: string; usd: number }[];
  links: { requirement: string | null; trace: string | null };
}

const MAX_BARS = 10;
const MAX_DETAIL_ROWS = 30;
/** Below this many tokens, tenths of thousands are shown, so that a small bill is not a table of zeros. */
const SMALL_BILL_TOKENS = 10_000;

/** The bill as a comment: what it cost, by phase with a sum that adds up, beside similar requirements, with details folded. */
export function renderBill(bill: Bill, view: BillView): string {
  const words = billWords(view.language);
  const { totals } = bill;
  const rows: Group[] = [...bill.phases];
  if (bill.wasted) rows.push({ key: words.wasted(bill.wasted.calls), ...bill.wasted });
  const parts = [headline(bill, view, words)];
  if (totals.unpricedCalls > 0) parts.push(words.unpriced(totals.unpricedCalls));
  if (totals.estimatedCalls > 0)
    parts.push(words.estimated(totals.estimatedCalls, formatUsd(totals.estimatedNanoUsd)));
  if (totals.calls > 0) parts.push(table(words.phase, rows, words));
  if (view.similar.length > 0) parts.push(chart(bill, view, words));
  if (totals.calls > 0) parts.push(details(bill, words));
  if (view.links.trace) parts.push(`<sub>[${words.trace}](${view.links.trace})</sub>`);
  return parts.join("\n\n");
}

function headline(bill: Bill, view: BillView, words: BillWords): string {
  const { totals } = bill;
  const name = view.links.requirement ? `[${bill.requirement}](${view.links.requirement})` : bill.requirement;
  const parts = [words.cost(formatUsd(totals.costNanoUsd), name)];
  if (totals.calls === 0) return [...parts, words.noCalls].join(" · ");
  const input = inputOf(totals);
  parts.push(words.tokens(formatTokens(input + totals.output), percent(totals.cacheRead, input)));
  if (view.budgetUsd !== null) parts.push(words.budget(formatUsd(view.budgetUsd * NANO_PER_USD)));
  const [first] = view.similar;
  if (first && first.usd > 0) {
    const share = percent(totals.costNanoUsd / NANO_PER_USD, first.usd);
    parts.push(words.comparison(view.similar.length + 1, share));
  }
  return parts.join(" · ");
}

function table(title: string, rows: readonly Group[], words: BillWords): string {
  const total = rows.reduce((sum, row) => sum + inputOf(row) + row.output, 0);
  const unit = total < SMALL_BILL_TOKENS ? 100 : 1000;
  const calls = rows.map((row) => row.calls);
  const columns = [
    [...calls, calls.reduce((sum, n) => sum + n, 0)].map(String),
    tokenColumn(rows.map(inputOf), unit),
    tokenColumn(
      rows.map((row) => row.cacheRead),
      unit,
    ),
    tokenColumn(
      rows.map((row) => row.output),
      unit,
    ),
    moneyColumn(rows.map((row) => row.costNanoUsd)),
  ];
  const lines = rows.map((row, index) =>
    line([cell(row.key), ...columns.map((column) => column[index] ?? "")]),
  );
  const sum = line([words.sum, ...columns.map((column) => column.at(-1) ?? "")].map((text) => `**${text}**`));
  return [line([title, ...words.columns]), "| --- | ---: | ---: | ---: | ---: | ---: |", ...lines, sum].join(
    "\n",
  );
}

function chart(bill: Bill, view: BillView, words: BillWords): string {
  const own = { requirement: bill.requirement, usd: bill.totals.costNanoUsd / NANO_PER_USD };
  const bars = [...view.similar, own].slice(-MAX_BARS);
  const names = bars.map((bar) => `"${bar.requirement.replaceAll(/["\n]/g, "")}"`);
  return [
    "```mermaid",
    "xychart-beta",
    `  title "${words.chart}"`,
    `  x-axis [${names.join(", ")}]`,
    `  bar [${bars.map((bar) => bar.usd.toFixed(2)).join(", ")}]`,
    "```",
  ].join("\n");
}

function details(bill: Bill, words: BillWords): string {
  const waste = bill.waste.map((kind) => ({ ...kind, key: words.waste[kind.key] }));
  const tables = [
    table(words.model, bill.models, words),
    table(words.task, firstRows(bill.tasks), words),
    table(words.day, firstRows(bill.days), words),
    ...(waste.length > 0 ? [table(words.wasteKind, waste, words)] : []),
  ];
  return `<details><summary>${words.details}</summary>\n\n${tables.join("\n\n")}\n\n</details>`;
}

/** Keeps a long list readable: what does not fit is added up in one last row, so that the sum stays the sum. */
function firstRows(groups: readonly Group[]): Group[] {
  if (groups.length <= MAX_DETAIL_ROWS) return [...groups];
  const kept = groups.slice(0, MAX_DETAIL_ROWS - 1);
  const rest = groups.slice(MAX_DETAIL_ROWS - 1).reduce((sum, group) => ({
    key: "…",
    calls: sum.calls + group.calls,
    attempts: sum.attempts + group.attempts,
    input: sum.input + group.input,
    cacheRead: sum.cacheRead + group.cacheRead,
    cacheWrite: sum.cacheWrite + group.cacheWrite,
    output: sum.output + group.output,
    weightedTokens: sum.weightedTokens + group.weightedTokens,
    costNanoUsd: sum.costNanoUsd + group.costNanoUsd,
    unpricedCalls: sum.unpricedCalls + group.unpricedCalls,
    wastedCalls: sum.wastedCalls + group.wastedCalls,
    estimatedCalls: sum.estimatedCalls + group.estimatedCalls,
    estimatedNanoUsd: sum.estimatedNanoUsd + group.estimatedNanoUsd,
  }));
  return [...kept, rest];
}

/** All that went in, cached or not: what people mean by input. */
function inputOf(totals: Totals): number {
  return totals.input + totals.cacheRead + totals.cacheWrite;
}

function percent(part: number, whole: number): string {
  return `${whole > 0 ? Math.round((100 * part) / whole) : 0} %`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

// Task names come from a plan that a model wrote.
function cell(text: string): string {
  return inertLine(text).replaceAll("|", "\\|");
}
