import { type Code, type PackItem, judge } from "../context/index.js";
import { MAX_PHASE_TOKENS, mentionsOf } from "../knowledge/index.js";
import type { Phase } from "../requirements/index.js";
import { type RepositoryRef, isoTime } from "../shared/index.js";
import type { ToolContext } from "../tools/index.js";
import type { Fork, Workspace } from "../workspace/index.js";
import { type PhaseExperience, showKnowledge } from "./experience.js";
import type { Job, ShownCode } from "./job.js";
import { asMaterial } from "./material.js";
import { readOrNothing } from "./read-or-nothing.js";
import type { Site } from "./site.js";
import type { CheckoutOf, EngineDeps, Run } from "./types.js";

/** Most of a pack that what is known may take, so that code is never pushed out by it. */
const KNOWLEDGE_SHARE = 0.5;

/** Where so many files are named by what is known, they are shown first, and less is guessed beside them. */
const LEAST_TOLD = 2;
const TOLD_SHARE = 0.7;
const MAX_TOLD = 6;

/** True for what a pack holds of rules and memories. */
function isKnowledge({ tier }: PackItem): boolean {
  return tier === "rules" || tier === "memory";
}

/** A checkout as its code is read. Its history is the base's: the requirement's own commits say nothing about what to read. */
export function checkoutOf(
  repository: RepositoryRef,
  { mirror, baseSha }: Pick<Workspace, "mirror" | "baseSha">,
  { tree, files }: Pick<Fork, "tree" | "files">,
): CheckoutOf {
  return {
    repository,
    tree: {
      list: async (signal) => (await tree(signal)).filter(({ path }) => !isBook(path)),
      read: (path) => readOrNothing(files, path),
    },
    history: (limit) => mirror.history(baseSha, limit),
    past: mirror.past(baseSha),
  };
}

/** The map for an agent's tools: each answer is of the files as they stand when it asks. */
export function freshMap({ map }: Pick<Code, "map">): NonNullable<ToolContext["map"]> {
  return async (signal) => {
    await map.refresh(signal);
    return map;
  };
}

/** The same for a copy of the checkout, opened when it is first asked for. */
export function forkMap(
  deps: Pick<EngineDeps, "openCode">,
  site: Pick<Site, "repository" | "workspace">,
  fork: Pick<Fork, "tree" | "files">,
): { map: NonNullable<ToolContext["map"]>; close(): Promise<void> } {
  let opened: Promise<Code> | null = null;
  return {
    map: async (signal) => {
      opened ??= deps.openCode(checkoutOf(site.repository, site.workspace, fork));
      return freshMap(await opened)(signal);
    },
    close: async () => (await opened)?.close(),
  };
}

/** The bot's own books: they reach agents as knowledge, chosen, and not as a list that grows, and are no part of a change. */
export function isBook(path: string): boolean {
  return path.startsWith("context/") || path.startsWith("requirements/");
}

/** The diff without requirement and knowledge files. */
export function onlyCode(diff: string): string {
  return diff
    .split(/^(?=diff --git )/m)
    .filter((part) => !/^diff --git "?a\/(requirements|context)\//.test(part))
    .join("");
}

/** What the run changes in one of its repositories. */
export async function codeDiff({ workspace }: Pick<Site, "workspace">): Promise<string> {
  return onlyCode(await workspace.mirror.diff(workspace.baseSha, await workspace.head()));
}

/** What an agent is to be shown of the code. */
export interface CodeWish {
  /** What it is to do, in words. */
  task: string;
  /** Files that its plan names; those that are not there yet are passed over. */
  files?: readonly string[];
  /** Of what may be shown unasked, from 0 to 1. */
  share: number;
  /** What is known for it, chosen already. */
  experience: PhaseExperience;
  phase: Phase;
  /** The repository that it is to work in: the requirement's own, if nothing else is said. */
  site?: Pick<Site, "code">;
  /** Tokens that what else it is told takes of what may be shown unasked. */
  taken: number;
}

/** Brings the map up to date, and chooses what of the code an agent is shown before it asks. */
export async function showCode(run: Run, wish: CodeWish, signal: AbortSignal): Promise<ShownCode> {
  const { map, context, paths } = (wish.site ?? run).code;
  await map.refresh(signal);
  const { max_context_tokens: max, max_file_tokens: maxFileTokens } = run.settings.context;
  const { experience } = wish;
  const known = new Set(paths());
  const told = placesIn(experience, known);
  const share = wish.share * (told.length >= LEAST_TOLD ? TOLD_SHARE : 1);
  const maxTokens = Math.max(0, Math.floor(max * share) - wish.taken);
  const pack = await context.pack(wish.task, {
    maxTokens,
    maxKnowledgeTokens: Math.min(MAX_PHASE_TOKENS, Math.floor(maxTokens * KNOWLEDGE_SHARE)),
    rules: experience.rules,
    memories: experience.memories,
    maxFileTokens,
    files: [...new Set([...(wish.files ?? []), ...told])],
  });
  const code = pack.items.filter((item) => !isKnowledge(item));
  return {
    pack,
    text: excerptsOf(code),
    knowledge: showKnowledge(run, wish.phase, { pack, experience }),
    known,
  };
}

/** Files of the checkout that what is known names as those that matter. */
function placesIn({ rules, memories }: PhaseExperience, known: ReadonlySet<string>): string[] {
  const named = [...rules, ...memories].flatMap(({ text }) => mentionsOf(text).paths);
  return [...new Set(named)].filter((path) => known.has(path)).slice(0, MAX_TOLD);
}

/** Parts of a pack as agents read them. */
export function excerptsOf(items: readonly PackItem[]): string {
  return items.map(excerpt).join("\n");
}

function excerpt({ path, symbol, lines, tier, text, partial }: PackItem): string {
  const names = [
    ["path", path],
    ["lines", lines === null ? "" : `${lines[0]}-${lines[1]}`],
    ["symbol", symbol ?? ""],
    ["tier", tier],
    ["partial", partial ?? ""],
  ];
  const attributes = names.flatMap(([name, value]) =>
    value ? [` ${name}="${value.replaceAll(/["<>&\n]/g, "?")}"`] : [],
  );
  return `<excerpt${attributes.join("")}>\n${asMaterial(text)}\n</excerpt>`;
}

/** Records what an agent asked for beyond what it was shown, so that packs can be judged. */
export function keepPack(run: Run, job: Job<unknown>, asked: readonly string[]): void {
  const { code, phase, task, path } = job;
  if (!code) return;
  const { pack, known } = code;
  const files = asked.filter((file) => known.has(file)).map((file) => ({ path: file }));
  const { asked: count, inPack } = judge(pack, files);
  run.deps.ledger.keepPack({
    ...run.attribution(phase, task, path),
    at: isoTime(run.deps.clock.now()),
    hash: pack.hash,
    tokens: pack.tokens,
    knowledgeTokens: pack.items.filter(isKnowledge).reduce((sum, { tokens }) => sum + tokens, 0),
    files: new Set(pack.items.map((item) => item.path)).size,
    asked: count,
    askedLater: count - inPack,
  });
}
