import type { z } from "zod";
import type { ReviewOutput } from "./outputs.js";

/** What a reviewer found. */
export type Finding = z.infer<typeof ReviewOutput>["findings"][number] & {
  /** Names of the reviewers who found it. */
  by: string[];
};

const GRADES = ["blocking", "major", "minor"] as const;
/** Two findings this near each other in a file may be one. */
const NEAR_LINES = 3;
/** Of the words of the shorter of two titles. */
const SAME_WORDS = 0.5;

/**
 * Findings of several reviewers as one list, gravest first: what two found is there once, with both names. A finding about a file that
 * the change does not touch cannot hold it up.
 */
export function joinFindings(
  reviews: readonly { by: string; findings: readonly Omit<Finding, "by">[] }[],
  changed: readonly string[],
): Finding[] {
  const joined: Finding[] = [];
  for (const { by, findings } of reviews) {
    for (const found of findings) {
      const isOutside = found.severity === "blocking" && !changed.includes(found.path);
      const finding: Finding = { ...found, severity: isOutside ? "major" : found.severity, by: [by] };
      const same = joined.find((other) => isSame(other, finding));
      if (!same) joined.push(finding);
      else {
        same.by = [...new Set([...same.by, by])];
        if (rank(finding) < rank(same)) same.severity = finding.severity;
      }
    }
  }
  return joined.toSorted(
    (a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) || a.line - b.line,
  );
}

function rank({ severity }: Pick<Finding, "severity">): number {
  return GRADES.indexOf(severity);
}

function isSame(a: Finding, b: Finding): boolean {
  if (a.path !== b.path || Math.abs(a.line - b.line) > NEAR_LINES) return false;
  const [one, other] = [wordsOf(a.title), wordsOf(b.title)];
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared >= SAME_WORDS * Math.min(one.size, other.size);
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{3,}|\p{Script=Han}/gu) ?? []);
}
