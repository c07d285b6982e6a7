import type { Tree } from "../knowledge/index.js";
import {
  type Footprint,
  foldState,
  footprintOf,
  parseEvents,
  parseRequirement,
  parseTasks,
} from "../requirements/index.js";
import type { Mirror } from "../workspace/index.js";
import { requirementOfBranch } from "./requirement-of.js";
import { pathsOf } from "./task-file.js";

const FOLDER = /^requirements\/(in-progress|completed)\/((REQ-(?:\d{8}-[0-9A-Z]{6}|\d+))(?:-[^/]*)?)\//;

/** What a requirement touches, by its documents. */
export function footprintIn(
  id: string,
  documents: { requirement: string; design: string; tasks: string },
): Footprint {
  const { requirement, design, tasks } = documents;
  const { criteria } = parseRequirement(requirement);
  return footprintOf(id, {
    criteria,
    requirement,
    design,
    files: parseTasks(tasks).flatMap(pathsOf),
  });
}

/** What the completed requirements of a tree touch. */
export function completedFootprints(tree: Tree, except: string): Footprint[] {
  return footprintsIn(tree, "completed").filter(({ id }) => id !== except);
}

/** An open requirement on a branch of its own, and what it touches. */
export interface OpenRequirement extends Footprint {
  title: string;
  branch: string;
}

/** The requirements that are open on branches of their own; those that were merged or given up are not among them. */
export async function openRequirements(mirror: Mirror, base: Tree): Promise<OpenRequirement[]> {
  const found: OpenRequirement[] = [];
  for (const { name, sha } of await mirror.branches("")) {
    const id = requirementOfBranch(name);
    if (id === null || isOnBase(base, id)) continue;
    const tree = await mirror.readFiles(sha, ["requirements/in-progress/", `requirements/events/${id}/`]);
    const { state } = foldState(parseEvents(tree, id).events);
    const footprint = footprintsIn(tree, "in-progress").find((one) => one.id === id);
    if (!footprint || state === "cancelled" || state === "completed") continue;
    found.push({ ...footprint, title: titleIn(tree, id), branch: name });
  }
  return found;
}

function isOnBase(base: Tree, id: string): boolean {
  return [...base.keys()].some((path) => FOLDER.exec(path)?.[3] === id);
}

function footprintsIn(tree: Tree, place: "in-progress" | "completed"): Footprint[] {
  const folders = new Map<string, string>();
  for (const path of tree.keys()) {
    const [, where, folder = "", id = ""] = FOLDER.exec(path) ?? [];
    if (where === place) folders.set(id, `requirements/${place}/${folder}`);
  }
  return [...folders].map(([id, folder]) => {
    const read = (file: string) => tree.get(`${folder}/${file}`) ?? "";
    return footprintIn(id, {
      requirement: read("requirement.md"),
      design: read("design.md"),
      tasks: read("tasks.md"),
    });
  });
}

function titleIn(tree: Tree, id: string): string {
  const path = [...tree.keys()].find(
    (name) => FOLDER.exec(name)?.[3] === id && name.endsWith("/requirement.md"),
  );
  return parseRequirement(tree.get(path ?? "") ?? "").title || id;
}

/** Requirements that were merged before a time and are not filed. Those that wait for others to do their part are not meant. */
export function unfolded(base: Tree, beforeMs: number): { id: string; since: string }[] {
  return footprintsIn(base, "in-progress").flatMap(({ id }) => {
    const { state, since } = foldState(parseEvents(base, id).events);
    const isWaiting = state === "verifying" || state === "cancelled";
    return !isWaiting && since !== "" && Date.parse(since) < beforeMs ? [{ id, since }] : [];
  });
}
