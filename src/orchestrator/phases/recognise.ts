import { setRow } from "../board.js";
import type { Halt } from "../ends.js";
import { foldState } from "../../requirements/index.js";
import { handedOver, isBeyond, stateOf } from "../state.js";
import type { Run } from "../types.js";
import { adoptDesign } from "./design.js";
import { taskCount } from "../task-file.js";
import { takeTicks } from "./externals.js";
import { adoptRequirement } from "./requirement.js";
import { reopenUnproved } from "./reopen-unproved.js";

/** Shows what earlier runs have done, so that a run that finds little left to do does not show less than there is. */
export async function recognise(run: Run, signal: AbortSignal): Promise<Halt | null> {
  if (stateOf(run) === null) return null;
  const { state, problems } = foldState(run.events);
  if (state === "contested") run.board.notices.push(...problems);
  if (await adoptRequirement(run)) await adoptDesign(run);
  const halt = (await takeTicks(run, signal)) ?? (await reopenUnproved(run, signal));
  if (halt || !isBeyond(run, "implement")) return halt;
  setRow(run.board, "implement", "done", taskCount(run));
  const checked = handedOver(run);
  if (checked !== null) setRow(run.board, "validate", "done", checked);
  return null;
}
