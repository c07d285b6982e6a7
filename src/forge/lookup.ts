import { AccrueError, isoTime } from "../shared/index.js";
import type { Account, ForgeState, Installation, Issue, PullIssue, Repository } from "./state.js";

/** The next id; one row of numbers for everything, so that mixed-up ids never fit by chance. */
export function nextId(state: ForgeState): number {
  state.lastId += 1;
  return state.lastId;
}

/** GitHub's node id, opaque to clients: kind and id. */
export function nodeId(kind: string, id: number | string): string {
  return `${kind}_${Buffer.from(String(id)).toString("base64url")}`;
}

/** A time as GitHub writes it: UTC, to the second. */
export function gitHubTime(ms: number): string {
  return isoTime(ms).replace(/\.\d+Z$/, "Z");
}

/** The account of a login, in any case, or null. */
export function findAccount(state: ForgeState, login: string): Account | null {
  const wanted = login.toLowerCase();
  for (const account of state.accounts.values()) if (account.login.toLowerCase() === wanted) return account;
  return null;
}

/** The account behind an id that must exist, such as the one a token belongs to. */
export function accountOf(state: ForgeState, id: number): Account {
  const account = state.accounts.get(id);
  if (!account) throw new AccrueError("INPUT_INVALID", `The forge has no account ${id}: add it first.`);
  return account;
}

/** The account that owns a repository or an installation; it is never deleted. */
export function ownerOf(state: ForgeState, login: string): Account {
  const account = findAccount(state, login);
  if (!account) throw new AccrueError("INPUT_INVALID", `The forge has no account ${login}: add it first.`);
  return account;
}

/** A repository by `owner/name`, in any case, or null. */
export function findRepository(state: ForgeState, fullName: string): Repository | null {
  const wanted = fullName.toLowerCase();
  for (const repository of state.repositories.values())
    if (nameOf(repository).toLowerCase() === wanted) return repository;
  return null;
}

/** `owner/name`. */
export function nameOf(repository: Repository): string {
  return `${repository.owner}/${repository.name}`;
}

/** The App's installation that reaches a repository, or null. */
export function installationOn(
  state: ForgeState,
  { id, owner }: Pick<Repository, "id" | "owner">,
): Installation | null {
  for (const installation of state.installations.values())
    if (installation.owner.toLowerCase() === owner.toLowerCase())
      return installation.selected?.has(id) === false ? null : installation;
  return null;
}

/** Tells a pull request from an issue. */
export function isPull(issue: Issue): issue is PullIssue {
  return issue.pull !== null;
}

/** Runs work on a repository's refs after all work before it, so that what is read before and after it is true. */
export function inTurn<T>(repository: Repository, work: () => Promise<T>): Promise<T> {
  const result = repository.queue.then(work);
  repository.queue = result.then(
    () => undefined,
    () => undefined,
  );
  return result;
}
