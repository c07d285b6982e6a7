import { sha256 } from "../shared/index.js";

/** What stays of an error wherever and whenever it happens. */
export interface ErrorSignature {
  /** `ERR-` and ten characters: a word that is found exactly. */
  id: string;
  /** The error without what differs from run to run. */
  text: string;
}

const MAX_OUTPUT = 20_000;
const MAX_LINE = 400;
const MAX_TEXT = 200;
const MAX_SIGNATURES = 5;
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** An error by its own name: `TypeError: …`, `error[E0382]: …`, `a.ts(3,1): error TS2322: …`, `fatal: …`. */
const NAMED_ERROR =
  /\b[A-Z][A-Za-z]*(?:Error|Exception)\b|\berror\b(?:\[\w+\]|\s+[A-Z]{2,6}\d{1,5})?\s*:|^\s*(?:E\s{2,}|fatal|panic|fatal error|undefined reference)\b|错误[:：]/;
/** What says that something failed where nothing is named. */
const FAILURE =
  /\b(?:error|failed|failure|cannot|can't|could not|unable to|not found|denied|refused|panicked)\b|失败|无法/i;
/** Lines that count or repeat failures, or say where they are, and are none themselves. */
const SUMMARY =
  /^\s*(?:#|at\s|npm ERR!|ok \d|not ok \d|\d+\s|tests?\b|suites?\b|found \d+|failed tests?\b|[-=*~^|]{3,}|(?:FAIL|FAILED|✗|✖|×)\s)|\b0 (?:errors?|failed|failures?)\b|^\s*(?:failureType|duration_ms|location|code|stack|name|type):/i;

/** Each is taken out in this order: what stands for what would differ the next time. */
const VARIABLE: readonly (readonly [RegExp, string])[] = [
  // oxlint-disable-next-line no-control-regex
  [/\u001b\[[0-?]*[ -/]*[@-~]/g, ""],
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`)\]]{1,300}/gi, "<address>"],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, "<time>"],
  [/\b\d{1,2}:\d\d:\d\d(?:\.\d{1,9})?\b/g, "<time>"],
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, "<id>"],
  [/\b0x[0-9a-f]+\b/gi, "<address>"],
  [/\b(?=[0-9a-z]{0,40}\d)(?=[0-9a-z]{0,40}[a-z])[0-9a-f]{7,64}\b/g, "<id>"],
  [/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, "<id>"],
  [/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g, "<address>"],
  [/\blocalhost:\d+/g, "<address>"],
  [/(?<![\w<])(?:[A-Za-z]:)?(?:[\w@.~+-]*[\\/])+[\w@.~+-]*(?:[:(]\d+(?:[:,]\d+)?\)?)?/g, "<path>"],
  [
    /(?<![\w./-])[\w-]+(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|cpp|cc|c|h|hpp|swift|scala|vue|json|ya?ml|toml|sql|sh|md|txt)\b(?:[:(]\d+(?:[:,]\d+)?\)?)?/g,
    "<path>",
  ],
  [/\b(?:line|column|col)\s+\d+\b/gi, "<place>"],
  [
    /\b\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|sec(?:onds?)?|min(?:utes?)?|h|[kKMG]i?B|bytes|%)(?![\w-])/g,
    "<number>",
  ],
  [/(?<![\w.#-])[-+]?\d+(?:[.,]\d+)*(?![\w-])/g, "<number>"],
];
/** An assertion says only that two values differ: which test it was is part of what failed. */
const ASSERTION = /^(?:\w*AssertionError|assert|expected|expect\()/i;
/** Some tools print the kind of an assertion before what it says, others leave it out. */
const ASSERTION_NAME = /^\w*AssertionError(?: \[\w+\])?:\s*/;

/** The signature of one error; null for a text that says nothing once all that varies is out. `of` names what failed. */
export function errorSignature(message: string, of = ""): ErrorSignature | null {
  const said = normalised(message);
  const isAssertion = ASSERTION.test(said) || !hasWords(said);
  const text = (
    isAssertion && of !== "" ? `${normalised(of)}: ${said.replace(ASSERTION_NAME, "")}` : said
  ).slice(0, MAX_TEXT);
  if (!hasWords(text)) return null;
  const digest = sha256(text.toLowerCase());
  const letters = Array.from({ length: 10 }, (_, at) =>
    DIGITS.charAt(Number.parseInt(digest.slice(at * 2, at * 2 + 2), 16) % DIGITS.length),
  );
  return { id: `ERR-${letters.join("")}`, text };
}

/** The errors of a command's output, the first ones, each once: by name where one has a name, else by what says that it failed. */
export function errorSignatures(output: string): ErrorSignature[] {
  const lines = output
    .slice(0, MAX_OUTPUT)
    .split(/\r?\n/)
    .map((line) => line.slice(0, MAX_LINE));
  const named = lines.filter((line) => NAMED_ERROR.test(line) && !SUMMARY.test(line));
  const found = named.length > 0 ? named : lines.filter((line) => FAILURE.test(line) && !SUMMARY.test(line));
  const signatures = new Map<string, ErrorSignature>();
  for (const line of found) {
    const signature = errorSignature(line);
    if (signature && signatures.size < MAX_SIGNATURES) signatures.set(signature.id, signature);
  }
  return [...signatures.values()];
}

function hasWords(text: string): boolean {
  return /\p{L}{3}/u.test(text.replace(/<\w+>/g, ""));
}

function normalised(text: string): string {
  let line = text.split("\n").find((one) => one.trim() !== "") ?? "";
  line = line.slice(0, MAX_LINE);
  for (const [pattern, word] of VARIABLE) line = line.replace(pattern, word);
  return line
    .replace(/(?:<path>[\s:,()-]*)+(?=error\b|warning\b|[A-Z]\w*(?:Error|Exception)\b)/g, "")
    .replace(/^(?:\s|[-:•>|*]|<path>|<place>|E(?=\s{2,})|[Ee]rror(?=: ))+/g, "")
    .replace(/\s+/g, " ")
    .replace(/[\s:;,.]+$/, "")
    .trim();
}
