import type { Autonomy } from "../requirements/index.js";
import type { RepositoryRef } from "../shared/index.js";

/** Words that ask the bot for something by themselves; no command of a repository can have such a name. */
export const ASKING_WORDS = [
  "help",
  "bill",
  "budget",
  "autonomy",
  "stop",
  "retry",
  "continue",
  "approve",
  "reject",
  "remember",
  "forget",
  "optimize-flow",
  "load-service",
  "ask",
] as const;

/** What a small request on a pull request asks for, to be proved: it fails on the bad code and passes on the fix. */
export type Proof = "test" | "lint";

/** What a delivery asks for. */
export type Intent =
  | { kind: "start" | "retry" | "approve"; text: string }
  /** Goes on with a requirement; `merged` when its pull request was merged. */
  | { kind: "continue"; text: string; merged: boolean }
  /** New wishes on a running or reviewed requirement. Empty in a comment: something is not liked, and not said what; else the issue was edited. With `proof` it is a small request. */
  | { kind: "change"; text: string; proof?: Proof }
  /** A lesson, or a line for the instructions of agents; empty: what was said before. `optimize-flow` is about the way of working. */
  | { kind: "remember"; text: string; into: "knowledge" | "instructions" }
  | { kind: "optimize-flow"; text: string }
  /** Services to be read: repositories, or names of the configuration. */
  | { kind: "load-service"; text: string }
  /** Ids of notes and rules as they were written; empty when none was named. */
  | { kind: "forget"; text: string }
  /** What the requirement may cost from now on, as it was written; empty: as much again as was agreed. */
  | { kind: "budget"; text: string }
  /** Where the requirement stops for people from now on; null when no level was named that there is. */
  | { kind: "autonomy"; level: Autonomy | null }
  /** A question, with what it quotes; empty when nothing is asked. */
  | { kind: "ask"; text: string }
  | { kind: "stop"; reason: string }
  | { kind: "bill" }
  /** `unknown` quotes the word that was not understood, so that the help can say so. */
  | { kind: "help"; unknown: string | null }
  | { kind: "ignore"; reason: string };

/** Who asks, as the event names him; null for a deleted user. */
export interface Actor {
  id: number;
  login: string;
  type: string;
}

/** An intent with everything the engine needs to act on it: the same from App, Action and command line. */
export interface Ask {
  intent: Intent;
  repository: RepositoryRef;
  /** Installation id of the App; null for a token or a local repository. */
  installation: number | null;
  defaultBranch: string;
  actor: Actor | null;
  /** The issue or pull request it is about; null without GitHub. Texts are as they were at the event. */
  thread: {
    number: number;
    isPull: boolean;
    title: string;
    body: string;
    labels: string[];
    url: string;
  } | null;
  /** The comment that asked, or null. */
  comment: {
    id: number;
    kind: "comment" | "review-comment" | "review";
    url: string;
    path: string | null;
    line: number | null;
    diffHunk: string | null;
  } | null;
  /** Head branch of the pull request when the event tells it. */
  headRef: string | null;
  /** Id of the run whose question a button answers. */
  answers?: string | null;
  /** Thread that the answer goes to, where that is not the one that the ask is about. */
  replyTo?: number;
  /** Delivery id or another unique key: effects are idempotent by it. */
  key: string;
  /** ISO 8601 time of the event. */
  at: string;
}

/** What a small request on a pull request wants proved; null for every other ask. */
export function proofOf({ intent, thread }: Pick<Ask, "intent" | "thread">): Proof | null {
  return intent.kind === "change" && thread?.isPull === true ? (intent.proof ?? null) : null;
}

/** True when the issue itself was edited, and nobody said anything besides. */
export function isEdit({ intent, thread, comment }: Pick<Ask, "intent" | "thread" | "comment">): boolean {
  return intent.kind === "change" && intent.text === "" && comment === null && thread?.isPull === false;
}
