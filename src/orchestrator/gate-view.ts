import type { Gate, GateView } from "./gate.js";
import { isAccrueError } from "../shared/index.js";
import { pathsOf } from "./task-file.js";
import type { Run } from "./types.js";

/** Costs of more requirements say nothing more. */
const MAX_SIMILAR = 5;
const MAX_USERS = 200;

/** Gathers what a person needs to decide: what it adds, what it touches, what the like of it has cost, and the text itself. */
export async function gateView(
  run: Run,
  { gate, changed, isFirst }: { gate: Gate } & Pick<GateView, "changed" | "isFirst">,
  signal: AbortSignal,
): Promise<GateView> {
  const { documents, draft, deps, ask, requirement } = run;
  const isDesign = gate.of === "design.md";
  const similar = deps.ledger.similar({ repository: ask.repository, requirement });
  return {
    of: gate.of,
    sha: gate.sha,
    ...(gate.plan === undefined ? {} : { plan: gate.plan }),
    document: isDesign ? documents.design : documents.requirement,
    adds: isDesign ? documents.summary : (draft?.title ?? run.title),
    touches: isDesign ? await touched(run, signal) : null,
    similarNanoUsd: similar.slice(-MAX_SIMILAR).map(({ costNanoUsd }) => costNanoUsd),
    changed,
    isFirst,
    isWatched: deps.watchesReactions,
  };
}

/** The files that the plan names, and how many others bring in those that there are. */
async function touched(run: Run, signal: AbortSignal): Promise<GateView["touches"]> {
  const files = [...new Set(run.tasks.flatMap(pathsOf))];
  const own = [...new Set(run.tasks.flatMap((task) => (task.service ? [] : task.files)))];
  const { map } = run.code;
  await map.refresh(signal);
  const users = own.flatMap((path) => usersOf(map, path));
  return { files, users: new Set(users.filter((path) => !files.includes(path))).size };
}

/** None where the plan makes the file, or it is no code. */
function usersOf(map: Run["code"]["map"], path: string): string[] {
  try {
    return map.importers(path, { limit: MAX_USERS }).items;
  } catch (error) {
    if (!isAccrueError(error)) throw error;
    return [];
  }
}
