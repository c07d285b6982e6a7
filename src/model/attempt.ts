import { linkSignals } from "../shared/index.js";
import type { Usage } from "../ledger/index.js";
import { endedEarly, silent, type Asked, type Failure } from "./failure.js";
import type { Attempt, Call, OnInput, Reply } from "./provider.js";
import { createWatchdog, type Watchdog } from "./watchdog.js";

/** Collects one streamed answer; one reader serves one attempt. */
export interface StreamReader<Event> {
  take(event: Event): void;
  /** Null when the stream ended before its stop reason. */
  reply(): Reply | null;
  /** What the provider has told of the usage, or null so far. */
  told(): Usage | null;
  /** What an unfinished answer has used so far, or null when it had not begun. */
  usageSoFar(): Usage | null;
}

/** What is particular to a kind of API. */
export interface Line<Event> {
  asked: Asked;
  idleMs: number;
  reader: StreamReader<Event>;
  open(signal: AbortSignal, watchdog: Watchdog): Promise<AsyncIterator<Event>>;
  /** Translates what {@link open} or the stream threw. */
  explain(cause: unknown, began: boolean): Failure;
}

/** Asks once and reads the stream of events to its end. */
export async function attemptTurn<Event>(
  line: Line<Event>,
  call: Call,
  onInput: OnInput,
  signal: AbortSignal,
): Promise<Attempt> {
  const { asked, idleMs, reader } = line;
  const watchdog = createWatchdog(idleMs);
  const cut = linkSignals([signal, watchdog.signal]);
  const sent = { input: call.promptTokens, cacheRead: 0, cacheWrite: 0, output: 0 };
  const failed = (failure: Failure): Attempt => {
    const used = reader.usageSoFar();
    if (signal.aborted) return { kind: "cancelled", usage: used ?? sent, isGuess: used === null };
    const told = watchdog.signal.aborted ? silent(asked, idleMs) : failure;
    const isGuess = used === null && !told.isFree;
    return { kind: "failed", usage: isGuess ? sent : used, isGuess, failure: told };
  };
  const broken = (cause: unknown) => failed(line.explain(cause, watchdog.began()));
  let isInputTold = false;

  try {
    watchdog.feed();
    const opened = await line.open(cut.signal, watchdog).then(
      (events) => ({ events }),
      (cause: unknown) => ({ cause }),
    );
    if ("cause" in opened) return broken(opened.cause);
    for (;;) {
      // Apart from take(), so that a fault of ours is never mistaken for one of the connection.
      const next = await opened.events.next().catch((cause: unknown) => ({ cause }));
      if ("cause" in next) return broken(next.cause);
      if (next.done === true) break;
      reader.take(next.value);
      const usage = isInputTold ? null : reader.told();
      if (usage === null) continue;
      isInputTold = true;
      onInput(usage);
    }
    // An aborted stream may end quietly, so a complete answer is one that has a stop reason and was not cut.
    const reply = cut.signal.aborted ? null : reader.reply();
    return reply === null ? failed(endedEarly(asked)) : { kind: "answered", reply };
  } finally {
    watchdog.stop();
    cut.release();
  }
}
