import type { Outcome } from "../shared/index.js";
import type { Check, Failure, Validation } from "../validator/index.js";
import { type Site, fullName } from "./site.js";

/** A repository whose checks were run, and whether the requirement changes code in it. */
export interface CheckedSite {
  site: Pick<Site, "service" | "repository" | "checked">;
  isTouched: boolean;
}

/**
 * What the checks of all repositories say together: failed where one fails, passed only where no repository that was changed has no
 * checks that ran. The first is the requirement's own; what was found in another says so and names no line of this one.
 */
export function joinChecked(sites: readonly CheckedSite[]): Validation {
  const all = sites.flatMap(({ site, isTouched }) =>
    site.checked ? [{ ...site, checked: site.checked, isTouched }] : [],
  );
  const [home] = all;
  if (!home) return { outcome: "not-run", reason: "nothing was checked", checks: [], known: [] };
  if (all.length === 1) return home.checked;
  const named = all.filter(({ isTouched, checked }) => isTouched || checked.outcome === "failed");
  if (named.length === 0) return home.checked;
  return {
    outcome: outcomeOf(named.map(({ checked }) => checked.outcome)),
    reason: named.map(({ repository, checked }) => `${fullName(repository)}: ${checked.reason}`).join("; "),
    checks: all.flatMap(({ service, checked }) => checked.checks.map((check) => checkOf(service, check))),
    known: all.flatMap(({ service, checked }) => checked.known.map((failure) => failureOf(service, failure))),
  };
}

function outcomeOf(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.includes("failed")) return "failed";
  return outcomes.includes("not-run") ? "not-run" : "passed";
}

function checkOf(service: string, check: Check): Check {
  if (service === "") return check;
  const failures = check.failures.map((failure) => failureOf(service, failure));
  return { ...check, name: `${service}: ${check.name}`, failures };
}

function failureOf(service: string, failure: Failure): Failure {
  if (service === "" || failure.path === null) return failure;
  const place = failure.line === null ? failure.path : `${failure.path}:${failure.line}`;
  return { ...failure, title: `${service} ${place} ${failure.title}`, path: null, line: null };
}
