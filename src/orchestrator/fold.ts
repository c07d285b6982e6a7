import { fold } from "../knowledge/index.js";
import {
  archive,
  eventPath,
  formatEvent,
  foldState,
  formatIndex,
  parseEvents,
  type RequirementEvent,
  type State,
  stateEvent,
  summaries,
} from "../requirements/index.js";
import { AccrueError, type Language, isoTime } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import type { Ask } from "./intent.js";
import { openMirror } from "./resources.js";
import type { Doors, EngineDeps, Settings } from "./types.js";

const MAX_TRIES = 8;
const FOLD_BRANCH = "agent/fold";
/** Refusals that no second try changes: what the base branch does not take from us is offered to people. */
const GUARDED = ["protected", "rules"];
const INDEX = "requirements/INDEX.md";

/** What the fold after a merge works with. */
export interface CompleteInput {
  ask: Ask;
  doors: Doors;
  settings: Settings;
  language: Language;
  /** Null when the merged pull request brought knowledge only. */
  requirement: string | null;
  /** Commit id of the merge, and whose click it was. */
  merged: { sha: string; pull: number; by: string };
}

/** What the fold did, and the pull request it waits in where the base branch takes no push. */
export interface Folded {
  summary: string;
  waitsIn: number | null;
}

/**
 * After a merge: completes the requirement, moves its folder, applies deposits to notes and rules, and writes both indexes, all
 * in one commit on the base branch. Everything is computed from the newest tree, so that a rejected push starts over.
 */
export async function completeAndFold(
  input: CompleteInput,
  deps: EngineDeps,
  signal: AbortSignal,
): Promise<Folded> {
  const { ask, doors, settings } = input;
  const base = settings.base || ask.defaultBranch;
  const mirror = await openMirror(deps, { ask, doors, settings }, signal);
  for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
    await mirror.fetch({}, signal);
    const head = await mirror.resolve(`refs/remotes/origin/${base}`);
    if (!head) throw new AccrueError("WORKSPACE_EMPTY", `The branch ${base} is gone: nothing can be folded.`);
    const tree = await mirror.readFiles(head, ["context/", "requirements/"]);
    const { writes, summary } = compute(input, deps, tree);
    if (writes.size === 0) return { summary: "nothing to fold", waitsIn: null };
    const message = [
      `Fold ${input.requirement ?? "knowledge"} after #${input.merged.pull}`,
      "",
      ...summary,
    ].join("\n");
    const sha = await mirror.commit({ parent: head, writes, message });
    const pushed = await mirror.push({ sha, branch: base, create: false }, signal);
    if (pushed.kind === "pushed") return { summary: summary.join("; "), waitsIn: null };
    if (pushed.kind === "refused" && GUARDED.includes(pushed.reason))
      return offerFold(input, mirror, { sha, base, signal });
    if (pushed.kind === "refused" && pushed.reason !== "stale")
      throw new AccrueError("GIT_PUSH_REJECTED", pushed.message);
  }
  throw new AccrueError(
    "GIT_PUSH_REJECTED",
    `The fold was rejected ${MAX_TRIES} times because ${base} moved.`,
    { retryable: true },
  );
}

/** All writes of the fold on a tree: events, moves, notes, rules, indexes. */
function compute(
  input: CompleteInput,
  deps: EngineDeps,
  tree: ReadonlyMap<string, string>,
): { writes: Map<string, string | null>; summary: string[] } {
  const writes = new Map<string, string | null>();
  const summary: string[] = [];
  const apply = (changes: ReadonlyMap<string, string | null>) => {
    for (const [path, text] of changes) writes.set(path, text);
  };
  if (input.requirement) {
    const events = completionEvents(input, deps, tree);
    apply(new Map(events.map((event) => [eventPath(event), formatEvent(event)])));
    if (events.length > 0) summary.push(`${input.requirement} completed`);
    apply(archive(tree, input.requirement));
  }
  const folded = fold(tree, {
    completed: input.requirement ? [{ requirement: input.requirement }] : [],
    now: isoTime(deps.clock.now()),
    language: input.language,
  });
  apply(folded.writes);
  summary.push(...folded.summary);
  const index = formatIndex(summaries(overlay(tree, writes)), input.language);
  if (
    tree.get(INDEX) !== index &&
    [...overlay(tree, writes).keys()].some((path) => path.startsWith("requirements/events/"))
  )
    writes.set(INDEX, index);
  for (const [path, text] of writes) if ((tree.get(path) ?? null) === text) writes.delete(path);
  return { writes, summary };
}

function completionEvents(
  input: CompleteInput,
  deps: EngineDeps,
  tree: ReadonlyMap<string, string>,
): RequirementEvent[] {
  const requirement = input.requirement ?? "";
  const events = [...parseEvents(tree, requirement).events];
  if (events.length === 0) return [];
  const state = foldState(events).state;
  if (state === "completed" || state === "contested") return [];
  const steps: State[] = state === "verifying" ? ["completed"] : ["verifying", "completed"];
  const made: RequirementEvent[] = [];
  let from: State = state;
  for (const to of steps) {
    made.push(
      stateEvent({
        id: deps.newId(),
        req: requirement,
        run: input.ask.key,
        actor: input.merged.by,
        at: isoTime(deps.clock.now()),
        from,
        to,
        evidence: `merged as ${input.merged.sha} in #${input.merged.pull}`,
      }),
    );
    from = to;
  }
  return made;
}

function overlay(
  tree: ReadonlyMap<string, string>,
  writes: ReadonlyMap<string, string | null>,
): Map<string, string> {
  const result = new Map(tree);
  for (const [path, text] of writes) {
    if (text === null) result.delete(path);
    else result.set(path, text);
  }
  return result;
}

/** A protected base gets the fold as a pull request. Its branch is named after the merge, so that a second try finds it. */
async function offerFold(
  input: CompleteInput,
  mirror: Mirror,
  work: { sha: string; base: string; signal: AbortSignal },
): Promise<Folded> {
  const { port } = input.doors;
  const branch = `${FOLD_BRANCH}-${input.merged.pull}`;
  const isThere = (await mirror.resolve(`refs/remotes/origin/${branch}`)) !== null;
  const pushed =
    isThere || (await mirror.push({ sha: work.sha, branch, create: true }, work.signal)).kind === "pushed";
  if (!pushed || !port) {
    throw new AccrueError(
      "GIT_PUSH_REJECTED",
      `${work.base} is protected, and the fold's branch ${branch} could not be pushed.`,
    );
  }
  const title = input.language === "zh" ? "整理经验与需求" : "File knowledge and requirements";
  const pull = await port.openPull({
    head: branch,
    base: work.base,
    title,
    body: `After #${input.merged.pull}.`,
    draft: false,
  });
  return { summary: `${work.base} is protected: the fold waits in #${pull.number}`, waitsIn: pull.number };
}
