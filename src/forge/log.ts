import { appendFileSync } from "node:fs";

/** Writes what passed between the forge and its clients to a file, one JSON document a line, for a check against GitHub's description. */
export interface ExchangeLog {
  exchange(entry: {
    method: string;
    path: string;
    request: unknown;
    status: number;
    response: unknown;
  }): void;
  webhook(entry: { event: string; action: string | null; payload: unknown }): void;
}

/** A log that hides tokens; without a file it writes nothing. */
export function createExchangeLog(file: string | null): ExchangeLog {
  // Synchronous, so that the lines of several forges on one file never mix.
  const write = (entry: object) => {
    if (file !== null) appendFileSync(file, `${JSON.stringify(entry, hideTokens)}\n`);
  };
  return {
    exchange: (entry) => write({ kind: "exchange", ...entry }),
    webhook: (entry) => write({ kind: "webhook", ...entry }),
  };
}

function hideTokens(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.replace(/\b(gh[a-z])_[A-Za-z0-9]{20,}/g, "$1_***") : value;
}
