import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Dialect, Envelope } from "./dialect.js";
import type { BrokenStream } from "./fault.js";

/** Lets what was sent arrive, because a closing socket may take it along. */
const BEFORE_DROP_MS = 30;

/** Streams an answer as server-sent events, or as much of it as the fault leaves; gives what was written of it, null for nothing. */
export async function streamAnswer(
  response: ServerResponse,
  dialect: Dialect,
  envelope: Envelope,
  fault: BrokenStream | null,
): Promise<string | null> {
  const send = (wire: string) => new Promise<void>((sent) => response.write(wire, () => sent()));
  let count = 0;
  let written: string | null = null;
  for (const part of dialect.stream(envelope)) {
    if (fault !== null && count++ >= fault.afterEvents) break;
    await send(part.wire);
    written = (written ?? "") + part.written;
  }
  if (fault?.how === "stall") return written;
  if (fault?.how === "drop") {
    await wait(BEFORE_DROP_MS);
    response.destroy();
    return written;
  }
  if (fault?.how === "error") await send(dialect.brokenOff(fault));
  response.end();
  return written;
}
