import { clipMiddle, marker } from "../shared/index.js";
import type { Halt } from "./ends.js";
import { CHECK_NAME } from "./left-check.js";
import { readOrNothing } from "./read-or-nothing.js";
import { issueOf } from "./requirement-of.js";
import { proofCheck, proofText } from "./texts/proof.js";
import { quiet } from "./texts/quiet.js";
import type { Doors, Front, Run, RunEnd } from "./types.js";

const MAX_LEFT_CHARACTERS = 8000;

/** A small request has no board, no parts and nothing to approve: its thread gets one answer when it is done. */
export function quietDoors(doors: Doors): Doors {
  const nothing = () => Promise.resolve();
  const front = (of: Parameters<Doors["front"]>[0]): Front => ({
    ...doors.front(of),
    show: nothing,
    showParts: nothing,
    askPerson: nothing,
  });
  return { ...doors, front };
}

/** What was written and is not kept: whoever asked may have use for it. */
async function writtenText({ workspace, proof }: Run): Promise<string> {
  const texts: string[] = [];
  for (const path of proof?.paths ?? []) {
    const content = await readOrNothing(workspace.files, path);
    texts.push(`// ${path}\n${content?.toString("utf8") ?? ""}`);
  }
  return clipMiddle(texts.join("\n"), MAX_LEFT_CHARACTERS);
}

/** Ends a small request: the check on the new head, the bill, and one answer on the thread with what was observed. */
export async function settleRequest(run: Run, halt: Halt): Promise<RunEnd> {
  const { doors, ask, board, settings, validation, requirement } = run;
  const isDone = halt.state === "finished";
  const left = isDone ? "" : await writtenText(run);
  if (!isDone) await run.workspace.reset();
  const { port } = doors;
  if (port && isDone && validation) {
    const sha = await run.workspace.head();
    const check = await port.startCheck({ name: CHECK_NAME, sha, externalId: run.id, url: null });
    await port.concludeCheck(check, proofCheck(run, validation));
  }
  // Whoever said stop was answered already.
  if (port && ask.thread && halt.state !== "stopped") {
    const text = quiet(proofText(run, halt, left), settings.mention);
    await port.addComment(ask.thread.number, marker("reply", ask.key), text, true);
  }
  if (issueOf(ask, requirement) !== ask.thread?.number) {
    board.pull = ask.thread?.number ?? null;
    await run.front.bill(run);
  }
  const { state, outcome, reason } = halt;
  return {
    state,
    outcome,
    reason,
    requirement,
    run: run.id,
    branch: board.branch,
    pull: board.pull,
    tasks: [],
  };
}
