import { linkSignals } from "../../shared/index.js";
import { type DialTarget, dial, type Line } from "./dial.js";
import { LineError } from "./line-error.js";
import { orAborted } from "./or-aborted.js";

/** How often in one run a server that broke off is started or reached again. */
const MAX_RECONNECTS = 3;

/** A line to one server that is there when it is needed: dialled at the first use, and again after it broke off. */
export interface LineKeeper {
  /** True when the next `get` has to dial. */
  isClosed(): boolean;
  get(signal: AbortSignal): Promise<Line>;
  /** Gives up a line that is of no more use; the next `get` dials. */
  drop(line: Line): Promise<void>;
  close(): Promise<void>;
}

/** Keeps the line to a server. */
export function createLineKeeper(to: DialTarget): LineKeeper {
  const ended = new AbortController();
  let line: Line | null = null;
  let dialling: Promise<Line> | null = null;
  let dials = 0;

  const start = async () => {
    // Several calls may wait for it: the end of one of them does not stop it.
    const bounded = linkSignals([ended.signal], to.startMs);
    try {
      line = await dial(to, bounded.signal);
      return line;
    } catch (cause) {
      if (!bounded.timedOut()) throw cause;
      const said = cause instanceof LineError ? cause.said : "";
      throw new LineError("unsent", `it did not answer within ${to.startMs / 1000} s`, { cause, said });
    } finally {
      bounded.release();
      dialling = null;
    }
  };
  return {
    isClosed: () => line === null || line.isClosed(),
    async get(signal) {
      if (ended.signal.aborted) throw new LineError("unsent", "it was closed with its run");
      if (line && !line.isClosed()) return line;
      if (dialling === null && ++dials > MAX_RECONNECTS + 1) {
        throw new LineError(
          "unsent",
          `it broke off ${MAX_RECONNECTS + 1} times in this run and is left alone`,
        );
      }
      dialling ??= start();
      return await orAborted(dialling, signal);
    },
    async drop(broken) {
      if (line === broken) line = null;
      await broken.close();
    },
    async close() {
      ended.abort();
      await dialling?.catch(() => {});
      await line?.close();
    },
  };
}
