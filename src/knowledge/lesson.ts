import { z } from "zod";
import { formatRule, oneLine } from "./format-rule.js";
import { LEVELS, PHASES, RULE_FILES } from "./rule-keys.js";
import { parseRules } from "./rules.js";
import type { Rule } from "./types.js";

const Words = z.array(z.string().max(200)).max(12).default([]);

const LessonRule = z.object({
  kind: z.enum(["context", "risk", "service", "pattern"]).describe("Which of the four rule files it is for."),
  title: z.string().max(160),
  level: z.enum(LEVELS).default("info").describe("How serious; block asks a person before code is written."),
  keywords: Words.describe("Words that a person would use in the next request."),
  paths: Words.describe("Globs of files."),
  labels: Words,
  symbols: Words,
  services: Words,
  phases: z.array(z.enum(PHASES)).default([]),
  load: Words.describe("Files to read, for context and pattern; default: where the lesson is filed."),
  alert: z.string().max(240).default("").describe("The warning, for risk."),
  suggest: Words.describe("Names of services, for service."),
  check: z.string().max(200).default("").describe("A command that verifies it, for pattern."),
});

/** One lesson as a model hands it over, with everything that people may later correct. */
export const DepositedLesson = z.object({
  kind: z
    .enum(["experience", "business", "tech", "service"])
    .describe("A pitfall or way of working; a fact of the business; of the technology; of one service."),
  service: z.string().max(60).default("").describe("Name of the service, for kind service."),
  document: z
    .string()
    .max(120)
    .default("")
    .describe("An existing document of context/ that it belongs into."),
  title: z.string().min(1).max(160),
  problem: z.string().max(4000).default(""),
  triggers: z
    .object({ keywords: Words, paths: Words, symbols: Words, labels: Words })
    .default({ keywords: [], paths: [], symbols: [], labels: [] }),
  solution: z.string().min(1).max(8000),
  verification: z.string().max(2000).default(""),
  related: Words.describe("Documents, issues and pull requests."),
  rules: z.array(LessonRule).max(6).default([]),
  aliases: z
    .array(z.array(z.string().min(2).max(40)).min(2).max(6))
    .max(5)
    .default([])
    .describe("Names that mean the same; a person confirms them."),
});
/** See the schema of the same name. */
export type DepositedLesson = z.infer<typeof DepositedLesson>;

/** The rules of a lesson that have an effect, and why the others were left out. */
export function rulesOf(
  lesson: DepositedLesson,
  note: { id: string; target: string; file: string; source: string; isUntrusted: boolean },
  newId: () => string,
): { rules: Rule[]; refused: string[] } {
  const refused: string[] = [];
  const rules = lesson.rules.flatMap((proposed) => {
    const isFile = proposed.kind === "context" || proposed.kind === "pattern";
    const rule: Rule = {
      ...proposed,
      id: newId(),
      title: oneLine(proposed.title) || oneLine(lesson.title),
      // What stops work, and what nobody with write access said, waits for a person.
      status: note.isUntrusted || proposed.level === "block" ? "draft" : "active",
      match: "any",
      load: isFile && proposed.load.length === 0 ? [note.target] : isFile ? proposed.load : [],
      alert: oneLine(proposed.alert),
      source: [note.id, oneLine(note.source)].filter(Boolean).join(", "),
      prose: "",
      file: note.file,
      line: 1,
    };
    const { rules: read, problems } = parseRules(RULE_FILES[rule.kind], formatRule(rule), rule.kind);
    if (read.length > 0) return [rule];
    refused.push(`${rule.kind} rule "${rule.title}": ${problems[0]?.message ?? "it says nothing"}`);
    return [];
  });
  return { rules, refused };
}
