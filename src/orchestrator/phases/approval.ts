import { approvablePlan, approvableText } from "../../requirements/index.js";
import { sha256 } from "../../shared/index.js";
import { autonomyOf } from "../autonomy.js";
import { stamp } from "../books.js";
import type { Halt } from "../ends.js";
import { experienceFor } from "../experience.js";
import { type Gate, confirmedRules, gateText, isApproved, shownGate, wasApproved } from "../gate.js";
import { gateView } from "../gate-view.js";
import { namedServices } from "../services.js";
import { advance, commitAndPush, isBeyond, stateOf, takeNews, writeEvent } from "../state.js";
import { type Block, gateHeadline } from "../texts/gate.js";
import type { Run } from "../types.js";
import { adoptDesign } from "./design.js";
import { addWish } from "./implement.js";
import { adoptRequirement } from "./requirement.js";

/** Stops after the requirement until a person approves exactly this text, where people want to confirm first. */
export async function approveRequirement(run: Run, signal: AbortSignal): Promise<Halt | null> {
  // A person may have changed it meanwhile: what counts is the text as it stands.
  await takeNews(run);
  await adoptRequirement(run);
  const sha = sha256(approvableText(run.documents.requirement));
  const gate: Gate = { of: "requirement.md", sha, confirms: [] };
  if (!isWanted(run, gate, isBeyond(run, "requirement"))) return null;
  if (!isGiven(run, gate)) return openGate(run, { gate, blocks: [] }, signal);
  await writeApproval(run, gate);
  const halt = await commitAndPush(run, `${run.requirement}: approve the requirement`, signal);
  return halt ?? approveRequirement(run, signal);
}

/**
 * Stops before code until a person approves exactly this design and its plan, where people want to confirm first or a rule of level `block`
 * fits; otherwise records that no approval was asked for. A rule that was confirmed is not asked again.
 */
export async function approveDesign(run: Run, signal: AbortSignal): Promise<Halt | null> {
  await takeNews(run);
  await adoptDesign(run);
  const isPast = isBeyond(run, "design") || stateOf(run) === "approved";
  const blocks = isPast ? [] : await blocksOf(run, signal);
  const gate: Gate = {
    of: "design.md",
    sha: sha256(run.documents.design),
    ...(isPast ? {} : { plan: sha256(approvablePlan(run.tasks)) }),
    confirms: blocks.map(({ id }) => id),
  };
  if (blocks.length === 0 && !isWanted(run, gate, isPast)) {
    if (!isPast) await advance(run, "approved", `autonomy: ${autonomyOf(run)}`);
    return null;
  }
  if (!isGiven(run, gate)) return openGate(run, { gate, blocks }, signal);
  await writeApproval(run, gate);
  if (!isPast) await advance(run, "approved", `${gateText(gate)} by @${byOf(run)}`);
  const halt = await commitAndPush(run, `${run.requirement}: approve the design`, signal);
  return halt ?? approveDesign(run, signal);
}

/** What was passed before people wanted to confirm is not asked for any more; what they approved and somebody changed is. */
function isWanted(run: Run, gate: Gate, isPast: boolean): boolean {
  if (autonomyOf(run) !== "confirm" || isApproved(run.events, gate)) return false;
  return !isPast || wasApproved(run.events, gate.of);
}

/** True when this run was started by a person who approves what was shown, and has seen it. */
function isGiven({ ask, id, events }: Run, gate: Gate): boolean {
  const shown = shownGate(events);
  if (ask.intent.kind !== "approve" || !shown || shown.run === id) return false;
  if (gateText(shown) !== gateText(gate)) return false;
  // A button is of the run that asked. GitHub's times are whole seconds.
  if (ask.answers) return ask.answers >= shown.run;
  return Date.parse(ask.at) >= Math.floor(Date.parse(shown.at) / 1000) * 1000;
}

async function writeApproval(run: Run, { of, sha, confirms }: Gate): Promise<void> {
  await writeEvent(run, { v: 1, type: "approval", ...stamp(run), of, sha, by: byOf(run), confirms });
}

function byOf({ ask }: Run): string {
  return ask.actor?.login ?? "unknown";
}

async function openGate(
  run: Run,
  { gate, blocks }: { gate: Gate; blocks: readonly Block[] },
  signal: AbortSignal,
): Promise<Halt> {
  const before = shownGate(run.events);
  const isOther = before?.of === gate.of && before.sha !== gate.sha;
  const isOtherPlan =
    before?.of === gate.of &&
    before.plan !== undefined &&
    gate.plan !== undefined &&
    before.plan !== gate.plan;
  const isChanged = isOther || isOtherPlan || wasApproved(run.events, gate.of);
  const changed = !isChanged || isOwnText(run, gate) ? null : isOtherPlan && !isOther ? "tasks.md" : gate.of;
  // Whoever approves does not say it again.
  if (stateOf(run) === "implementing") await addWish(run);
  await advance(run, "paused", gateText(gate));
  run.board.gate = await gateView(run, { gate, changed, isFirst: before === null }, signal);
  const headline = gateHeadline(run, gate.of, blocks);
  return { state: "paused", outcome: "not-run", reason: headline, headline, needs: "approval" };
}

/** True when this run wrote the document itself, so that no person changed it. */
function isOwnText(run: Run, { of }: Gate): boolean {
  const to = of === "design.md" ? "designed" : "clarified";
  return run.events.some(
    (event) =>
      event.type === "state" &&
      event.run === run.id &&
      event.to === to &&
      // What only goes on from an interruption was written before.
      event.from !== "paused" &&
      event.from !== "blocked",
  );
}

/** Rules of level `block` that fit the design or a planned file, and that nobody has confirmed. A pending one only warns. */
async function blocksOf(run: Run, signal: AbortSignal): Promise<Block[]> {
  const text = `${run.title}\n${run.text}\n${run.documents.requirement}\n${run.documents.design}`;
  const others = namedServices(run);
  const own = run.tasks.filter(({ service }) => !others.includes(service ?? ""));
  const paths = [...new Set(own.flatMap(({ files }) => files))];
  const answers = await Promise.all(
    (["design", "implement"] as const).map((phase) => experienceFor(run, phase, { text, paths }, signal)),
  );
  const alerts = answers.flatMap(({ risk }) => risk.alerts);
  const confirmed = confirmedRules(run.events);
  const open = alerts.filter(({ id, level, pending }) => level === "block" && !pending && !confirmed.has(id));
  return [...new Map(open.map(({ id, message }) => [id, { id, message }])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
}
