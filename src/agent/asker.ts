import { admission, type Purpose, stopOf } from "./admission.js";
import type { ModelTurn, ToolSpec } from "../model/index.js";
import type { Stop } from "./limits.js";
import type { AgentRecord } from "./open-record.js";
import { createRoom } from "./room.js";
import type { AgentDeps, AgentSpec } from "./types.js";

const READ_TOOL = "read_file";

/** Asks with what has been said so far; what does not fit is condensed, or is a reason to end. */
export type Asker = (turn: number, signal: AbortSignal, purpose?: Purpose) => Promise<ModelTurn | Stop>;

/** Tells a reason to end from an answer. */
export function isStop(asked: ModelTurn | Stop): asked is Stop {
  return "reason" in asked;
}

/** Ends that an answer brings by itself; nothing of such an answer is kept or run. */
function endOf({ stopReason, model }: ModelTurn): Stop | null {
  if (stopReason === "refusal") return { reason: "REFUSED", message: `${model} refused to answer.` };
  if (stopReason === "model_context_window_exceeded") {
    return { reason: "OVERFLOW", message: `The conversation does not fit into ${model} any more.` };
  }
  return null;
}

/** Makes the one way in which an agent asks its model. Contract: expected failures are ends; only faults of the program reject. */
export function createAsker(
  record: AgentRecord,
  tools: readonly ToolSpec[],
  spec: AgentSpec<unknown>,
  deps: AgentDeps,
): Asker {
  const { history } = record;
  const canRead = tools.some(({ name }) => name === READ_TOOL);
  const room = createRoom(record, spec, deps, canRead);

  const askOnce = async (signal: AbortSignal, purpose: Purpose): Promise<ModelTurn | Stop> => {
    const { tier, system, maxOutputTokens, attribution } = spec;
    const messages = history.messages();
    try {
      const admit = admission(deps, purpose);
      const request = { tier, system, tools: [...tools], messages, maxOutputTokens, attribution, admit };
      const answer = await deps.model.ask(request, signal);
      return endOf(answer) ?? answer;
    } catch (error) {
      if (signal.aborted) return { reason: "ABORTED", message: "The model call was cancelled." };
      return stopOf(error);
    }
  };

  return async (turn, signal, purpose = "work") => {
    const full = await room.make(turn, signal);
    if (full !== null) return full;
    const answer = await askOnce(signal, purpose);
    if (!isStop(answer) || answer.reason !== "OVERFLOW") return answer;
    // Once: what is too large after this stays too large.
    return (await room.force(turn, signal)) ? askOnce(signal, purpose) : answer;
  };
}
