import type Anthropic from "@anthropic-ai/sdk";
import { type Clock, linkSignals } from "../shared/index.js";
import type { Usage } from "../ledger/index.js";
import { endedEarly, explain, silent, type Failure } from "./failure.js";
import { createStreamReader, type Reply } from "./stream-reader.js";
import { createWatchdog } from "./watchdog.js";
import type { toWire } from "./wire.js";

/** What an attempt needs besides the request. */
export interface Line {
  client: Anthropic;
  clock: Clock;
  idleMs: number;
}

/** How one attempt at a turn ended. `usage` is what it cost all the same, null when nothing had been generated. */
export type Attempt =
  | { kind: "answered"; reply: Reply }
  | { kind: "cancelled"; usage: Usage | null }
  | ({ kind: "failed"; usage: Usage | null } & Failure);

/** Asks once and reads the raw event stream to its end; HTTP errors before it are repeated by the SDK. */
export async function attemptTurn(
  line: Line,
  params: ReturnType<typeof toWire>,
  signal: AbortSignal,
): Promise<Attempt> {
  const reader = createStreamReader();
  const watchdog = createWatchdog(params.model, line.idleMs, line.clock);
  const failed = (failure: Failure): Attempt =>
    signal.aborted
      ? { kind: "cancelled", usage: reader.usageSoFar() }
      : {
          kind: "failed",
          usage: reader.usageSoFar(),
          ...(watchdog.signal.aborted ? silent(params.model, line.idleMs) : failure),
        };
  const cut = linkSignals([signal, watchdog.signal]);
  const broken = (cause: unknown) => failed(explain(cause, params.model, watchdog.began()));

  try {
    const request = line.client.messages.create(
      { ...params, stream: true },
      { signal: cut.signal, middleware: [watchdog.middleware] },
    );
    const opened = await request.then(
      (stream) => ({ events: stream[Symbol.asyncIterator]() }),
      (cause: unknown) => ({ cause }),
    );
    if ("cause" in opened) return broken(opened.cause);
    for (;;) {
      // Apart from take(), so that a fault of ours is never mistaken for one of the connection.
      const next = await opened.events.next().catch((cause: unknown) => ({ cause }));
      if ("cause" in next) return broken(next.cause);
      if (next.done === true) break;
      reader.take(next.value);
    }
    // The SDK ends an aborted stream quietly, so a complete answer is one that has a stop reason and was not cut.
    const reply = signal.aborted || watchdog.signal.aborted ? null : reader.reply();
    return reply === null ? failed(endedEarly(params.model)) : { kind: "answered", reply };
  } finally {
    watchdog.stop();
    cut.release();
  }
}
