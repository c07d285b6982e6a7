import type { Approvable, RequirementEvent, StateEvent } from "../requirements/index.js";

/** What a person is asked to approve: exactly one text, and with it what rules want confirmed. */
export interface Gate {
  of: Approvable;
  /** SHA-256 of the text. */
  sha: string;
  /** SHA-256 of the plan that is approved with a design; absent with a requirement, and once the plan was begun. */
  plan?: string;
  /** Ids of rules. */
  confirms: string[];
}

/** A gate that people were shown. */
export interface ShownGate extends Gate {
  /** ISO 8601 time from which on it stood there. */
  at: string;
  /** The run that showed it first. */
  run: string;
}

/** What a person who is asked to approve a text is shown. */
export interface GateView {
  of: Approvable;
  sha: string;
  plan?: string;
  document: string;
  /** What it adds, in a sentence or two. */
  adds: string;
  /** Files that the plan names, and how many others use them; null before there is a plan. */
  touches: { files: string[]; users: number } | null;
  /** What similar requirements have cost, the oldest first. */
  similarNanoUsd: number[];
  /** What somebody changed after people were asked about it; null where nothing was. */
  changed: Approvable | "tasks.md" | null;
  /** True for the first gate of a requirement. */
  isFirst: boolean;
  /** True where a 👍 on the status comment is seen. */
  isWatched: boolean;
}

type Events = readonly RequirementEvent[];

const GATE =
  /^(requirement\.md|design\.md) sha256:([0-9a-f]{64})(?: tasks\.md sha256:([0-9a-f]{64}))?((?: confirm R-[0-9A-Z]+)*)$/;

/** The gate as the evidence of the event that waits at it. */
export function gateText({ of, sha, plan, confirms }: Gate): string {
  const texts = [`${of} sha256:${sha}`, ...(plan === undefined ? [] : [`tasks.md sha256:${plan}`])];
  return [...texts, ...confirms.map((id) => `confirm ${id}`)].join(" ");
}

/** The gate that was shown last, since it was first shown for this text; null when none was. */
export function shownGate(events: Events): ShownGate | null {
  const shown = events.filter(isGate);
  const last = shown.at(-1);
  const other = shown.findLastIndex(({ evidence }) => evidence !== last?.evidence);
  const first = shown[other + 1];
  const [, of = "", sha = "", plan, rules = ""] = GATE.exec(first?.evidence ?? "") ?? [];
  if (!first || (of !== "requirement.md" && of !== "design.md")) return null;
  const confirms = [...rules.matchAll(/R-[0-9A-Z]+/g)].map(([id]) => id);
  return { of, sha, ...(plan === undefined ? {} : { plan }), confirms, at: first.at, run: first.run };
}

/** True while nothing happened to the requirement since it began to wait for a person's approval. */
export function waitsAtGate(events: Events): boolean {
  const last = events.findLast((event) => event.type === "state");
  return last !== undefined && isGate(last);
}

/** True when a person approved the text with this hash. */
export function isApproved(events: Events, { of, sha }: Pick<Gate, "of" | "sha">): boolean {
  return approvalsOf(events, of).some((event) => event.sha === sha);
}

/** True when a person approved a text of this document, whatever it says now. */
export function wasApproved(events: Events, of: Approvable): boolean {
  return approvalsOf(events, of).length > 0;
}

/** Ids of the rules that people confirmed; what was confirmed is not asked again. */
export function confirmedRules(events: Events): Set<string> {
  return new Set(events.flatMap((event) => (event.type === "approval" ? event.confirms : [])));
}

function approvalsOf(events: Events, of: Approvable) {
  return events.filter((event) => event.type === "approval").filter((event) => event.of === of);
}

function isGate(event: RequirementEvent): event is StateEvent {
  return event.type === "state" && event.to === "paused" && GATE.test(event.evidence ?? "");
}
