import { depositOf, formatDeposit, type Deposit } from "../knowledge/index.js";
import { AccrueError, type Language, inertSubject } from "../shared/index.js";
import type { Mirror, PushResult } from "../workspace/index.js";
import { linksOf } from "./github-front.js";
import type { Ask } from "./intent.js";
import { KNOWLEDGE_BRANCH } from "./knowledge-tree.js";
import { requirementOf, stableUlid } from "./requirement-of.js";
import { rememberedText } from "./texts/replies.js";
import { openMirror } from "./resources.js";
import type { Doors, EngineDeps, Settings } from "./types.js";

const MAX_TRIES = 5;
const MAX_KNOWLEDGE_BRANCHES = 50;

/** Where a deposit goes: the bot's pull request it was said on, else the one standing knowledge pull request. */
interface Place {
  branch: string;
  parent: string;
  isNew: boolean;
}

/** What an ask to remember is worked with. */
export interface RememberInput {
  ask: Ask;
  text: string;
  doors: Doors;
  settings: Settings;
  language: Language;
}

/** What was recorded, where, and the answer to post. */
export interface Remembered {
  deposit: Deposit;
  branch: string;
  path: string;
  text: string;
}

/**
 * Writes what a person taught into `context/deposits/` without a model, pushes it, and gives the answer to post. Called again
 * after a crash it finds the deposit by its id and does not write it twice.
 */
export async function remember(
  input: RememberInput,
  deps: EngineDeps,
  signal: AbortSignal,
): Promise<Remembered> {
  const { ask, doors, language } = input;
  const mirror = await openMirror(deps, { ask, doors, settings: input.settings }, signal);
  const deposit = describe(input);
  const path = `context/deposits/${deposit.id}.md`;
  for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
    await mirror.fetch({}, signal);
    const place = await placeOf(input, mirror, path);
    const result = await write(mirror, { place, path, deposit, signal });
    if (result.kind === "pushed") {
      const pull = await pullFor(input, place.branch);
      const links = doors.port
        ? linksOf(doors.port)
        : { branch: (name: string) => name, file: (_: string, file: string) => file };
      return {
        deposit,
        branch: place.branch,
        path,
        text: rememberedText(language, deposit, { branch: place.branch, path, pull, links }),
      };
    }
    if (result.kind === "refused" && result.reason !== "stale")
      throw new AccrueError("GIT_PUSH_REJECTED", result.message);
  }
  throw new AccrueError(
    "GIT_PUSH_REJECTED",
    `The deposit could not be pushed in ${MAX_TRIES} tries: the branch moves too fast.`,
    { retryable: true },
  );
}

function describe({ ask, text, language }: RememberInput): Deposit {
  const id = stableUlid(Date.parse(ask.at), ask.key);
  return depositOf({
    text,
    by: ask.actor?.login ?? "unknown",
    source: ask.comment?.url ?? ask.thread?.url ?? "",
    run: id,
    at: ask.at,
    language,
    path: ask.comment?.path ?? null,
    symbols: [],
    requirement: requirementOf(ask),
    newId: () => id,
    // The ids follow from the delivery, so that a second try after a crash records the same note.
    newNoteId: () => `EXP-${id.slice(-8)}`,
    newRuleId: () => `R-${id.slice(-14, -8)}`,
  });
}

async function write(
  mirror: Mirror,
  work: { place: Place; path: string; deposit: Deposit; signal: AbortSignal },
): Promise<PushResult> {
  const { place, path, deposit, signal } = work;
  const there = await mirror.readFiles(place.parent, [path]);
  if (there.has(path)) return { kind: "pushed", branch: place.branch, sha: place.parent };
  const message = `Remember: ${inertSubject(deposit.note.title)}\n\nSaid by ${deposit.by}: ${deposit.source}`;
  const sha = await mirror.commit({
    parent: place.parent,
    writes: new Map([[path, formatDeposit(deposit)]]),
    message,
  });
  return mirror.push({ sha, branch: place.branch, create: place.isNew }, signal);
}

async function placeOf(
  { ask, settings, doors }: RememberInput,
  mirror: Mirror,
  path: string,
): Promise<Place> {
  if (ask.headRef && requirementOf(ask) !== `REQ-${ask.thread?.number ?? ""}`) {
    const parent = await mirror.resolve(`refs/remotes/origin/${ask.headRef}`);
    if (parent) return { branch: ask.headRef, parent, isNew: false };
  }
  const base = settings.base || ask.defaultBranch;
  const baseSha = await mirror.resolve(`refs/remotes/origin/${base}`);
  if (!baseSha)
    throw new AccrueError(
      "WORKSPACE_EMPTY",
      `The branch ${base} has no commits yet: make a first commit, then say it again.`,
    );
  for (let index = 1; index <= MAX_KNOWLEDGE_BRANCHES; index++) {
    const branch = index === 1 ? KNOWLEDGE_BRANCH : `${KNOWLEDGE_BRANCH}-${index}`;
    const tip = await mirror.resolve(`refs/remotes/origin/${branch}`);
    if (!tip) return { branch, parent: baseSha, isNew: true };
    // An earlier try got this far and no further.
    if ((await mirror.readFiles(tip, [path])).has(path)) return { branch, parent: tip, isNew: false };
    if ((await mirror.ahead(baseSha, tip)) === 0) return { branch, parent: baseSha, isNew: false };
    if (!doors.port || (await doors.port.findPull(branch))) return { branch, parent: tip, isNew: false };
  }
  throw new AccrueError(
    "GIT_PUSH_REJECTED",
    `There are ${MAX_KNOWLEDGE_BRANCHES} left-over branches ${KNOWLEDGE_BRANCH}-*: delete the merged ones.`,
  );
}

async function pullFor(
  { doors, settings, ask, language }: RememberInput,
  branch: string,
): Promise<number | null> {
  const { port } = doors;
  if (!port) return null;
  if (branch === ask.headRef) return ask.thread?.number ?? null;
  const body =
    language === "zh"
      ? "团队在 issue 里教给机器人的经验。合并后整理到 `context/`。"
      : "What people taught in issues. Merging it files it under `context/`.";
  const pull = await port.openPull({
    head: branch,
    base: settings.base || ask.defaultBranch,
    title: language === "zh" ? "经验记录" : "Knowledge from issues",
    body,
    draft: false,
  });
  return pull.number;
}
