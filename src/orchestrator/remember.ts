import {
  type DepositInput,
  type RecordedRemark,
  type Tree,
  type TreeMemory,
  formatDeposit,
  learnable,
  parseDeposit,
  qualify,
  recordRemark,
  recordedOf,
  shareKnowledge,
  unqualify,
} from "../knowledge/index.js";
import { eventsPath, formatEvents } from "../memory/index.js";
import { costEvent, eventPath, formatEvent } from "../requirements/index.js";
import { inertSubject, isAccrueError } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import { proposeLessons } from "./propose-lessons.js";
import {
  type KnowledgeView,
  type PushedKnowledge,
  askId,
  knowledgeHere,
  pushKnowledge,
  standingPlace,
} from "./push-knowledge.js";
import type { Remark } from "./remark.js";
import { requirementOfBranch } from "./requirement-of.js";
import type { Scene } from "./scene.js";
import type { SharedPlace } from "./shared-place.js";
import { fullName } from "./site.js";
import { symbolAt } from "./symbol-at.js";
import type { EngineDeps } from "./types.js";
import { knowledgeTexts } from "./weigh-lesson.js";

const NOTHING: Readonly<RecordedRemark> = {
  deposits: [],
  recorded: [],
  skipped: [],
  secrets: [],
  contradictions: [],
  repeated: [],
  writes: new Map(),
};

/** What of a remark was recorded, and where it lies. */
export type Remembered = PushedKnowledge<RecordedRemark>;

/** What is remembered, and where it was said. */
export interface Said {
  remark: Remark;
  /** Of the repository that it was said in. */
  mirror: Mirror;
  /** The repository that it is written to for several; without one it stays where it was said. */
  shared?: SharedPlace | null;
}

/**
 * Writes what a person taught into `context/deposits/`, all its lessons in one commit: here, or where several repositories share what
 * they know. Called again after a crash it finds them by the ask's own id and does not write them twice.
 * Contract: a remark with a secret in it does not come here, since a model sees it.
 */
export async function remember(scene: Scene, said: Said, deps: EngineDeps): Promise<Remembered> {
  const { remark, mirror, shared } = said;
  const own = fullName(scene.ask.repository);
  const ground = shared
    ? { mirror: shared.mirror, clock: deps.clock, findPlace: standingPlace }
    : { mirror, clock: deps.clock };
  const here = shared ? await knowledgeHere(scene, mirror) : null;
  let proposed: readonly unknown[] | null | undefined;
  return pushKnowledge(shared?.scene ?? scene, ground, async (found) => {
    const view = here === null ? found : seenFrom(here, found, own);
    const there = earlierTry(view, askId(scene.ask));
    if (there) return { made: there, commit: null };
    const noted = notedByRun(view.tree, remark);
    if (noted) return { made: noted, commit: null };
    const injected = shownBefore(remark, view.tree);
    const { text } = learnable(remark.text, { trust: remark.trust, injected });
    // Asked once, however often the branch moves.
    if (proposed === undefined)
      proposed =
        text === ""
          ? null
          : await proposeLessons(scene, { remark: { ...remark, text }, tree: view.tree }, deps);
    const input = await inputOf(scene, { ...said, view }, deps);
    const basis = { tree: view.tree, lessons: proposed, injected };
    const made = await withMemory(scene, deps, (memory) =>
      recordRemark(input, {
        ...basis,
        judge: memory && ((one) => memory.judge(view.tree, one, scene.signal)),
      }),
    );
    const [first] = made.recorded;
    const deposits = shared
      ? made.deposits.map((one) => [one.note.file, formatDeposit(qualify(one, own))] as const)
      : made.writes;
    return {
      made,
      commit: {
        writes: new Map([...deposits, ...eventsOf(made, input), ...costsOf(scene, view, deps)]),
        subject: first ? `Remember: ${inertSubject(first.title)}` : "Remember: what was known is said again",
        body: `Said by ${inertSubject(remark.by)}: ${remark.source}`,
      },
    };
  });
}

/** What the shared repository holds, beside what counts where it was said, and with names that are read there. */
function seenFrom(here: Tree, there: KnowledgeView, own: string): KnowledgeView {
  const files = [...there.files].map(([path, text]) => [path, unqualify(text, own)] as const);
  return { ...there, files: new Map(files), tree: shareKnowledge(here, there.tree, own).tree };
}

/** A run's own summary may repeat what the run was shown; people speak for themselves. */
function shownBefore(remark: Remark, tree: Tree): string[] {
  return remark.kind === "fix" ? knowledgeTexts(tree) : [];
}

async function inputOf(
  scene: Scene,
  { remark, mirror, shared, view }: Said & { view: KnowledgeView },
  deps: EngineDeps,
): Promise<DepositInput> {
  const { ask, language, requirement, settings } = scene;
  const { place } = remark;
  const id = askId(ask);
  const base = shared ? `refs/remotes/origin/${settings.base || ask.defaultBranch}` : view.place.parent;
  const revision = ask.headRef ?? base;
  const symbol =
    place === null || place.line === null
      ? null
      : await symbolAt(scene, deps, { mirror, revision, path: place.path, line: place.line });
  return {
    text: remark.text,
    by: remark.by,
    source: remark.source,
    run: id,
    at: ask.at,
    language,
    path: place?.path ?? null,
    symbols: symbol === null ? [] : [symbol],
    requirement,
    trust: remark.trust,
    ...aboutOf(scene, remark),
    newId: () => id,
    // The ids follow from the delivery, so that a second try after a crash records the same notes.
    newNoteId: () => `EXP-${id.slice(-8)}`,
    newRuleId: () => `R-${id.slice(-14, -8)}`,
  };
}

function aboutOf({ ask }: Scene, { kind }: Remark): Pick<DepositInput, "about"> {
  if (kind === "fix") return { about: "fix" };
  return ask.intent.kind === "optimize-flow" ? { about: "flow" } : {};
}

/** What is known already in other words is compared as well; where the memory cannot be opened, only in the same words. */
async function withMemory<T>(
  { ask, settings, signal }: Scene,
  deps: EngineDeps,
  use: (memory: TreeMemory | null) => Promise<T>,
): Promise<T> {
  const warn = (message: string) => deps.log.warn({ delivery: ask.key }, message);
  const place = { repository: ask.repository, options: settings.memory, warn };
  const memory = await deps.openMemory(place, signal).catch((error: unknown) => {
    if (!isAccrueError(error) || signal.aborted) throw error;
    warn(error.message);
    return null;
  });
  try {
    return await use(memory);
  } finally {
    memory?.close();
  }
}

/** What the depositor cost, on the requirement's own branch, so that the bill survives any disk. */
function costsOf(
  { ask, doors }: Scene,
  { place }: KnowledgeView,
  { ledger }: Pick<EngineDeps, "ledger">,
): [string, string][] {
  const id = askId(ask);
  // A call that was never answered cost nothing.
  const rows = ledger.costRows(id).filter(({ calls }) => calls > 0);
  const req = requirementOfBranch(place.branch);
  if (req === null || rows.length === 0) return [];
  const event = costEvent({ id, req, run: id, actor: doors.self, at: ask.at, rows });
  return [[eventPath(event), formatEvent(event)]];
}

/** What was said again, in its new words. */
function eventsOf({ repeated }: RecordedRemark, { run, at }: DepositInput): [string, string][] {
  if (repeated.length === 0) return [];
  const events = repeated.map((one) => ({ v: 1, ...one, run, at, kind: "seen" }) as const);
  return [[eventsPath(run, at), formatEvents(events)]];
}

/** The event that the run itself wrote down of the fix: the same is not recorded twice. Null when it wrote none. */
function notedByRun(tree: Tree, { fixed }: Remark): RecordedRemark | null {
  if (fixed === null) return null;
  const { run, command } = fixed;
  const event = [...tree]
    .filter(([path]) => path.startsWith("context/deposits/"))
    .flatMap(([path, text]) => parseDeposit(path, text).deposit ?? [])
    .find(
      (deposit) =>
        deposit.origin === "bug" && deposit.run === run && isSameCheck(deposit.note.problem, command),
    );
  if (!event) return null;
  const { id, title } = event.note;
  return { ...NOTHING, skipped: [{ title, code: "known", reason: "the run recorded it", known: id }] };
}

/** Whether an event is of a command, or of a part of what it runs: tests that a change can reach run first, by themselves. */
function isSameCheck(problem: string, command: string): boolean {
  const noted = /^`([^`]+)`/.exec(problem)?.[1] ?? "";
  return noted !== "" && (`${noted} `.startsWith(`${command} `) || `${command} `.startsWith(`${noted} `));
}

/** What an earlier try of the same ask recorded; null when there was none. */
function earlierTry({ files, before }: KnowledgeView, id: string): RecordedRemark | null {
  if (before === null) return null;
  const deposits = [...files]
    .filter(([path]) => path.startsWith("context/deposits/"))
    .flatMap(([path, text]) => parseDeposit(path, text).deposit ?? [])
    .filter(({ run }) => run === id);
  const recorded = deposits.map(recordedOf);
  return { ...NOTHING, deposits, recorded };
}
