import type { Check, Failure } from "../../validator/index.js";

/** What was observed of a test or rule that somebody asked for. */
export type Verdict =
  /** It fails on the bad code for a real reason, and passes on the branch. */
  | "proved"
  /** It fails for a real reason, and nothing in the pull request makes it pass. */
  | "open"
  | "nothing-written"
  /** Files were changed that are none of its business. */
  | "not-only"
  | "not-run"
  /** It does not fail where it has to. */
  | "passes"
  /** It fails where it has to, but only because it cannot run there. */
  | "unreal"
  /** It fails on the branch too. */
  | "fails";

/** A verdict with what it rests on. */
export interface Judged {
  verdict: Verdict;
  /** What fails on the bad code. */
  failing: Failure[];
  /** One line of what was observed, where the verdict alone does not say it. */
  detail: string;
}

/** The same checks in three places. */
export interface Observed {
  /** On the bad code, without what was written: what fails there anyway. */
  before: readonly Check[];
  /** On the bad code; null where the pull request changes nothing that could be bad. */
  bad: readonly Check[] | null;
  /** On the branch. */
  good: readonly Check[];
}

/** One place where it was run, as people see it. */
export interface Sight {
  sha: string;
  command: string;
  exitCode: number | null;
  /** The failing line, or what passed. */
  line: string;
}

/** What came of a small request. */
export interface Proved extends Judged {
  /** Files that were written. */
  paths: string[];
  bad: Sight | null;
  good: Sight | null;
}

/** How runners say that a test could not be run, which says nothing about the code. */
const NOT_REAL =
  /Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|does not provide an export|has no exported member|ModuleNotFoundError|ImportError|cannot import name|SyntaxError|IndentationError|Failed to (?:load|resolve|parse|collect)|No test suite found|__vi_import_\d+__\.\w+\) is not a function|is not defined|NameError|module '[^']*' has no attribute|undefined: |cannot find (?:symbol|package|crate|function|value|type)|unresolved import|\[(?:build|setup) failed\]|COMPILATION ERROR|fixture '[^']*' not found|command not found|ENOENT|Oops! Something went wrong|Definition for rule .* not found|[Ii]nvalid configuration/;
/** How they say that something was asserted and does not hold, whatever else the message quotes. */
const ASSERTED =
  /AssertionError|ERR_ASSERTION|unwanted exception|^expected\b|strictly equal|\bto (?:be|equal|throw|match|contain|have)\b/i;
/** What stands in for a test's name where a compiler speaks. */
const NO_TEST = /^(?:build|error|E\d{4}|TS\d+)$/;
const TELLS = /error|expected|assert|not ok|fail|cannot|undefined|错误|失败/i;

/** Decides from what ran in each place whether it is proved. `find` picks out of a check what speaks of the code in question. */
export function judge(observed: Observed, find: (check: Check) => Failure[]): Judged {
  const { before, bad, good } = observed;
  const place = bad ?? good;
  const known = new Set(before.flatMap(find).map(keyOf));
  const fresh = place.flatMap(find).filter((failure) => !known.has(keyOf(failure)));
  const failing = fresh.filter(isReal);
  if (failing.length === 0) return { failing, ...unshown(place, { fresh, before }) };
  if (bad === null) return { verdict: "open", failing, detail: "" };
  const still = failing.find((failure) => !passesIn(good, failure, find));
  if (still === undefined) return { verdict: "proved", failing, detail: "" };
  const again = good.flatMap(find).find((failure) => keyOf(failure) === keyOf(still) || isWhole(failure));
  return { verdict: "fails", failing, detail: again ? lineOf(again) : tellingLine(good) };
}

/** A failure on one line, with its place. */
export function lineOf({ path, line, title, message }: Failure): string {
  const place = path === null ? "" : `${path}${line === null ? "" : `:${line}`} `;
  const said = message.replace(/\s*\n\s*/g, " ").trim();
  return `${place}${title}${said === "" ? "" : `: ${said}`}`;
}

/** Why nothing was shown on the bad code. */
function unshown(
  place: readonly Check[],
  { fresh, before }: { fresh: readonly Failure[]; before: readonly Check[] },
): Omit<Judged, "failing"> {
  const [first] = fresh;
  const isKnown = ({ name }: Check) =>
    before.some((check) => check.name === name && check.outcome === "failed");
  const broken = place.filter((check) => check.outcome === "failed" && check.failures.length === 0);
  if (first) return { verdict: "unreal", detail: isWhole(first) ? tellingLine(place) : lineOf(first) };
  if (broken.some((check) => !isKnown(check))) return { verdict: "unreal", detail: tellingLine(broken) };
  const idle = place.find(({ outcome }) => outcome === "not-run");
  if (place.length === 0 || (idle && place.every(({ outcome }) => outcome === "not-run")))
    return { verdict: "not-run", detail: idle?.reason ?? "" };
  return { verdict: "passes", detail: "" };
}

function isReal(failure: Failure): boolean {
  const { title, message } = failure;
  if (isWhole(failure) || NO_TEST.test(title)) return false;
  return ASSERTED.test(message) || !NOT_REAL.test(message);
}

/** A whole file that could not be run. */
function isWhole({ title, path }: Failure): boolean {
  return path !== null && (title === path || title.endsWith(`/${path}`));
}

function passesIn(good: readonly Check[], failure: Failure, find: (check: Check) => Failure[]): boolean {
  const left = good.flatMap(find);
  if (left.some((one) => keyOf(one) === keyOf(failure) || (isWhole(one) && one.path === failure.path)))
    return false;
  return good.some(({ ran, outcome, failures }) =>
    ran ? ran.some((name) => isSame(name, failure.title)) : outcome === "passed" || failures.length > 0,
  );
}

function isSame(name: string, title: string): boolean {
  return name === title || name.endsWith(title) || title.endsWith(name);
}

/** Lines of a linter move with the code, so they do not tell one finding from another. */
function keyOf({ path, title }: Failure): string {
  return JSON.stringify([path, title]);
}

/** The line of an output that says most. */
function tellingLine(checks: readonly Check[]): string {
  const lines = checks.flatMap(({ output }) => output.split("\n").map((line) => line.trim()));
  return (
    lines.find((line) => NOT_REAL.test(line)) ??
    lines.find((line) => TELLS.test(line)) ??
    checks[0]?.reason ??
    ""
  );
}
