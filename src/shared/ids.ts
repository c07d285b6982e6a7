import { hash, randomBytes } from "node:crypto";
import { monotonicFactory } from "ulid";
import type { Clock } from "./clock.js";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A source of run, event and deposit ids: they sort in the order they were made, also within one millisecond. */
export function createUlids(clock: Clock): () => string {
  const next = monotonicFactory();
  return () => next(clock.now());
}

/** Random Crockford base32 characters, for note (8) and rule (6) ids. */
export function randomBase32(length: number): string {
  return Array.from(randomBytes(length), (byte) => CROCKFORD[byte % 32]).join("");
}

/** The requirement's id: `REQ-<issue number>`, or `REQ-<yyyymmdd>-<6 base32>` without an issue. */
export function requirementId(issue: number | null, clock: Clock): string {
  if (issue !== null) return `REQ-${issue}`;
  const day = new Date(clock.now()).toISOString().slice(0, 10).replaceAll("-", "");
  return `REQ-${day}-${randomBase32(6)}`;
}

/** Hex SHA-256 of a text or bytes. */
export function sha256(content: string | Uint8Array): string {
  return hash("sha256", content);
}
