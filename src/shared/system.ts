import type { Clock } from "./clock.js";

/** What entry points read of the process; everything below gets it passed in. */
export interface System {
  clock: Clock;
  env: Readonly<Record<string, string | undefined>>;
  /** The process's own user id; -1 where there is none. */
  uid: number;
  nodePath: string;
  nodeVersion: string;
  /** Between 0 and 1. */
  random(): number;
}
