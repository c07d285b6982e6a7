import { createHash } from "node:crypto";
import type { RepositoryRef } from "../shared/index.js";
import type { Ask } from "./intent.js";

const IN_BRANCH = /(?:^|[/-])(REQ-(?:\d{8}-[0-9A-Z]{6}|\d+))(?=$|[^0-9A-Za-z])/;

/** The requirement that a branch name speaks of, or null. */
export function requirementOfBranch(branch: string | null): string | null {
  return (branch && IN_BRANCH.exec(branch)?.[1]) ?? null;
}

/** Behind an underscore a requirement is another repository's: the branch is part of it, and speaks of none of this one's. */
const FOREIGN = /(?:^|[/-])([\w-]+?)_([\w.-]+)_(REQ-(?:\d{8}-[0-9A-Z]{6}|\d+))(?=$|[^0-9A-Za-z])/;

/** A requirement as branches in other repositories name it. */
export function foreignName(
  { owner, name }: Pick<RepositoryRef, "owner" | "name">,
  requirement: string,
): string {
  return `${owner}_${name}_${requirement}`;
}

/** Where the requirement is that a branch of another repository was made for, such as `acme/shop#12`; null when it was for none. */
export function foreignThread(branch: string | null): string | null {
  const [, owner = "", name = "", requirement = ""] = (branch && FOREIGN.exec(branch)) || [];
  if (requirement === "") return null;
  const issue = /^REQ-(\d+)$/.exec(requirement)?.[1];
  return issue ? `${owner}/${name}#${issue}` : `${requirement} (${owner}/${name})`;
}

/**
 * The requirement an ask is about: the pull request's by its branch, the issue's by its number, else what the text names; null
 * when it needs a new id.
 */
export function requirementOf(ask: Ask): string | null {
  const named = requirementOfBranch(ask.headRef);
  if (named) return named;
  if (ask.thread) return `REQ-${ask.thread.number}`;
  return "text" in ask.intent
    ? (/^(REQ-(?:\d{8}-[0-9A-Z]{6}|\d+))$/.exec(ask.intent.text.trim())?.[1] ?? null)
    : null;
}

/** The issue that shows how its requirement stands, wherever it was spoken of; null when there is none. */
export function issueOf(ask: Ask, requirement: string): number | null {
  if (ask.thread && !ask.thread.isPull) return ask.thread.number;
  return Number(/^REQ-(\d+)$/.exec(requirement)?.[1] ?? 0) || null;
}

/** What is serialised: everything about one requirement of one repository. */
export function groupOf(ask: Pick<Ask, "repository">, requirement: string): string {
  const { host, owner, name } = ask.repository;
  return `${host}/${owner}/${name}#${requirement}`.toLowerCase();
}

/** A run id that is the same each time the same delivery is decided, so that a crash between deciding and queueing makes no second run. */
export function stableUlid(timeMs: number, key: string): string {
  const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  let time = "";
  for (let rest = timeMs, index = 0; index < 10; index++, rest = Math.floor(rest / 32))
    time = (alphabet[rest % 32] ?? "0") + time;
  const chance = Array.from(
    createHash("sha256").update(key).digest().subarray(0, 16),
    (byte) => alphabet[byte % 32],
  ).join("");
  return time + chance;
}
