import type { Account } from "./types.js";

const TYPES: readonly string[] = ["User", "Bot", "Organization", "Mannequin"] satisfies Account["type"][];

/** Reads an account as GitHub gives it; null for a deleted user. */
export function accountOf(
  json: { id: number; login: string; type: string } | null | undefined,
): Account | null {
  if (!json) return null;
  const type = TYPES.includes(json.type) ? (json.type as Account["type"]) : "User";
  return { id: json.id, login: json.login, type };
}
