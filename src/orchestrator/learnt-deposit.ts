import type { Deposit, Note } from "../knowledge/index.js";
import type { Language } from "../shared/index.js";
import { idWithin } from "./run-id.js";

/** What names a run and what it is for. */
export interface LearntBy {
  run: string;
  by: string;
  source: string;
  requirement: string;
  at: string;
  language: Language;
}

/** What a run observed by itself, without asking an agent. */
export interface Observed extends Pick<Note, "title" | "type" | "problem" | "solution" | "verification"> {
  /** Names it within the run: the same thing is kept once. */
  key: string;
  origin: NonNullable<Deposit["origin"]>;
  triggers: Partial<Note["triggers"]>;
  /** Lines of evidence: the code that it rests on. */
  evidence?: readonly string[];
}

/** The deposit of what a run observed. */
export function learntDeposit(
  learnt: LearntBy,
  { key, origin, triggers, evidence = [], ...said }: Observed,
): Deposit {
  const { run, by, source, at, requirement } = learnt;
  const id = idWithin(run, key);
  const none = { keywords: [], paths: [], symbols: [], labels: [], phases: [], text: [] };
  return {
    id,
    run,
    by,
    source,
    at,
    origin,
    rules: [],
    note: {
      ...said,
      id: `EXP-${id.slice(-8)}`,
      status: "active",
      trust: "bot",
      triggers: { ...none, ...triggers },
      related: [...new Set([requirement, source, ...evidence])].filter(Boolean),
      file: "",
      raw: "",
    },
  };
}
