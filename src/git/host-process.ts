import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { FromGitHost, ToGitHost } from "./host-messages.js";

/** The built file: a process cannot start from TypeScript. */
const GIT_HOST = fileURLToPath(new URL("../../dist/git/git-host.js", import.meta.url));
/** A host that nobody asks takes memory for nothing. */
const IDLE_MS = 30_000;

/** Who is told what the process says, and why it said nothing more. */
export interface HostListener {
  take(message: FromGitHost): void;
  lost(why: string): void;
}

/** The process that starts git for us. */
export interface HostProcess {
  /** Starts it when there is none. We stay as long as it has something to answer. */
  send(message: ToGitHost): void;
  /** Nothing is waited for any more: it does not keep us, and ends after a while. */
  rest(): void;
}

/** A process that begins with the first message, ends when nobody asked for a while, and with us. */
export function createHostProcess(listener: HostListener): HostProcess {
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | null = null;

  function start(): ChildProcess {
    const started = fork(GIT_HOST, [], {
      env: {},
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    started.on("message", listener.take);
    started.once("error", (error) => lose(started, error.message));
    started.once("exit", (code, killedBy) => lose(started, killedBy ?? `exit code ${code}`));
    started.unref();
    return started;
  }

  function lose(which: ChildProcess, why: string): void {
    if (child !== which) return;
    child = null;
    listener.lost(why);
  }

  function end(): void {
    const ended = child;
    child = null;
    ended?.disconnect();
  }

  return {
    send: (message) => {
      if (idle) clearTimeout(idle);
      const host = (child ??= start());
      host.channel?.ref();
      host.send(message, (error) => error && lose(host, error.message));
    },
    rest: () => {
      child?.channel?.unref();
      if (idle) clearTimeout(idle);
      idle = setTimeout(end, IDLE_MS).unref();
    },
  };
}
