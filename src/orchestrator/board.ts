import type { AgentEvent } from "../agent/index.js";
import type { Language } from "../shared/index.js";
import { budgetLabel } from "./budget.js";
import { type ServiceSite, fullName } from "./site.js";
import { linksOf } from "./texts/links.js";
import type { Board, Mark, Run } from "./types.js";

type Row = Board["rows"][number];

/** A board with nothing done yet. */
export function newBoard(
  start: Pick<Board, "requirement" | "run" | "language" | "title" | "base" | "budget" | "spentNanoUsd"> & {
    headline: string;
  },
): Board {
  const phases: Row["phase"][] = ["requirement", "design", "implement", "validate"];
  return {
    ...start,
    mark: "active",
    branch: null,
    rows: phases.map((phase) => ({ phase, mark: "waiting", result: "" })),
    tasks: [],
    todo: [],
    activity: "",
    reminders: [],
    notices: [],
    pull: null,
    services: [],
    gate: null,
    elapsedMs: 0,
  };
}

/** Sets one row of the board. */
export function setRow(board: Board, phase: Row["phase"], mark: Mark, result: string): void {
  board.rows = board.rows.map((row) => (row.phase === phase ? { ...row, mark, result } : row));
}

/** Brings money and time up to date and shows the board. */
export async function show(run: Run, change: Partial<Board>, urgent = false): Promise<void> {
  const { deps, board, requirement, ask } = run;
  Object.assign(board, change, {
    spentNanoUsd: deps.ledger.spentNanoUsd({ requirement, repository: ask.repository }),
    budget: budgetLabel(deps.ledger, run),
    elapsedMs: deps.clock.now() - run.startedMs,
    services: run.services.map(shown),
  });
  await run.front.show(board, urgent);
}

function shown({ service, repository, port, branch, pull }: ServiceSite): Board["services"][number] {
  return { name: service, repository: fullName(repository), branch, url: linksOf(port).branch(branch), pull };
}

const HEADLINES = {
  start: { en: "Starting", zh: "开始" },
  services: { en: "Preparing the services", zh: "准备各服务的工作区" },
  prepare: { en: "Preparing the checkout", zh: "准备工作区" },
  requirement: { en: "Working out the requirement", zh: "梳理需求" },
  design: { en: "Designing", zh: "设计中" },
  implement: { en: "Implementing", zh: "实现中" },
  validate: { en: "Validating", zh: "验证中" },
  review: { en: "Reviewing", zh: "评审中" },
  publish: { en: "Publishing", zh: "发布中" },
} as const;

/** What the first line says while a step goes on. */
export function headline(step: keyof typeof HEADLINES, language: Language): string {
  return HEADLINES[step][language];
}

/** Shows what an agent is doing right now; the front decides how often that is worth a write. */
export function showActivity(run: Run, agent: string, event: AgentEvent): void {
  if (event.type !== "tool" && event.type !== "turn") return;
  const what = event.type === "tool" ? event.summary : `${agent} · turn ${event.turn} of ${event.maxTurns}`;
  // A front folds writes that come close together and reports its own failures: nothing here waits for it.
  void show(run, { activity: what });
}
