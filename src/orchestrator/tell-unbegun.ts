import { parseEvents, type RequirementEvent } from "../requirements/index.js";
import type { Language } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import type { Ask } from "./intent.js";
import { evidenceOf, wishOf } from "./phases/wish.js";
import { ownRequirement } from "./requirement-branch.js";
import { saying } from "./texts/replies.js";
import type { Doors, Settings } from "./types.js";

/** Work that was asked for and is over. */
interface Asked {
  ask: Ask;
  requirement: string;
  doors: Doors;
  settings: Settings;
  language: Language;
}

/** What is recorded of a requirement on its branches and on others given, as they were last fetched. */
export async function recordedEvents(
  mirror: Mirror,
  { requirement, settings }: { requirement: string; settings: { branch: string } },
  besides: readonly string[],
): Promise<RequirementEvent[]> {
  const own = (await mirror.branches("")).filter(
    ({ name }) => ownRequirement(name, settings.branch) === requirement,
  );
  const folder = [`requirements/events/${requirement}/`];
  const trees = [...own.map(({ sha }) => sha), ...besides].map((revision) =>
    mirror.readFiles(revision, folder),
  );
  const tree = new Map((await Promise.all(trees)).flatMap((files) => [...files]));
  return parseEvents(tree, requirement).events;
}

/**
 * Tells whoever asked for something when the work ended before it recorded what was asked: the next run would not know of it.
 * Contract: says it once for an ask; never rejects.
 */
export async function tellUnbegun(of: Asked, recorded: readonly RequirementEvent[]): Promise<void> {
  const wish = wishOf(of);
  const evidence = evidenceOf(of);
  if (!wish || recorded.some((event) => event.type === "state" && event.evidence === evidence)) return;
  const front = of.doors.front(of);
  await front.alert(`unbegun ${of.ask.key}`, saying("dropped", of.language, `"${wish.title}"`));
}
