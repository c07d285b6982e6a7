import type { z } from "zod";
import type { AgentEnd } from "../agent/index.js";
import type { Pack } from "../context/index.js";
import type { Budget } from "../ledger/index.js";
import type { AgentDefinition, WorkKind } from "../skills/index.js";
import type { ToolContext } from "../tools/index.js";
import type { Workspace } from "../workspace/index.js";
import type { Site } from "./site.js";
import type { Run } from "./types.js";

/** Where an agent works: the checkout of one of the run's repositories, or a copy of it. */
export interface Place extends Pick<Workspace, "files" | "box" | "fork"> {
  site: Site;
  map: ToolContext["map"];
}

/** Code and knowledge for a prompt, and the pack that they are. */
export interface ShownCode {
  text: string;
  /** Its rules and memories, in a block of their own. */
  knowledge: string;
  pack: Pack;
  /** The files that there were when it was packed. */
  known: ReadonlySet<string>;
}

/** One agent's work within a run. */
export interface Job<Output> {
  agent: AgentDefinition;
  /** Path of agents, such as `design-manager/codebase-investigator#1`. */
  path: string;
  phase: string;
  task: string;
  kind: WorkKind | null;
  /** Skills that stand in its instructions. */
  loads: readonly string[];
  /** The first message, ready filled. */
  text: string;
  output: z.ZodType<Output>;
  /** The code that its first message holds; null when it holds none. */
  code: ShownCode | null;
  place: Place;
  budget: Budget;
  isSubagent: boolean;
}

/** Runs one agent to its end; only its validated output comes back. */
export type RunJob = <Output>(run: Run, job: Job<Output>, signal: AbortSignal) => Promise<AgentEnd<Output>>;
