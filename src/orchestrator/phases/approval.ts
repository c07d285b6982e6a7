import { sha256 } from "../../shared/index.js";
import type { Halt } from "../ends.js";
import { experienceFor } from "../experience.js";
import { advance, commitAndPush, isBeyond, stateOf } from "../state.js";
import type { Run } from "../types.js";

/** A rule that holds the work back until a person confirms. */
interface Block {
  id: string;
  message: string;
}

/**
 * Stops before code until somebody with write permission approves exactly this design, where people want to confirm first or a
 * rule of level `block` fits; otherwise records that no approval was asked for. A rule that was confirmed is not asked again.
 */
export async function awaitApproval(run: Run, signal: AbortSignal): Promise<Halt | null> {
  if (isBeyond(run, "design") || stateOf(run) === "approved") return null;
  const blocks = await blocksOf(run, signal);
  if (run.settings.autonomy !== "confirm" && blocks.length === 0) {
    await advance(run, "approved", `autonomy: ${run.settings.autonomy}`);
    return null;
  }
  const text = [
    `design.md sha256:${sha256(run.documents.design)}`,
    ...blocks.map(({ id }) => `confirm ${id}`),
  ].join(" ");
  if (run.ask.intent.kind === "approve" && askedFor(run) === text) {
    await advance(run, "approved", `${text} by @${run.ask.actor?.login ?? "unknown"}`);
    return commitAndPush(run, `${run.requirement}: approve the design`, signal);
  }
  await advance(run, "paused", text);
  const reason = waiting(run, blocks);
  return { state: "paused", outcome: "not-run", reason, headline: reason, needs: "approval" };
}

/** Rules of level `block` that fit the design or a planned file, and that nobody has confirmed. A pending one only warns. */
async function blocksOf(run: Run, signal: AbortSignal): Promise<Block[]> {
  const text = `${run.title}\n${run.text}\n${run.documents.requirement}\n${run.documents.design}`;
  const paths = [...new Set(run.tasks.flatMap(({ files }) => files))];
  const answers = await Promise.all(
    (["design", "implement"] as const).map((phase) => experienceFor(run, phase, { text, paths }, signal)),
  );
  const alerts = answers.flatMap(({ risk }) => risk.alerts);
  const confirmed = confirmedIn(run);
  const open = alerts.filter(({ id, level, pending }) => level === "block" && !pending && !confirmed.has(id));
  return [...new Map(open.map(({ id, message }) => [id, { id, message }])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
}

function confirmedIn(run: Run): Set<string> {
  const said = run.events.flatMap((event) =>
    event.type === "state" && event.to === "approved" ? [event.evidence ?? ""] : [],
  );
  return new Set(
    said.flatMap((text) => [...text.matchAll(/confirm (R-[0-9A-Z]+)/g)].map(([, id]) => id ?? "")),
  );
}

/** What is wanted of the reader: a reply on GitHub, else the command that goes on. */
function waiting(run: Run, blocks: readonly Block[]): string {
  const { settings, doors, requirement, language } = run;
  const isChinese = language === "zh";
  const how = isChinese ? (doors.port ? "回复" : "运行") : doors.port ? "reply" : "run";
  if (blocks.length === 0) {
    const approve = doors.port ? `${settings.mention} approve` : `accrue run ${requirement}`;
    return isChinese
      ? `设计已就绪，等待决定：${how} \`${approve}\`，或说明要改什么`
      : `Design ready, waiting for a decision: ${how} \`${approve}\`, or say what to change`;
  }
  const confirm = doors.port ? `${settings.mention} confirm` : `accrue run ${requirement}`;
  const rules = blocks.map(({ id, message }) => `${id} ${message}`).join(isChinese ? "；" : "; ");
  return isChinese
    ? `写代码之前需要确认：${rules} · ${how} \`${confirm}\` 继续，或说明要改什么`
    : `Waiting before any code: ${rules} · ${how} \`${confirm}\` to go on, or say what to change`;
}

/** The text that the last gate showed: an edit of design.md after it voids the approval. */
function askedFor(run: Run): string | undefined {
  return run.events
    .flatMap((event) => (event.type === "state" && event.to === "paused" ? [event.evidence] : []))
    .at(-1);
}
