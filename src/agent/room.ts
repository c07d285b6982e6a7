import { compress } from "./compress.js";
import { createCompressionPolicy, type Aim } from "./compression-policy.js";
import type { Stop } from "./limits.js";
import type { AgentRecord } from "./open-record.js";
import type { AgentDeps, AgentSpec } from "./types.js";

/** Keeps a conversation small enough to be sent. */
export interface Room {
  /** Before a turn: condenses when it is time; gives a reason to end when it does not fit all the same. */
  make(turn: number, signal: AbortSignal): Promise<Stop | null>;
  /** After a request that did not fit: true when the conversation is smaller now. */
  force(turn: number, signal: AbortSignal): Promise<boolean>;
}

/** `canMove`: the agent can read a file again that an old result was moved to. */
export function createRoom(
  { history, earlier, append }: AgentRecord,
  spec: AgentSpec<unknown>,
  deps: AgentDeps,
  canMove: boolean,
): Room {
  const window = deps.model.window(spec.tier);
  const policy = createCompressionPolicy(spec.compression, window, canMove);
  for (const line of earlier?.lines ?? []) if (line.type === "compressed") policy.observe(line);

  const condense = async (aim: Aim, signal: AbortSignal): Promise<boolean> => {
    try {
      const line = await append(await compress({ history, aim, spec, deps }, signal));
      if (line.type !== "compressed") return false;
      policy.observe(line);
      const { turn, status, before, after } = line;
      deps.onEvent({ type: "compressed", turn, status, before, after });
      return status === "COMPRESSED";
    } catch (error) {
      // Whoever asks next with this signal learns why it fired.
      if (signal.aborted) return false;
      throw error;
    }
  };
  const overflow = (): Stop => {
    const isNew = history.conversation().entries.length === 0;
    const what = isNew ? "System prompt, tools and task alone" : "What has to stay of the conversation";
    return {
      reason: "OVERFLOW",
      message: `${what} are about ${history.size()} tokens; the ${spec.tier}'s model holds ${window?.context}. Shorten AGENTS.md or the task, or use a model with a larger window.`,
    };
  };

  return {
    async make(turn, signal) {
      const aim = policy.due(turn, history.size());
      if (aim !== null) await condense(aim, signal);
      return policy.isFull(history.size()) && !signal.aborted ? overflow() : null;
    },
    force: (turn, signal) => condense(policy.forced(turn, history.size()), signal),
  };
}
