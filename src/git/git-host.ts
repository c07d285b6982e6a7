// The process that starts git for another one: starting a program takes longer the larger the process is that does it.
import process from "node:process";
import { isAccrueError, messageOf } from "../shared/index.js";
import { createGit } from "./git.js";
import type { FromGitHost, GitCall, ToGitHost } from "./host-messages.js";
import type { Git } from "./types.js";

const gits = new Map<string, Git>();
const running = new Map<number, AbortController>();

function gitOf({ options }: GitCall): Git {
  const key = JSON.stringify(options);
  const git = gits.get(key) ?? createGit(options);
  gits.set(key, git);
  return git;
}

async function work(call: GitCall, signal: AbortSignal): Promise<unknown> {
  const { method, subjects } = call;
  const git = gitOf(call);
  if (method === "checkBranchName") return git.checkBranchName(subjects[0] ?? "", signal);
  return git[method](subjects, { ...call.run, signal });
}

function say(message: FromGitHost): void {
  if (process.connected) process.send?.(message);
}

async function answer(id: number, call: GitCall): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    say({ id, answer: await work(call, controller.signal) });
  } catch (error) {
    const known = isAccrueError(error) ? error : null;
    const { code, retryable } = known ?? { code: null, retryable: false };
    say({ id, error: { code, message: messageOf(error), retryable } });
  } finally {
    running.delete(id);
  }
}

process.on("message", (message: ToGitHost) => {
  if ("call" in message) void answer(message.id, message.call);
  else running.get(message.id)?.abort();
});
// Whoever asked is gone, and with it whoever would look at what comes of it.
process.on("disconnect", () => {
  for (const controller of running.values()) controller.abort();
  process.exit();
});
// A terminal or a service manager signals the whole group: who asked decides when git is wanted no more.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
