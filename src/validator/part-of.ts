import type { Command, PartRun } from "./types.js";

/** More test files than these are no first look any more. */
const MAX_FILES = 50;
const SCRIPT_TEST =
  /[._-](test|spec)\.[cm]?[jt]sx?$|(^|\/)__tests__\/.*\.[cm]?[jt]sx?$|(^|\/)test-[^/]+\.[cm]?[jt]sx?$|(^|\/)tests?\/[^/]+\.[cm]?[jt]sx?$/;
const PYTHON_TEST = /(^|\/)(test_[^/]+|[^/]+_test)\.py$/;
const CARGO_TEST = /^tests\/([^/]+)\.rs$/;
const JAVA_TEST = /(?:^|\/)src\/test\/(?:java|kotlin|groovy)\/(.+)\.(?:java|kt|groovy)$/;

/** What one runner is given for a test file; null for a file that it does not take. */
const UNITS: Readonly<Record<PartRun["takes"], (path: string) => string | null>> = {
  "script-files": (path) => (SCRIPT_TEST.test(path) ? path : null),
  "python-files": (path) => (PYTHON_TEST.test(path) ? path : null),
  "go-packages": (path) => (path.endsWith(".go") ? folderOf(path) : null),
  "cargo-targets": (path) => CARGO_TEST.exec(path)?.[1] ?? null,
  "maven-classes": (path) => JAVA_TEST.exec(path)?.[1]?.split("/").at(-1) ?? null,
  "gradle-classes": (path) => JAVA_TEST.exec(path)?.[1]?.replaceAll("/", ".") ?? null,
};

/**
 * The command for those tests only that a change can reach; null where the runner takes no list, where nothing is reached, or where
 * that would be all of them.
 */
export function partOf(
  { part, ...command }: Command,
  { reached, paths }: { reached: readonly string[]; paths: ReadonlySet<string> },
): Command | null {
  if (!part || command.kind !== "tests") return null;
  const unitsOf = (files: Iterable<string>) => [
    ...new Set([...files].flatMap((path) => UNITS[part.takes](path) ?? [])),
  ];
  const wanted = unitsOf(reached.filter((path) => paths.has(path)));
  if (wanted.length === 0 || wanted.length > MAX_FILES || wanted.length >= unitsOf(paths).length) return null;
  return { ...command, command: `${part.start} ${argumentsOf(part, wanted, paths)}` };
}

function argumentsOf({ takes }: PartRun, units: readonly string[], paths: ReadonlySet<string>): string {
  const each = (before: string) => units.map((unit) => `${before}${quoted(unit)}`).join(" ");
  if (takes === "cargo-targets") return `${paths.has("src/lib.rs") ? "--lib " : ""}${each("--test ")}`;
  if (takes === "maven-classes") return `-Dtest=${quoted(units.join(","))}`;
  return each(takes === "gradle-classes" ? "--tests " : "");
}

/** As a Go package in this folder or below. */
function folderOf(path: string): string {
  const folder = path.split("/").slice(0, -1).join("/");
  return folder === "" ? "." : `./${folder}`;
}

/** As one word of the shell; a file whose name begins with a dash is no option. */
function quoted(word: string): string {
  const safe = word.startsWith("-") ? `./${word}` : word;
  return /^[\w./,@+-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}
