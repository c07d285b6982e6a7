import { AccrueError } from "../shared/index.js";
import type { BudgetUnit, BudgetWish } from "./budget-types.js";

const NUMBER = String.raw`\d{1,3}(?:[ ,_']\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+`;
const WISH = new RegExp(
  String.raw`^(?<more>\+)?\s*(?<before>(?:us)?\$|usd)?\s*(?<number>${NUMBER})\s*(?<scale>thousand|million|[km千万])?\s*(?<after>(?:us)?\$|usd|dollars?|美元|美金|(?:weighted\s+)?tokens?|词元)?$`,
  "iu",
);
const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  千: 1e3,
  万: 1e4,
  m: 1e6,
  million: 1e6,
};
/** What a person can have meant: less is a slip, and so is more. */
const SANE: Readonly<Record<BudgetUnit, readonly [least: number, most: number]>> = {
  usd: [0.01, 100_000],
  tokens: [1000, 10_000_000_000],
};
const HOW = "write `$5`, `$1,000.50` or `50k` (weighted tokens), or `+$5` for more than now";
const MAX_QUOTED = 60;

/** Reads the budget that a person states, in dollars or weighted tokens. Throws `INPUT_INVALID`. */
export function parseBudget(text: string): BudgetWish {
  // Full-width digits and signs are what Chinese keyboards give.
  const said = text
    .normalize("NFKC")
    .replaceAll(/[\s\u00a0\u202f]+/g, " ")
    .replace(/[\s.。!;]+$/u, "")
    .trim();
  const parts = WISH.exec(said)?.groups;
  if (!parts) throw wrong(text, "is no budget");
  const { number = "", scale = "", before, after } = parts;
  const amount = Number(number.replaceAll(/[ ,_']/g, "")) * (SCALES[scale.toLowerCase()] ?? 1);
  const unit = unitOf(before, after, text);
  if (unit === null && scale === "" && amount < 1000) throw wrong(text, "may be dollars or tokens");
  const [least, most] = SANE[unit ?? "tokens"];
  if (!(amount >= least)) throw wrong(text, "is too little to do anything with");
  if (amount > most) throw wrong(text, "is more than anybody means");
  return {
    unit: unit ?? "tokens",
    amount: unit === "usd" ? Math.round(amount * 1e6) / 1e6 : Math.round(amount),
    isMore: parts["more"] !== undefined,
  };
}

function unitOf(before: string | undefined, after: string | undefined, text: string): BudgetUnit | null {
  const isTokens = after !== undefined && /token|词元/iu.test(after);
  if (before !== undefined && isTokens) throw wrong(text, "is in dollars and in tokens");
  if (isTokens) return "tokens";
  return before === undefined && after === undefined ? null : "usd";
}

function wrong(text: string, why: string): AccrueError {
  const quoted = text.replaceAll(/\s+/g, " ").trim().slice(0, MAX_QUOTED);
  return new AccrueError("INPUT_INVALID", `"${quoted}" ${why}: ${HOW}.`);
}
