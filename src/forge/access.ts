import type { PermissionName, Permissions } from "./app.js";
import { notAccessible, notFound, Refusal } from "./refusal.js";
import type { Call } from "./router.js";
import { textOf } from "./router.js";
import { accountOf, findRepository, installationOn, nameOf } from "./lookup.js";
import type { Account, ForgeState, Repository, Token } from "./state.js";
import type { ForgeRole } from "./role.js";

const ROLES = ["none", "read", "triage", "write", "maintain", "admin"] as const;

/** What an operation asks of a token. */
interface Need {
  /** Of an installation: one of these. */
  permission: PermissionName | PermissionName[];
  level: "read" | "write";
  /** Of a person. Default: `read` to read, `write` to write. */
  person?: ForgeRole;
}

/** What a person may do in a repository; anybody may read a public one. */
export function roleIn(repository: Repository, account: Account): ForgeRole | "none" {
  if (account.login.toLowerCase() === repository.owner.toLowerCase()) return "admin";
  return repository.collaborators.get(account.id) ?? (repository.isPrivate ? "none" : "read");
}

/** True when the first role can do what the second can. */
export function atLeast(role: ForgeRole | "none", wanted: ForgeRole): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(wanted);
}

/** True when an installation's token reaches this repository at all. */
export function reaches(state: ForgeState, token: Token, repository: Repository): boolean {
  if (token.kind === "user") return roleIn(repository, accountOf(state, token.accountId)) !== "none";
  const isInstalled = installationOn(state, repository)?.id === token.installationId;
  return isInstalled && (token.repositoryIds === null || token.repositoryIds.includes(repository.id));
}

/** True when permissions hold one of the names at the level. */
export function allows(permissions: Permissions, names: PermissionName[], level: "read" | "write"): boolean {
  return names.some((name) => permissions[name] === "write" || permissions[name] === level);
}

/** The repository of a call, if its token may do what the operation needs; 401, 403 or 404 otherwise. */
export function openRepository(state: ForgeState, call: Call, need: Need): Repository {
  const repository = findRepository(state, `${textOf(call, "owner")}/${textOf(call, "repo")}`);
  if (!repository) throw notFound();
  demand(state, call, repository, need);
  return repository;
}

/** Checks a further need on a repository that is already found, such as that of an issue or of a pull request. */
export function demand(state: ForgeState, call: Call, repository: Repository, need: Need): void {
  const { credential } = call;
  const names = [need.permission].flat();
  if (credential.kind === "anonymous") {
    if (repository.isPrivate) throw notFound();
    if (need.level === "write") throw new Refusal(401, "Requires authentication");
    return;
  }
  if (credential.kind === "app")
    throw new Refusal(
      403,
      "You must authenticate with an installation access token in order to access this endpoint.",
    );
  if (!reaches(state, credential, repository)) throw notFound();
  if (credential.kind === "installation" && !allows(credential.permissions, names, need.level))
    throw notAccessible(names.map((name) => `${name}=${need.level}`).join("; "));
  if (credential.kind === "user") {
    const role = roleIn(repository, accountOf(state, credential.accountId));
    if (!atLeast(role, need.person ?? need.level))
      throw new Refusal(403, "Must have admin rights to Repository.");
  }
  if (repository.archived && need.level === "write")
    throw new Refusal(403, "Repository was archived so is read-only.");
}

/** The account that an operation is done by. */
export function actorOf(state: ForgeState, call: Call): Account {
  const { credential } = call;
  if (credential.kind === "user") return accountOf(state, credential.accountId);
  if (credential.kind === "installation") return accountOf(state, state.app.botId);
  throw new Refusal(401, "Requires authentication");
}

/** True when the App does it, and not a person. */
export function isApp(call: Call): boolean {
  return call.credential.kind === "installation";
}

/** Only the App itself may ask this, with its own token. */
export function demandApp(call: Call): void {
  if (call.credential.kind !== "app") throw new Refusal(401, "A JSON web token could not be decoded");
}

/** True when a thing belongs to whoever asks, or the asker's rights in the repository are wide enough. */
export function mayChange(state: ForgeState, call: Call, repository: Repository, authorId: number): boolean {
  if (isApp(call)) return true;
  const actor = actorOf(state, call);
  return actor.id === authorId || atLeast(roleIn(repository, actor), "write");
}

/** Refuses the App where a branch is protected, in the words of git's refusal. */
export function demandUnprotected(call: Call, repository: Repository, branch: string): void {
  if (!isApp(call) || !repository.protectedBranches.has(branch)) return;
  throw new Refusal(
    422,
    `GH006: Protected branch update failed for refs/heads/${branch} of ${nameOf(repository)}. Changes must be made through a pull request.`,
  );
}
