import { isoTime, sha256 } from "../shared/index.js";
import type { Check, Validation } from "../validator/index.js";
import { codeDiff } from "./code.js";
import type { Halt } from "./ends.js";
import { signaturesOf } from "./failure-log.js";
import { sitesOf } from "./site.js";
import { writeEvent } from "./state.js";
import type { Run } from "./types.js";

/**
 * Whether the requirement stood exactly here before, in this run or an earlier one: the same change, failing in the same way. The
 * state is recorded, so that the next time knows it. False for what did not fail.
 */
export async function isRepeated(run: Run, result: Validation): Promise<boolean> {
  if (result.outcome !== "failed") return false;
  const diff = (await Promise.all(sitesOf(run).map(codeDiff))).join("");
  const failing = comparable(result.checks).flatMap((check) =>
    signaturesOf(check).map(({ id }) => `${check.command} ${id}`),
  );
  const state = sha256([diff, ...failing.toSorted()].join("\n"));
  if (run.events.some((event) => event.type === "failed" && event.state === state)) return true;
  await writeEvent(run, {
    v: 1,
    type: "failed",
    id: run.deps.newId(),
    req: run.requirement,
    run: run.id,
    actor: run.doors.self,
    at: isoTime(run.deps.clock.now()),
    state,
    reason: result.reason,
  });
  return false;
}

/** What failed, alike whether all tests were run after those that the change can reach, or only these. */
function comparable(checks: readonly Check[]): Check[] {
  const failed = checks.filter(({ outcome }) => outcome === "failed");
  const hasPart = failed.some(({ partOf }) => partOf !== undefined);
  const isFirst = ({ kind, partOf }: Check) =>
    partOf !== undefined || kind === "syntax" || kind === "imports" || kind === "types";
  return hasPart ? failed.filter(isFirst) : failed;
}

/** A run that goes round in circles asks a person instead of paying for another round. */
export function noProgress(run: Run, { reason }: Validation): Halt {
  const sentence =
    run.language === "zh"
      ? `没有进展：上次修复之后又回到了之前失败的状态（${reason}）。请说明要改什么`
      : `No progress: after the last fix the code is back where it failed before (${reason}). Say what to change`;
  return { state: "paused", outcome: "failed", reason: sentence, headline: sentence };
}
