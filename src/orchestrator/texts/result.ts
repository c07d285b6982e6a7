import { type Language, clipMarkdown, clipMiddle, inertLine } from "../../shared/index.js";
import type { Check, Failure, Validation } from "../../validator/index.js";
import type { CheckEnd } from "../../github/index.js";
import { inconsistencies } from "../consistency.js";
import { issueOf } from "../requirement-of.js";
import type { LocatedEvidence, Publication, Run } from "../types.js";
import { findingAnnotations, findingsText } from "./findings.js";
import { cell, quotedCell } from "./status.js";
import { togetherText } from "./together.js";
import { type Links, words } from "./words.js";

const MAX_FAILURE_LINES = 40;
const MAX_FAILURE_CHARACTERS = 6000;
const CONCLUSIONS = { passed: "success", failed: "failure", "not-run": "neutral" } as const;
const SIGNS = { passed: "✅", failed: "❌", "not-run": "⚠" } as const;

/** What a person can press on a check; GitHub takes at most 20 and 40 characters. */
const BUTTONS = {
  approve: { label: "Approve", description: "Go on with this design", identifier: "approve" },
  budget: { label: "Raise budget", description: "Add as much again, and go on", identifier: "budget" },
  retry: { label: "Retry", description: "Run this requirement again", identifier: "retry" },
} as const;

/** The check that asks a person for something, with the button that gives it. */
export function askingCheck(needs: "approval" | "budget", text: string): CheckEnd {
  const button = needs === "approval" ? BUTTONS.approve : BUTTONS.budget;
  return {
    conclusion: "action_required",
    title: inertLine(text),
    summary: text,
    annotations: [],
    actions: [button, BUTTONS.retry],
  };
}

/** Our block of the pull request's body: what it closes, what it does, what shows that it does. */
export function pullText(run: Run, publication: Publication, links: Links): string {
  const say = words(run.language);
  const issue = issueOf(run.ask, run.requirement);
  const closes = issue === null ? [] : [`Closes #${issue}`];
  const shown = [...new Set([...run.shown.values()].flat())];
  return [
    ...closes,
    ...togetherText(publication.services, run.language),
    inertLine(publication.summary),
    criteriaTable(publication, run.language),
    ...consistencyText(run),
    `**${say.reach}** — ${say.changedFiles(publication.changedFiles.length)}: ${publication.changedFiles.map(codeSpan).join(", ")}`,
    ...reachText(publication, run.language),
    ...findingsText(publication.findings, { headSha: publication.headSha, language: run.language, links }),
    ...(shown.length > 0
      ? [`<details><summary>${say.shown}</summary>\n\n${shown.map((id) => `- ${id}`).join("\n")}\n</details>`]
      : []),
    `<sub>${run.requirement} · run ${run.id}</sub>`,
  ].join("\n\n");
}

/** Where plan and criteria do not fit each other; nothing where they do. */
function consistencyText({ draft, tasks, language }: Run): string[] {
  const found = inconsistencies(draft?.criteria ?? [], tasks, language);
  return found.length === 0 ? [] : [`⚠ ${words(language).consistency}: ${found.join(" · ")}`];
}

/** Who may feel the change, and a drawing of them where there is anybody. */
function reachText({ reach }: Publication, language: Language): string[] {
  if (reach === null) return [];
  const say = words(language);
  const line = say.affected({
    definitions: reach.definitions,
    files: reach.files.length,
    tests: reach.tests.length,
  });
  if (reach.files.length === 0) return [line];
  const drawing = `\`\`\`mermaid\n${reach.drawing}\n\`\`\``;
  return [line, `<details><summary>${say.drawing}</summary>\n\n${drawing}\n</details>`];
}

/** How the check run ends: the title is the outcome, the summary what was observed. Green only when something ran and passed. */
export function checkEnd(run: Run, publication: Publication, links: Links): CheckEnd {
  const say = words(run.language);
  const { validation, evidence } = publication;
  const verified = evidence.filter(({ outcome }) => outcome === "passed").length;
  const ran = checksEnd(validation, run.language);
  const findings = findingsText(publication.findings, {
    headSha: publication.headSha,
    language: run.language,
    links,
  });
  return {
    ...ran,
    title: `${ran.title}, ${say.verified(verified, evidence.length)}`,
    summary: [criteriaTable(publication, run.language), ...findings, ran.summary].join("\n\n"),
    annotations: [...ran.annotations, ...findingAnnotations(publication.findings)],
    actions: [BUTTONS.retry],
  };
}

/** The same where nothing but checks is to be shown. */
export function checksEnd(validation: Validation, language: Language): CheckEnd {
  const say = words(language);
  const word = { passed: say.passed, failed: say.failed, "not-run": say.notRun }[validation.outcome];
  return {
    conclusion: CONCLUSIONS[validation.outcome],
    title: `${word}: ${validation.reason}`,
    summary: [
      checksTable(validation.checks, language),
      ...knownList(validation, language),
      ...firstFailure(validation.checks, language),
    ].join("\n\n"),
    annotations: placed(validation.checks).map(({ path, line, title, message }) => ({
      path,
      line,
      level: "failure" as const,
      title,
      message: clipMarkdown(message, 2000),
    })),
    actions: [],
  };
}

/** Failures that a file is known of, each once; where no line is known, at its first one. */
function placed(checks: readonly Check[]): (Failure & { path: string; line: number })[] {
  const all = checks
    .flatMap(({ failures }) => failures)
    .flatMap((failure) =>
      failure.path === null ? [] : [{ ...failure, path: failure.path, line: failure.line ?? 1 }],
    );
  // Tests that the change can reach fail again among all tests.
  return [...new Map(all.map((each) => [JSON.stringify([each.path, each.line, each.title]), each])).values()];
}

/** One line for each criterion: what was observed, and where. */
export function criteriaTable({ evidence }: Pick<Publication, "evidence">, language: Language): string {
  const say = words(language);
  const rows = evidence.map(
    (item) =>
      `| ${SIGNS[item.outcome]} | ${item.id} ${quotedCell(item.text)} | ${evidenceCell(item, say.notVerified)} |`,
  );
  return [`| | ${say.criterion} | ${say.evidence} |`, "| --- | --- | --- |", ...rows].join("\n");
}

function evidenceCell({ outcome, evidence, service, url }: LocatedEvidence, notVerified: string): string {
  if (outcome === "not-run" || url === null) return `${notVerified}: ${quotedCell(evidence)}`;
  return `[${cell(codeSpan(service ? `${service} ${evidence}` : evidence))}](${url})`;
}

function checksTable(checks: readonly Check[], language: Language): string {
  const say = words(language);
  const rows = checks.map(({ outcome, name, command, durationMs, reason, passed, partOf }) => {
    const title = partOf === undefined ? name : `${name}: ${say.reached}`;
    const result = [passed === null ? "" : `${passed} ${say.passed.toLowerCase()}`, reason]
      .filter(Boolean)
      .join(" · ");
    return `| ${SIGNS[outcome]} | ${quotedCell(title)} | ${cell(codeSpan(command))} | ${quotedCell(result)} | ${(durationMs / 1000).toFixed(1)} s |`;
  });
  return [
    `| | ${say.check} | ${say.ran} | ${say.result} | |`,
    "| --- | --- | --- | --- | ---: |",
    ...rows,
  ].join("\n");
}

function knownList({ known }: Validation, language: Language): string[] {
  if (known.length === 0) return [];
  return [
    `**${words(language).known}**\n\n${known.map(({ title, path, line }) => `- ${inertLine(title)}${path ? ` (${codeSpan(`${path}${line === null ? "" : `:${line}`}`)})` : ""}`).join("\n")}`,
  ];
}

function firstFailure(checks: readonly Check[], language: Language): string[] {
  const failing = checks.find(({ outcome }) => outcome === "failed");
  if (!failing) return [];
  const lines = clipMiddle(failing.output, MAX_FAILURE_CHARACTERS).split("\n");
  const shown =
    lines.length > MAX_FAILURE_LINES
      ? [...lines.slice(0, MAX_FAILURE_LINES), `… ${lines.length - MAX_FAILURE_LINES} more lines`]
      : lines;
  const fence = "`".repeat(Math.max(3, longestTicks(failing.output) + 1));
  return [
    `**${words(language).firstFailure}** — ${codeSpan(failing.command)}\n\n${fence}\n${shown.join("\n")}\n${fence}`,
  ];
}

/** A text as code, whatever backticks are in it. */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/g, " ");
  const ticks = "`".repeat(longestTicks(line) + 1);
  const space = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${ticks}${space}${line}${space}${ticks}`;
}

function longestTicks(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
}
