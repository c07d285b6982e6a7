import type { Language } from "../../shared/index.js";
import { callAgent } from "../call-agent.js";
import { commitsTouching } from "../commits-touching.js";
import type { PhaseExperience } from "../experience.js";
import { asMaterial } from "../material.js";
import { type Design, InvestigationOutput } from "../outputs.js";
import type { Run } from "../types.js";

/** What is asked of the repository before anything is designed; people read the short form, an investigator the long one. */
const QUESTIONS = [
  {
    task: "pitfalls",
    en: "Which pitfalls were met here before?",
    zh: "以前在这里踩过哪些坑？",
    ask: "which pitfalls were met here before. Look at the commits that are listed, at what was fixed, reverted or changed again and again, and at warnings in comments and tests. Cite commits and pull requests by their numbers.",
  },
  {
    task: "reuse",
    en: "What exists that can be reused?",
    zh: "已有哪些能力可以复用？",
    ask: "what exists already that this can reuse or has to go through: functions, extension points, and the nearest earlier example with every place that it touched.",
  },
  {
    task: "norms",
    en: "Which conventions and settings apply?",
    zh: "适用哪些规范与配置？",
    ask: "which conventions and configuration apply to it: settings, names, errors, tests, documentation, build, permissions.",
  },
] as const satisfies readonly ({ task: string; ask: string } & Record<Language, string>)[];

const FILES_SHOWN = 8;
/** A requirement with fewer criteria is left to its designer. */
const LEAST_CRITERIA = 2;

/**
 * Archaeology: read-only investigators answer side by side what a design has to know of what is there, with pointers that were
 * checked to exist. None are sent where earlier work has left knowledge that surely fits: that is what it is for.
 */
export async function investigate(
  run: Run,
  experience: PhaseExperience,
  signal: AbortSignal,
): Promise<Design["archaeology"]> {
  const { investigate: wish } = run.settings.agent;
  const isSmall = (run.draft?.criteria.length ?? 0) < LEAST_CRITERIA;
  if (wish === "never" || (wish === "auto" && (isSmall || experience.ids.size > 0))) return [];
  const files = await likelyFiles(run, signal);
  const history = await commitsTouching(run, files);
  const found = await Promise.all(
    QUESTIONS.map(async (question) => {
      const text = run.skills.prompt("task-investigate", {
        repository: `${run.ask.repository.owner}/${run.ask.repository.name}`,
        question: question.ask,
        document: asMaterial(run.documents.requirement),
        files: files.join(", ") || "none stand out",
        history: asMaterial(history) || "none",
      });
      const call = {
        agent: "codebase-investigator",
        phase: "design",
        task: `find-${question.task}`,
        text,
        output: InvestigationOutput,
      };
      const { output, reason } = await callAgent(run, call, signal);
      // A design can be made without it, and its budget is asked for by the design itself.
      if (!output) run.deps.log.warn({ run: run.id, question: question.task, reason }, "not found out");
      return output
        ? [{ question: question[run.language], answer: output.answer, pointers: output.pointers }]
        : [];
    }),
  );
  return Promise.all(
    found.flat().map(async (one) => ({ ...one, pointers: await existing(run, one.pointers) })),
  );
}

/** Files that a task of these words would be shown. */
async function likelyFiles(run: Run, signal: AbortSignal): Promise<string[]> {
  const { map, context } = run.code;
  await map.refresh(signal);
  const { items } = await context.pack(`${run.title}\n${run.text}`, {
    maxTokens: run.settings.context.max_context_tokens,
  });
  const paths = items.flatMap(({ path, tier }) => (tier === "code" ? [path] : []));
  return [...new Set(paths)].slice(0, FILES_SHOWN);
}

/** Pointers to files that there are; a commit or a pull request points at no file. */
async function existing({ workspace }: Run, pointers: readonly string[]): Promise<string[]> {
  const checked = await Promise.all(
    pointers.map(async (pointer) => {
      const [, path = ""] = /^`?([\w@./-]+\.[\w]+)/.exec(pointer) ?? [];
      return path === "" || (await workspace.files.read(path)) ? [pointer] : [];
    }),
  );
  return checked.flat();
}
