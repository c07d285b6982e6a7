import { requirementOfBranch } from "../orchestrator/index.js";
import { parseEvents } from "../requirements/index.js";
import { AccrueError } from "../shared/index.js";
import type { LocalRepository } from "./local.js";

/** A requirement that a person named to go on with. */
export interface NamedRequirement {
  id: string;
  /** What was asked for, in the words of then. */
  text: string;
}

/** The id in what was typed, or null when it is a new wish. */
export function namedIn(text: string): string | null {
  return /^REQ-[0-9A-Za-z-]+$/i.exec(text)?.[0]?.toUpperCase() ?? null;
}

/**
 * Finds a requirement of this repository by its branch, or by its events on the branch that is checked out. Throws
 * `INPUT_INVALID` when there is none, or when a worktree stands on its branch, which a push would pull away.
 */
export async function findRequirement(repository: LocalRepository, id: string): Promise<NamedRequirement> {
  const { ask, branch: current } = repository;
  const format = "--format=%(refname:lstrip=2)%00%(worktreepath)";
  const lines = (await ask("for-each-ref", format, "refs/heads/")).split("\n");
  const branches = lines.map((line) => line.split("\0")).map(([name = "", path = ""]) => ({ name, path }));
  const own = branches.find(({ name }) => requirementOfBranch(name) === id);
  if (own?.path) {
    const cure = "switch that checkout to the branch that the work starts from, then run again";
    throw new AccrueError("INPUT_INVALID", `${own.name} is checked out in ${own.path}: ${cure}.`);
  }
  const tree = await eventsOn(repository, `refs/heads/${own?.name ?? current}`, id);
  if (!own && tree.size === 0) {
    const cure = "`git branch --list 'agent/*'` shows the requirements that are open";
    throw new AccrueError("INPUT_INVALID", `${id} is no requirement of this repository: ${cure}.`);
  }
  const { events } = parseEvents(tree, id);
  const opened = events.find((event) => event.type === "state" && event.to === "opened");
  return { id, text: (opened?.type === "state" && opened.evidence) || id };
}

async function eventsOn({ ask }: LocalRepository, ref: string, id: string): Promise<Map<string, string>> {
  const listed = await ask("ls-tree", "-r", "-z", "--name-only", ref, `requirements/events/${id}/`);
  const tree = new Map<string, string>();
  for (const path of listed.split("\0").filter(Boolean)) {
    tree.set(path, await ask("cat-file", "blob", `${ref}:${path}`));
  }
  return tree;
}
