import { randomBytes } from "node:crypto";
import { AccrueError } from "../shared/index.js";
import type { Hub } from "./hub.js";
import { findAccount, findRepository, nextId } from "./lookup.js";
import type { Account, Repository } from "./state.js";

/** The account of a login that the caller says is there. */
export function demandAccount(hub: Hub, login: string): Account {
  const account = findAccount(hub.state, login);
  if (account) return account;
  throw new AccrueError(
    "INPUT_INVALID",
    `The forge has no account ${login}: call addUser("${login}") first.`,
  );
}

/** The repository of an `owner/name` that the caller says is there. */
export function demandRepository(hub: Hub, fullName: string): Repository {
  const repository = findRepository(hub.state, fullName);
  if (repository) return repository;
  throw new AccrueError(
    "INPUT_INVALID",
    `The forge has no repository ${fullName}: call addRepository first.`,
  );
}

/** Finds or adds an account; a type that is given counts for a found one too. */
export function ensureAccount(hub: Hub, login: string, type?: Account["type"]): Account {
  const found = findAccount(hub.state, login);
  if (found) {
    found.type = type ?? found.type;
    return found;
  }
  const account: Account = { id: nextId(hub.state), login, type: type ?? "User", createdAt: hub.clock.now() };
  hub.state.accounts.set(account.id, account);
  return account;
}

/** Gives a person a token of their own. */
export function addToken(hub: Hub, account: Account, wished: string | undefined): string {
  const token = wished ?? `ghp_${randomBytes(18).toString("hex")}`;
  hub.state.tokens.set(token, { kind: "user", accountId: account.id });
  return token;
}

/** Takes an account away; what it wrote stays. Owners stay too: GitHub would delete all that they own. */
export function removeAccount(hub: Hub, account: Account): void {
  const { app, repositories, installations } = hub.state;
  const owners = [...repositories.values(), ...installations.values()].map(({ owner }) => owner);
  if (owners.includes(account.login) || account.id === app.ownerId || account.id === app.botId)
    throw new AccrueError(
      "INPUT_INVALID",
      `${account.login} owns something in the forge: delete another account.`,
    );
  hub.state.accounts.delete(account.id);
  for (const [token, known] of hub.state.tokens)
    if (known.kind === "user" && known.accountId === account.id) hub.state.tokens.delete(token);
}
