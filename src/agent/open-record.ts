import { estimateTokens } from "../shared/index.js";
import type { ToolSpec } from "../model/index.js";
import { COMPLETE_TASK } from "./completion.js";
import { readHandOver } from "../tools/index.js";
import { createHistory, type History } from "./history.js";
import { loadBrokenOff, type BrokenOff } from "./resume.js";
import { openTranscript } from "./transcript.js";
import type { LineBody, TranscriptLine } from "./transcript-line.js";
import type { AgentDeps, AgentSpec } from "./types.js";

/** Transcript and history of one agent, which always say the same. */
export interface AgentRecord {
  history: History;
  /** What an earlier process left of this job. */
  earlier: BrokenOff | null;
  append(body: LineBody): Promise<TranscriptLine>;
}

function isEdited({ lines }: BrokenOff, system: string, tools: readonly string[]): boolean {
  const [start] = lines;
  return start?.type !== "start" || start.system !== system || start.tools.join() !== tools.join();
}

/** Begins a job, or goes on with the one that broke off. */
export async function openRecord(
  spec: AgentSpec<unknown>,
  deps: Pick<AgentDeps, "clock" | "texts">,
  tools: readonly ToolSpec[],
): Promise<AgentRecord> {
  const { system, task, attribution } = spec;
  const history = createHistory(deps.texts, estimateTokens(system + JSON.stringify(tools)));
  const earlier = spec.resume ? await loadBrokenOff(spec.transcript, task, COMPLETE_TASK) : null;
  const lines = earlier?.lines ?? [];
  const transcript = await openTranscript(spec.transcript, deps.clock, (lines.at(-1)?.n ?? -1) + 1);
  const append = async (body: LineBody) => {
    const line = await transcript.append(body);
    history.add(line);
    return line;
  };

  for (const line of lines) history.add(line);
  const names = tools.map(({ name }) => name);
  if (earlier !== null) {
    await append({ type: "resumed", turn: earlier.turns, isEdited: isEdited(earlier, system, names) });
    return { history, earlier, append };
  }
  const { agent, phase, task: taskId } = attribution;
  await append({ type: "start", agent, phase, taskId, system, task, tools: names });
  const notes = await readHandOver(spec.context);
  if (notes.trim() !== "") {
    await append({ type: "note", turn: 0, text: `${deps.texts["hand-over"]}\n\n${notes}`, stop: null });
  }
  return { history, earlier, append };
}
