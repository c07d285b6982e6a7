import { AccrueError, isAccrueError } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import { askAt } from "./ask-at.js";
import { readableBranch } from "./readable-branch.js";
import { openMirror } from "./resources.js";
import type { Scene } from "./scene.js";
import { repositoryNamed } from "./service-place.js";
import { fullName } from "./site.js";
import type { EngineDeps } from "./types.js";
import { refusalIn } from "./who-may.js";

/** The repository whose knowledge several share, as somebody may write to it. */
export interface SharedPlace {
  /** As GitHub knows it, `owner/name`. */
  name: string;
  /** The same ask, seen from there. */
  scene: Scene;
  mirror: Mirror;
}

/** Where knowledge goes that several repositories share: there, or nowhere else than at home, with the reason. */
export type SharedHome =
  | { kind: "none" }
  | { kind: "open"; place: SharedPlace }
  | { kind: "closed"; name: string; reason: string };

/** What `knowledge.repository` names for a repository; empty where that is itself, as a default of the whole organisation says of it. */
export function sharedName({ ask, settings }: Pick<Scene, "ask" | "settings">): string {
  const { repository } = settings.knowledge;
  return repository.toLowerCase() === fullName(ask.repository).toLowerCase() ? "" : repository;
}

/** Finds where what is learnt here is written for all: `knowledge.repository`, if the app and whoever asked may write there. */
export async function sharedHome(scene: Scene, deps: EngineDeps): Promise<SharedHome> {
  const name = sharedName(scene);
  if (name === "" || !scene.doors.port) return { kind: "none" };
  try {
    return { kind: "open", place: await openShared(scene, name, deps) };
  } catch (error) {
    if (!isAccrueError(error) || error.retryable || scene.signal.aborted) throw error;
    return { kind: "closed", name, reason: error.message };
  }
}

async function openShared(scene: Scene, name: string, deps: EngineDeps): Promise<SharedPlace> {
  const named = repositoryNamed(name);
  if (!named) throw new AccrueError("CONFIG_INVALID", `${name} is no repository of the form owner/name.`);
  const other = askAt(scene.ask, named);
  const doors = await deps.doors(other);
  const login = scene.ask.actor?.login ?? "";
  const branch = await readableBranch(doors, { name, login });
  const ask = { ...other, defaultBranch: branch ?? "", headRef: null };
  const theirs = await deps.settings(ask, doors);
  const refusal = await refusalIn({ doors, settings: theirs }, ask.actor, name);
  if (refusal !== null) throw new AccrueError("GITHUB_DENIED", refusal);
  if ((await doors.port?.about())?.isArchived === true)
    throw new AccrueError("GITHUB_DENIED", `${name} is archived: nobody can push to it.`);
  const { settings } = scene;
  const there: Scene = {
    ...scene,
    ask,
    doors,
    requirement: null,
    // How it is asked and judged is decided at home; where it lies, there.
    settings: {
      ...settings,
      base: theirs.base,
      branch: theirs.branch,
      permissions: theirs.permissions,
      knowledge: { ...settings.knowledge, roots: theirs.knowledge.roots },
    },
  };
  return { name, scene: there, mirror: await openMirror(deps, there, scene.signal) };
}
