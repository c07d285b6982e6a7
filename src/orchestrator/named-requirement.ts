import { parseEvents } from "../requirements/index.js";
import { branchOf } from "./requirement-branch.js";
import type { Decision } from "./decision.js";
import type { Ask, Intent } from "./intent.js";
import { decline, reply } from "./reply.js";
import { issueOf } from "./requirement-of.js";
import { openMirror } from "./resources.js";
import type { Scene } from "./scene.js";
import { saying } from "./texts/replies.js";
import type { EngineDeps } from "./types.js";

const ID = String.raw`REQ-(?:\d{8}-[0-9A-Z]{6}|\d+)`;
/** Not within a branch's name, a path or a longer word; Chinese stands around it without spaces. */
const NAMED = new RegExp(String.raw`(?<![A-Za-z0-9_/.-])${ID}(?![A-Za-z0-9_/-])`, "gi");
/** What a wish is compared with is not what it is about. */
const COMPARED = new RegExp(
  String.raw`(?:\b(?:like|as in|see|cf\.?|similar to|same as)|参考|参照|类似|仿照|像|见)\s*${ID}`,
  "gi",
);
/** Words that speak of going on, and an id that the rest is said to. */
const GOES_ON = new RegExp(
  String.raw`^[\s\p{P}]*(?:(?:please\s+|请)?(?:go on|carry on|resume|proceed|pick up|接着|继续)|${ID}(?![A-Za-z0-9_/-]))`,
  "iu",
);
/** Intents that are about work on a requirement. */
const WORK: readonly Intent["kind"][] = ["start", "change", "continue", "retry", "approve"];
/** What follows an id in "continue REQ-12, but make it blue" is a wish of its own. */
const AND = new RegExp(
  String.raw`^\D*${ID}\s*(?:[,，;；:：。—]+|\bbut\b|\band\b|但是?|并且?|而且)\s*(\S[\s\S]+)$`,
  "iu",
);

const KIND_WORDS = /^(?:please|pls|thanks?|thank you|谢谢|多谢|辛苦了?|拜托)[\s\p{P}]*$/iu;

/**
 * The scene of the requirement that a comment names, wherever it was said; the scene as it is where none is named, and an answer
 * where there is no such requirement.
 */
export async function sceneOfNamed(scene: Scene, deps: EngineDeps): Promise<Scene | Decision> {
  const { ask, doors, language, requirement } = scene;
  const said = ask.comment === null ? null : wordsOf(ask.intent);
  const named = said === null ? [] : namesIn(said);
  const [first] = named;
  if (said === null || first === undefined || !doors.port) return scene;
  if (named.includes(requirement ?? ""))
    return { ...scene, ask: { ...ask, intent: besidesOf(ask.intent, said) } };
  const isAsked = !isWish(ask.intent) || GOES_ON.test(said);
  const existing: string[] = [];
  for (const id of named) if (await exists(id, scene, deps)) existing.push(id);
  const [found] = existing;
  if (found === undefined)
    return isAsked ? decline(scene, saying("unknownRequirement", language, first)) : scene;
  // A wish on the thread of another requirement belongs there; an id in it only says where to look.
  if (!isAsked && requirement !== null && (await exists(requirement, scene, deps))) return scene;
  if (existing.length > 1) return decline(scene, saying("severalNamed", language, existing.join(", ")));
  return { ...scene, requirement: found, ask: await askOn(scene, found, said) };
}

/** Says on the thread where it was asked for that another requirement goes on, and where that shows. */
export async function sayWhereItGoesOn(scene: Scene): Promise<void> {
  const { ask, language, requirement } = scene;
  if (ask.replyTo === undefined || !requirement) return;
  const place = ask.thread ? `${requirement} (#${ask.thread.number})` : requirement;
  await reply(scene, saying("goesOnThere", language, place));
}

/** What the comment asked for, said of the requirement on its own issue; the answer still goes to where it was said. */
async function askOn({ ask, doors }: Scene, requirement: string, said: string): Promise<Ask> {
  const number = issueOf({ ...ask, thread: null }, requirement);
  const issue = number === null || !doors.port ? null : await doors.port.issue(number);
  const { replyTo = ask.thread?.number } = ask;
  return {
    ...ask,
    intent: intentOf(ask.intent, said),
    headRef: null,
    thread: issue && {
      number: issue.number,
      isPull: issue.isPull,
      title: issue.title,
      body: issue.body,
      labels: issue.labels,
      url: issue.url,
    },
    ...(replyTo === undefined ? {} : { replyTo }),
  };
}

/** What is asked for behind the id of what goes on. */
function besidesOf(intent: Intent, said: string): Intent {
  const wish = AND.exec(said)?.[1]?.trim();
  return intent.kind === "continue" && wish && !KIND_WORDS.test(wish)
    ? { kind: "change", text: wish }
    : intent;
}

/** Words of a wish stay a wish; without any the requirement just goes on. */
function intentOf(intent: Intent, said: string): Intent {
  if (!isWish(intent)) return besidesOf(intent, said);
  const rest = said
    .replace(NAMED, " ")
    .replace(
      /^[\s\p{P}]*(?:please\s+|请)?(?:go on|carry on|resume|proceed|pick up|接着|继续)(?:\s+with|做)?/iu,
      "",
    );
  return /[\p{L}\p{N}]/u.test(rest)
    ? { kind: "change", text: said }
    : { kind: "continue", text: "", merged: false };
}

function isWish({ kind }: Intent): boolean {
  return kind === "start" || kind === "change";
}

/** The words that can name what work is meant; null for what asks for no work, or speaks of something else. */
function wordsOf(intent: Intent): string | null {
  if (intent.kind === "stop") return intent.reason;
  return "text" in intent && WORK.includes(intent.kind) ? intent.text : null;
}

function namesIn(text: string): string[] {
  const names = text.replace(COMPARED, "").match(NAMED) ?? [];
  return [...new Set(names.map((name) => name.toUpperCase()))];
}

/** True for a requirement with a branch of its own, or events on the base. */
async function exists(
  requirement: string,
  { ask, doors, settings, signal }: Scene,
  deps: EngineDeps,
): Promise<boolean> {
  const mirror = await openMirror(deps, { ask, doors, settings }, signal);
  if ((await branchOf(mirror, { requirement, settings })) !== null) return true;
  const base = `refs/remotes/origin/${settings.base || ask.defaultBranch}`;
  if ((await mirror.resolve(base)) === null) return false;
  const tree = await mirror.readFiles(base, [`requirements/events/${requirement}/`]);
  return parseEvents(tree, requirement).events.length > 0;
}
