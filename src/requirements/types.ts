/** The states of a requirement. */
export type State =
  | "opened"
  | "clarified"
  | "designed"
  | "approved"
  | "implementing"
  | "in-review"
  | "verifying"
  | "completed"
  | "changed"
  | "blocked"
  | "paused"
  | "cancelled"
  | "reopened";

export type Phase = "requirement" | "design" | "implement" | "validate" | "complete";

interface EventBase {
  v: 1;
  /** ULID. */
  id: string;
  req: string;
  run: string;
  /** Login, or the bot's own. */
  actor: string;
  /** ISO 8601. */
  at: string;
}

/** `requirements/events/<REQ>/<ulid>-state.json`: one change of state. */
export interface StateEvent extends EventBase {
  type: "state";
  /** Null only for `opened`. */
  from: State | null;
  to: State;
  /** What it rests on: a sha, a URL, a sentence. */
  evidence?: string;
}

/** One row of a run's costs. Money in millionths of a US dollar with at most three decimals, exact. */
export interface CostRow {
  phase: string;
  call_type: string;
  model: string;
  calls: number;
  input: number;
  cache_read: number;
  cache_write: number;
  output: number;
  micro_usd: number | null;
  /** Absent when the price is unknown. */
  weighted_tokens?: number;
  /** Present when the answers were not used. */
  wasted?: true;
}

/** `…-cost.json`: what one run cost. */
export interface CostEvent extends EventBase {
  type: "cost";
  rows: CostRow[];
}

/** `…-budget.json`: what a person lets the requirement cost from then on; it takes the place of what is configured. */
export interface BudgetEvent extends EventBase {
  type: "budget";
  unit: "usd" | "tokens";
  amount: number;
  /** Login of the person. */
  by: string;
}

/** `…-failed.json`: a state of the code in which the checks failed, so that a later run knows it again. */
export interface FailedEvent extends EventBase {
  type: "failed";
  /** SHA-256 over the code that was changed and what failed. */
  state: string;
  reason: string;
}

/** Where the work stops for people: after requirement and design, at the pull request, or there with its draft marked as ready. */
export type Autonomy = "confirm" | "review" | "auto";

/** `…-autonomy.json`: where a person wants this requirement to stop from then on; it takes the place of what is configured. */
export interface AutonomyEvent extends EventBase {
  type: "autonomy";
  level: Autonomy;
  /** Login of the person. */
  by: string;
}

/** A document that people approve. */
export type Approvable = "requirement.md" | "design.md";

/** `…-approval.json`: a person has approved exactly this text. */
export interface ApprovalEvent extends EventBase {
  type: "approval";
  of: Approvable;
  /** SHA-256 of the text. */
  sha: string;
  /** Login of the person. */
  by: string;
  /** Ids of the rules that were confirmed with it. */
  confirms: string[];
}

/** `…-understood.json`: what the requirement was written from, so that a later run sees what has changed since. */
export interface UnderstoodEvent extends EventBase {
  type: "understood";
  /** The issue as it was shown; null without one. */
  issue: { sha: string; text: string } | null;
  /** SHA-256 of the text of each criterion. */
  criteria: { id: string; sha: string }[];
  /** SHA-256 of `requirement.md` as it was written. */
  document: string;
  /** Addresses of the comments that were taken in. */
  comments: string[];
  /** Criteria that this changed, added or took out; all of them the first time. */
  touched: string[];
}

export type RequirementEvent =
  | StateEvent
  | CostEvent
  | BudgetEvent
  | FailedEvent
  | AutonomyEvent
  | ApprovalEvent
  | UnderstoodEvent;

/** An acceptance criterion of `requirement.md`. */
export interface Criterion {
  /** `AC-1`. */
  id: string;
  text: string;
}

/** What requirement-manager delivers. */
export interface RequirementDraft {
  title: string;
  problem: string;
  scope: string[];
  criteria: Criterion[];
  nonGoals: string[];
  /** At most 3, each with the answer that is assumed until a person says otherwise. */
  questions: { question: string; assumed: string }[];
}

/** A requirement as listed. */
export interface RequirementSummary {
  id: string;
  title: string;
  state: State | "contested";
  phase: Phase;
  issue: number | null;
  /** Folder, such as `requirements/in-progress/REQ-12-csv-export`. */
  folder: string;
}
