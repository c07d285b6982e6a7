import type { Files } from "../workspace/index.js";
import { GRAMMAR_CHECK } from "./parse-errors.js";
import type { ChangeKnowledge, Check, Failure } from "./types.js";

/** What Node says of markup in a script, which the tools of many projects take. */
const MARKUP = /Unexpected token '<'/;

/**
 * Takes out of the syntax checks what is not the change's fault: files that could not be parsed on the base either, and scripts
 * that Node alone cannot read.
 */
export async function forgiveOld(
  check: Check,
  { files, known }: { files: Files; known: ChangeKnowledge },
): Promise<Check> {
  // The check by the grammars has looked at the base itself.
  if (check.outcome !== "failed" || check.name === GRAMMAR_CHECK) return check;
  const kept: Failure[] = [];
  for (const failure of check.failures) {
    const text = failure.path === null ? null : await files.read(failure.path);
    if (text === null || !(await isForgiven(failure, text.toString("utf8"), known))) kept.push(failure);
  }
  const forgiven = check.failures.length - kept.length;
  if (forgiven === 0) return check;
  const rest = { ...check, failures: kept, failed: kept.length };
  const said = `${forgiven} cannot be parsed here, on the base or by Node alone.`;
  if (kept.length > 0) return { ...rest, reason: `${check.reason} ${said}` };
  return { ...rest, outcome: check.passed === 0 ? "not-run" : "passed", reason: said, output: "" };
}

async function isForgiven(
  { path, title, message }: Failure,
  text: string,
  { source, before }: ChangeKnowledge,
): Promise<boolean> {
  if (path === null) return false;
  const old = await before(path);
  if (title === "JSON") return old !== null && !isJson(old);
  const now = await source.errors(path, text);
  if (now === null) return false;
  if (MARKUP.test(message) && now.length === 0) return true;
  const former = old === null ? [] : ((await source.errors(path, old)) ?? []);
  return former.length > 0 && now.length <= former.length;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
