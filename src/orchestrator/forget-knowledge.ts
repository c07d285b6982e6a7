import { type Tree, forget } from "../knowledge/index.js";
import { inertSubject } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import {
  type FindPlace,
  type KnowledgeChange,
  type PushedKnowledge,
  depositPlace,
  messageWith,
  pushKnowledge,
  standingPlace,
} from "./push-knowledge.js";
import type { Scene } from "./scene.js";
import type { EngineDeps } from "./types.js";

const ID = /(?<![\p{L}\p{N}-])(?:EXP-[0-9A-Z]{4,32}|R-[0-9A-Z]{6,8})(?![\p{L}\p{N}])/giu;
const RETIRED = "Retired: ";
const OWN_BRANCHES = "agent/";

/** What was forgotten. */
export interface ForgottenIds {
  /** Notes and rules that do not count any more. */
  retired: string[];
  /** Files that say so, or that are gone. */
  paths: string[];
  /** Ids that nothing has here. */
  unknown: string[];
}

/** The ids of notes and rules that a text names. */
export function idsIn(text: string): string[] {
  return [...new Set([...text.matchAll(ID)].map(([id]) => id.toUpperCase()))];
}

/**
 * Retires notes and rules, or deletes deposits that were not filed yet: on the branch that holds them, or where deposits go from
 * here, never on the default branch.
 */
export async function forgetKnowledge(
  scene: Scene,
  { ids, mirror }: { ids: readonly string[]; mirror: Mirror },
  { clock }: Pick<EngineDeps, "clock">,
): Promise<PushedKnowledge<ForgottenIds>> {
  const by = scene.ask.actor?.login ?? "unknown";
  const source = scene.ask.comment?.url ?? scene.ask.thread?.url ?? "";
  return pushKnowledge(scene, { mirror, clock, findPlace: placeHolding(ids) }, ({ files, before }) => {
    const made = before === null ? null : earlierTry(before);
    if (made) return Promise.resolve({ made, commit: null });
    return Promise.resolve(changeFor(files, ids, `Said by ${inertSubject(by)}: ${source}`));
  });
}

/** The branch that knows one of these: that of deposits from here, else a branch of ours where it still waits, else the base's. */
function placeHolding(ids: readonly string[]): FindPlace {
  return async (scene, mirror, trailer) => {
    const holds = async (sha: string, prefix: string) => {
      const files = await mirror.readFiles(sha, [prefix]);
      return ids.some((id) => forget(files, id) !== null);
    };
    const isMeant = async (sha: string, prefix: string) =>
      (await holds(sha, prefix)) || (scene.attempt > 1 && (await messageWith(mirror, sha, trailer)) !== null);
    const here = await depositPlace(scene, mirror, trailer);
    if (await isMeant(here.parent, "context/")) return here;
    const base = scene.settings.base || scene.ask.defaultBranch;
    for (const { name, sha } of await mirror.branches(OWN_BRANCHES))
      if (name !== base && (await isMeant(sha, "context/deposits/")))
        return { branch: name, parent: sha, isNew: false };
    return standingPlace(scene, mirror, trailer);
  };
}

function changeFor(files: Tree, ids: readonly string[], said: string): KnowledgeChange<ForgottenIds> {
  const after = new Map(files);
  const writes = new Map<string, string | null>();
  const made: ForgottenIds = { retired: [], paths: [], unknown: [] };
  for (const id of ids) {
    const forgotten = forget(after, id);
    if (forgotten === null) made.unknown.push(id);
    for (const [path, text] of forgotten?.writes ?? []) {
      writes.set(path, text);
      if (text === null) after.delete(path);
      else after.set(path, text);
    }
    made.retired.push(...(forgotten?.ids ?? []));
  }
  for (const [path, text] of writes) if (files.get(path) === text) writes.delete(path);
  made.retired = [...new Set(made.retired)];
  made.paths = [...writes.keys()];
  if (writes.size === 0) return { made, commit: null };
  const body = [said, "", `${RETIRED}${made.retired.join(", ")}`, ...made.paths.map((path) => `- ${path}`)];
  return { made, commit: { writes, subject: `Forget ${made.retired[0] ?? ""}`, body: body.join("\n") } };
}

function earlierTry(message: string): ForgottenIds | null {
  const lines = message.split("\n");
  const retired = lines
    .find((line) => line.startsWith(RETIRED))
    ?.slice(RETIRED.length)
    .split(", ");
  const paths = lines.flatMap((line) => /^- (context\/.+)$/.exec(line)?.[1] ?? []);
  return retired ? { retired, paths, unknown: [] } : null;
}
