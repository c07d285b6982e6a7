import type { Validation } from "../validator/index.js";
import type { Evidence, Run } from "./types.js";

/**
 * What was observed for each acceptance criterion: a test that an executor named counts only if its file exists, holds that
 * name, and the tests ran. Everything else is `not-run`, which people see as not verified.
 */
export async function collectEvidence(run: Run, validation: Validation): Promise<Evidence[]> {
  const tests = validation.checks.filter(({ kind }) => kind === "tests");
  const ran = tests.some(({ outcome }) => outcome !== "not-run");
  const failing = new Set(tests.flatMap(({ failures }) => failures.map(({ title }) => title)));
  const claims = run.tasks.flatMap(({ evidence }) => evidence);
  const found: Evidence[] = [];
  for (const { id, text } of run.draft?.criteria ?? []) {
    const place = await firstPlace(
      run,
      claims.filter(({ criterion }) => criterion === id),
    );
    if (!place || !ran) {
      found.push({ id, text, outcome: "not-run", evidence: ran ? "no test shows it" : "no test ran" });
    } else {
      const outcome =
        failing.has(place.test) || (validation.outcome === "failed" && failing.size === 0)
          ? "failed"
          : "passed";
      found.push({ id, text, outcome, evidence: `${place.path}:${place.line}` });
    }
  }
  return found;
}

async function firstPlace(
  run: Run,
  claims: readonly { path: string; test: string }[],
): Promise<{ path: string; line: number; test: string } | null> {
  for (const { path, test } of claims) {
    const content = await run.workspace.files.read(path);
    const line =
      content
        ?.toString("utf8")
        .split("\n")
        .findIndex((text) => text.includes(test)) ?? -1;
    if (line >= 0) return { path, line: line + 1, test };
  }
  return null;
}
