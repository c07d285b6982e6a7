import { createHash } from "node:crypto";

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_LENGTH = 10;

/**
 * A ULID of the run's own time for something that the run makes, the same each time it is made: after a crash it is found and not
 * made twice.
 */
export function idWithin(run: string, what: string): string {
  const digest = createHash("sha256").update(`${run} ${what}`).digest();
  const chance = Array.from(digest.subarray(0, 16), (byte) => DIGITS.charAt(byte % DIGITS.length)).join("");
  return run.slice(0, TIME_LENGTH) + chance;
}
