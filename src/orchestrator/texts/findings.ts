import type { CheckEnd } from "../../github/index.js";
import { type Language, inertLine } from "../../shared/index.js";
import type { Finding } from "../review-findings.js";
import type { Links } from "./words.js";

const WORDS = {
  en: { head: "Review", grades: { blocking: "blocking", major: "major", minor: "minor" } },
  zh: { head: "评审", grades: { blocking: "阻断", major: "重要", minor: "次要" } },
} as const satisfies Record<Language, unknown>;
const SIGNS = { blocking: "❌", major: "⚠", minor: "○" } as const;

/** What reviewers found and nobody put right, gravest first; empty when there is nothing. */
export function findingsText(
  findings: readonly Finding[],
  { headSha, language, links }: { headSha: string; language: Language; links: Links },
): string[] {
  if (findings.length === 0) return [];
  const say = WORDS[language];
  const lines = findings.map(({ severity, path, line, title, why, by }) => {
    const place = `[\`${path}:${line}\`](${links.file(headSha, `${path}#L${line}`)})`;
    return `- ${SIGNS[severity]} ${say.grades[severity]} · ${place} ${inertLine(title)} — ${inertLine(why)} (${by.join(", ")})`;
  });
  return [`**${say.head}**\n\n${lines.join("\n")}`];
}

/** The same at the lines themselves. */
export function findingAnnotations(findings: readonly Finding[]): CheckEnd["annotations"] {
  return findings.map(({ severity, path, line, title, why }) => ({
    path,
    line,
    level: severity === "minor" ? ("notice" as const) : ("warning" as const),
    title,
    message: why,
  }));
}
