import { reactionTarget } from "./github-front.js";
import type { Scene } from "./scene.js";

const RANKS = ["none", "read", "triage", "write", "maintain", "admin"];

/** Why this ask is not answered, or null. Fails closed: only a permission that GitHub confirms counts. */
export async function refusalOf({ ask, doors, settings }: Scene): Promise<string | null> {
  const { port } = doors;
  if (!port) return null;
  const isClosing = ask.intent.kind === "stop" && ask.comment === null;
  const isMerge = ask.intent.kind === "continue" && ask.intent.merged;
  if (isClosing || isMerge) return null;
  if (!ask.actor) return "the sender's account does not exist any more";
  if (ask.actor.type !== "User") {
    return settings.permissions.allowed_bots.includes(ask.actor.login)
      ? null
      : `${ask.actor.login} is a bot that is not in permissions.allowed_bots`;
  }
  const permission = await port.permission(ask.actor.login);
  if (reaches(permission, settings)) return null;
  const target = reactionTarget(ask);
  if (target && ask.comment) await port.react(target, "confused");
  return `@${ask.actor.login} has ${permission} permission here, ${settings.permissions.trigger} is needed`;
}

/** Why somebody who asked may not have work done in another repository, or null. Fails closed, and a bot has to be allowed there. */
export async function refusalIn(
  { doors, settings }: Pick<Scene, "doors" | "settings">,
  actor: Scene["ask"]["actor"],
  repository: string,
): Promise<string | null> {
  const login = actor?.login ?? "";
  const isAllowed =
    actor?.type === "User"
      ? await mayTrigger({ doors, settings }, login)
      : settings.permissions.allowed_bots.includes(login);
  if (isAllowed) return null;
  return `@${login} may not have ${repository} changed: somebody with ${settings.permissions.trigger} permission there has to ask.`;
}

/** True for a person whom this repository listens to. Fails closed. */
export async function mayTrigger(
  { doors, settings }: Pick<Scene, "doors" | "settings">,
  login: string,
): Promise<boolean> {
  return doors.port === null || reaches(await doors.port.permission(login), settings);
}

function reaches(permission: string, { permissions }: Scene["settings"]): boolean {
  return RANKS.indexOf(permission) >= RANKS.indexOf(permissions.trigger);
}
