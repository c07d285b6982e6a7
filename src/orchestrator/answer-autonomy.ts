import {
  type Autonomy,
  type RequirementEvent,
  eventPath,
  formatEvent,
  parseEvents,
} from "../requirements/index.js";
import { AccrueError } from "../shared/index.js";
import type { Decision } from "./decision.js";
import { waitsAtGate } from "./gate.js";
import { type FindPlace, askId, pushKnowledge } from "./push-knowledge.js";
import { decline, reply } from "./reply.js";
import { branchOf } from "./requirement-branch.js";
import { openMirror } from "./resources.js";
import type { Scene } from "./scene.js";
import { saying } from "./texts/replies.js";
import type { EngineDeps } from "./types.js";

/**
 * Takes over where a person wants a requirement to stop: recorded on its branch at once, so that it holds for the run that is going
 * on as well. Null when work has to go on for it: what waited for approval, or without a branch the run that
 * records it.
 */
export async function answerAutonomy(
  scene: Scene,
  level: Autonomy | null,
  deps: EngineDeps,
): Promise<Decision | null> {
  const { ask, doors, settings, language, requirement, signal } = scene;
  if (!requirement) return decline(scene, saying("noRequirement", language));
  if (level === null) return decline(scene, saying("whichAutonomy", language, "", settings.mention));
  const mirror = await openMirror(deps, { ask, doors, settings }, signal);
  await mirror.fetch({}, signal);
  if ((await branchOf(mirror, { requirement, settings })) === null) return null;
  const event: RequirementEvent = {
    v: 1,
    id: askId(ask),
    req: requirement,
    type: "autonomy",
    run: askId(ask),
    actor: doors.self,
    at: ask.at,
    level,
    by: ask.actor?.login ?? "unknown",
  };
  const { made } = await pushKnowledge(scene, { mirror, clock: deps.clock, findPlace }, (view) =>
    Promise.resolve({
      made: parseEvents(view.tree, requirement).events,
      commit: {
        writes: new Map(view.before === null ? [[eventPath(event), formatEvent(event)]] : []),
        subject: `${requirement}: autonomy ${level}`,
        body: ask.comment?.url ?? requirement,
      },
    }),
  );
  const goesOn = level !== "confirm" && waitsAtGate(made);
  await reply(scene, saying(goesOn ? "autonomyGoesOn" : "autonomyIs", language, `\`${level}\``));
  return goesOn ? null : { kind: "answered", outcome: `answered autonomy: ${level}` };
}

/** The requirement's own branch, which is there already. */
const findPlace: FindPlace = async ({ requirement, settings }, mirror) => {
  const branch = await branchOf(mirror, { requirement: requirement ?? "", settings });
  if (branch === null)
    throw new AccrueError(
      "INPUT_INVALID",
      `${requirement ?? "This"} has no branch any more: start it again.`,
    );
  return { branch: branch.name, parent: branch.sha, isNew: false };
};
