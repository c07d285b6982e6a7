import { type Language, inertLine } from "../../shared/index.js";
import { issueOf } from "../requirement-of.js";
import { fullName } from "../site.js";
import type { Publication, Run, ServicePublication } from "../types.js";
import { findingsText } from "./findings.js";
import { codeSpan, criteriaTable } from "./result.js";
import { belongsTo, pullName } from "./together.js";
import { words } from "./words.js";

const SAY = {
  en: {
    part: (of: string) => `Part of ${of}.`,
    bill: "Requirement, design, plan and bill are there.",
  },
  zh: {
    part: (of: string) => `属于 ${of}。`,
    bill: "需求、设计、计划和账单都在那里。",
  },
} as const satisfies Record<Language, unknown>;

/** Our block of a pull request in a service's repository: what it belongs to, what it changes, what shows that it works. */
export function servicePullText(
  run: Run,
  { publication, service, home }: { publication: Publication; service: ServicePublication; home: number },
): string {
  const { language } = run;
  const say = SAY[language];
  const repository = fullName(run.repository);
  const issue = issueOf(run.ask, run.requirement);
  const siblings = publication.services.filter((other) => other !== service).flatMap(pullName);
  const { findings } = service.site;
  const files = service.changedFiles;
  return [
    `${say.part(`${repository}#${issue ?? home}`)} ${belongsTo([`${repository}#${home}`, ...siblings], language)} ${say.bill}`,
    inertLine(publication.summary),
    criteriaTable(publication, language),
    `**${words(language).reach}** — ${words(language).changedFiles(files.length)}: ${files.map(codeSpan).join(", ")}`,
    ...findingsText(findings, { headSha: service.headSha, language, links: service.links }),
    `<sub>${repository} ${run.requirement} · run ${run.id}</sub>`,
  ].join("\n\n");
}

/** What publishing shows of a requirement in a service's repository: its own checks and findings, and all criteria. */
export function publicationAt(publication: Publication, service: ServicePublication): Publication {
  const { headSha, validation, changedFiles } = service;
  return { ...publication, headSha, validation, changedFiles, findings: service.site.findings };
}
