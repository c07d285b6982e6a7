import { sha256 } from "../../shared/index.js";
import type { Halt } from "../ends.js";
import { advance, commitAndPush, isBeyond, stateOf } from "../state.js";
import type { Run } from "../types.js";

/**
 * Where people want to confirm first, stops until somebody with write permission approves exactly this design; otherwise
 * records that no approval was asked for.
 */
export async function awaitApproval(run: Run, signal: AbortSignal): Promise<Halt | null> {
  if (isBeyond(run, "design") || stateOf(run) === "approved") return null;
  if (run.settings.autonomy !== "confirm") {
    await advance(run, "approved", `autonomy: ${run.settings.autonomy}`);
    return null;
  }
  const text = `design.md sha256:${sha256(run.documents.design)}`;
  if (run.ask.intent.kind === "approve" && askedFor(run) === text) {
    await advance(run, "approved", `${text} by @${run.ask.actor?.login ?? "unknown"}`);
    return commitAndPush(run, `${run.requirement}: approve the design`, signal);
  }
  await advance(run, "paused", text);
  const reason = waiting(run);
  return { state: "paused", outcome: "not-run", reason, headline: reason, needs: "approval" };
}

/** What is wanted of the reader: a reply on GitHub, else the command that goes on. */
function waiting({ settings, doors, requirement, language }: Run): string {
  const approve = doors.port ? `${settings.mention} approve` : `accrue run ${requirement}`;
  return language === "zh"
    ? `设计已就绪，等待决定：${doors.port ? "回复" : "运行"} \`${approve}\`，或说明要改什么`
    : `Design ready, waiting for a decision: ${doors.port ? "reply" : "run"} \`${approve}\`, or say what to change`;
}

/** The text that the last gate showed: an edit of design.md after it voids the approval. */
function askedFor(run: Run): string | undefined {
  return run.events
    .flatMap((event) => (event.type === "state" && event.to === "paused" ? [event.evidence] : []))
    .at(-1);
}
