import { verify } from "node:crypto";
import type { Clock } from "../shared/index.js";
import { z } from "zod";
import { Refusal } from "./refusal.js";
import type { ForgeState, Token } from "./state.js";

/** GitHub takes an App's token that lives at most ten minutes; clocks may differ by one. */
const MAX_JWT_SECONDS = 600;
const CLOCK_SKEW_SECONDS = 60;

/** Who asks. */
export type Credential = { kind: "anonymous" } | { kind: "app" } | Token;

const JwtHeader = z.object({ alg: z.literal("RS256") });
const JwtClaims = z.object({
  iat: z.number(),
  exp: z.number(),
  iss: z.union([z.string(), z.number()]),
});

/** Reads an `Authorization` header, or refuses with the 401 that GitHub gives. */
export function authenticate(state: ForgeState, clock: Clock, header: string | undefined): Credential {
  if (header === undefined) return { kind: "anonymous" };
  const token = tokenOf(header);
  if (token.split(".").length === 3) {
    checkJwt(state, clock, token);
    return { kind: "app" };
  }
  const known = findToken(state, clock, token);
  if (!known) throw new Refusal(401, "Bad credentials");
  if (known.kind === "installation" && isSuspended(state, known.installationId))
    throw new Refusal(403, "This installation has been suspended");
  return known;
}

/** A token that is known and not expired, or null. */
export function findToken(state: ForgeState, clock: Clock, token: string): Token | null {
  const known = state.tokens.get(token);
  if (!known) return null;
  return known.kind === "installation" && known.expiresAt <= clock.now() ? null : known;
}

/** True while the owner has the App suspended, or after it was uninstalled. */
export function isSuspended(state: ForgeState, installationId: number): boolean {
  return state.installations.get(installationId)?.suspendedAt !== null;
}

function tokenOf(header: string): string {
  const [scheme = "", value = ""] = header.split(/\s+(.*)/s);
  if (/^(bearer|token)$/i.test(scheme)) return value.trim();
  if (!/^basic$/i.test(scheme)) throw new Refusal(401, "Bad credentials");
  return Buffer.from(value, "base64").toString("utf8").split(":").at(-1) ?? "";
}

function undecodable(): Refusal {
  return new Refusal(401, "A JSON web token could not be decoded");
}

function checkJwt(state: ForgeState, clock: Clock, token: string): void {
  const [head = "", claims = "", signature = ""] = token.split(".");
  const header = JwtHeader.safeParse(decode(head));
  const signed = verify(
    "RSA-SHA256",
    Buffer.from(`${head}.${claims}`),
    state.app.publicKey,
    Buffer.from(signature, "base64url"),
  );
  if (!header.success || !signed) throw undecodable();
  const parsed = JwtClaims.safeParse(decode(claims));
  if (!parsed.success) throw undecodable();
  const { exp, iat, iss } = parsed.data;
  const now = clock.now() / 1000;
  if (exp <= now)
    throw new Refusal(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  if (exp - now > MAX_JWT_SECONDS + CLOCK_SKEW_SECONDS)
    throw new Refusal(401, "'Expiration time' claim ('exp') is too far in the future");
  if (iat > now + CLOCK_SKEW_SECONDS)
    throw new Refusal(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  if (String(iss) !== String(state.app.id) && iss !== state.app.clientId)
    throw new Refusal(401, "Integration not found");
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    throw undecodable();
  }
}
