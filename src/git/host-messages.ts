import type { ErrorCode } from "../shared/index.js";
import type { Git, GitOptions, GitRun } from "./types.js";

/** What git is asked for in the process that runs it; `run` and `attempt` take arguments, `readBlobs` ids, `checkBranchName` one name. */
export interface GitCall {
  options: GitOptions;
  method: keyof Git;
  subjects: readonly string[];
  run: Omit<GitRun, "signal">;
}

/** To the process that runs git: a call, or that the answer to one is not wanted any more. */
export type ToGitHost = { id: number; call: GitCall } | { id: number; abort: true };

/** From the process that runs git: how a call ended. `code` is null for what is no error of Accrue's own. */
export type FromGitHost =
  | { id: number; answer: unknown }
  | { id: number; error: { code: ErrorCode | null; message: string; retryable: boolean } };
