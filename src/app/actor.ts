import type { Actor } from "../orchestrator/index.js";

/** Which bots the app is and which it listens to. */
export interface BotSettings {
  /** The app's slug: it writes as `<slug>[bot]`. */
  handle: string;
  /** Ids, or logins of bots with or without `[bot]`. */
  allowedBots: readonly string[];
}

/** Why an actor is not listened to, or null. People are always heard here; what they may do is decided later. */
export function refusalOf(actor: Actor | null, settings: BotSettings): string | null {
  if (actor?.type !== "Bot") return null;
  if (plain(actor.login) === plain(settings.handle)) return "it is the app's own event";
  const isListed = settings.allowedBots.some(
    (entry) => entry === String(actor.id) || plain(entry) === plain(actor.login),
  );
  return isListed ? null : `the bot ${actor.login} (id ${actor.id}) is not in permissions.allowed_bots`;
}

// One interface of GitHub says `dependabot`, the other `dependabot[bot]`.
function plain(login: string): string {
  return login.toLowerCase().replace(/\[bot\]$/, "");
}
