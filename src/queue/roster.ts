import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { holdFile, isHeld } from "../db/index.js";

/** Which workers of a data folder live. */
export interface Roster {
  /** Enters a worker until its process ends. */
  join(worker: string): { leave(): void };
  /** True only for a worker that was entered here and whose process ended without leaving. */
  isDead(worker: string): boolean;
  /** Forgets workers that are dead. Contract: their jobs were freed before. */
  sweep(): void;
}

const SUFFIX = ".lock";

/** Opens the roster in a folder: one locked file for each worker, and no lock outlives its process. */
export function createRoster(folder: string): Roster {
  mkdirSync(folder, { recursive: true });
  const fileOf = (worker: string) => join(folder, `${worker}${SUFFIX}`);
  const isDead = (worker: string) => isHeld(fileOf(worker)) === false;
  return {
    join: (worker) => {
      const held = holdFile(fileOf(worker));
      return { leave: held.release };
    },
    isDead,
    sweep: () => {
      const workers = readdirSync(folder)
        .filter((name) => name.endsWith(SUFFIX))
        .map((name) => name.slice(0, -SUFFIX.length));
      for (const worker of workers) if (isDead(worker)) rmSync(fileOf(worker), { force: true });
    },
  };
}
