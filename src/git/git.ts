import { type SimpleGit, simpleGit } from "simple-git";
import { AccrueError, linkSignals, messageOf } from "../shared/index.js";
import { splitBlobs } from "./blobs.js";
import { environmentOf, prepareHome } from "./environment.js";
import type { Git, GitOptions, GitResult, GitRun } from "./types.js";

/** A git that says nothing for this long is stopped: a server that accepts and never answers must not hold a run. */
const SILENCE_LIMIT_MS = 10 * 60_000;
/** More than this much output of one command is a mistake of the caller, or an attack. */
const OUTPUT_LIMIT_BYTES = 256 * 1024 * 1024;
/** How much of git's own words an error keeps. */
const ERROR_LIMIT = 4000;
const RETRYABLE =
  /could not resolve host|timed out|connection (was )?reset|early eof|rpc failed|returned error: 5\d\d|cannot lock ref|\.lock': file exists|couldn't connect|failed to connect/i;

/** Git through one door: closed environment, credentials for one command, errors without secrets. */
export function createGit(options: GitOptions): Git {
  let prepared: Promise<void> | null = null;
  const prepare = () => (prepared ??= prepareHome(options.home));

  const attempt = async (args: readonly string[], run: GitRun): Promise<GitResult> => {
    await prepare();
    const ended = await execute(options, run, args, (git) => git.raw([...args]));
    return { ...ended, stdout: ended.output };
  };
  return {
    attempt,
    run: async (args, run) => {
      const result = await attempt(args, run);
      if (result.exitCode !== 0) throw failure(args, run, result.stderr || result.stdout);
      return result.stdout;
    },
    readBlobs: async (ids, run) => {
      if (ids.length === 0) return new Map();
      await prepare();
      const args = ["cat-file", "--batch"];
      const asking = { ...run, input: `${ids.join("\n")}\n` };
      const ended = await execute<Buffer>(options, asking, args, (git) => git.binaryCatFile(args.slice(1)));
      if (ended.exitCode !== 0) throw failure(args, run, ended.stderr);
      return splitBlobs(ended.output);
    },
    checkBranchName: async (name, signal) => {
      await prepare();
      const ask = () => attempt(["check-ref-format", "--branch", name], { folder: options.home, signal });
      // What looks like an option is never a branch, and would be read as one here.
      const result = name.startsWith("-") ? null : await ask();
      // Git also answers for shorthands such as @{-1}: with another name.
      if (result?.exitCode === 0 && result.stdout.trim() === name) return;
      throw new AccrueError(
        "INPUT_INVALID",
        `git does not accept "${name}" as a branch name: choose another.`,
      );
    },
  };
}

interface Ended<Output> {
  exitCode: number;
  output: Output;
  stderr: string;
}

/** Runs one command on an instance of its own and tells its exit code, which simple-git keeps to itself. */
async function execute<Output>(
  options: GitOptions,
  run: GitRun,
  args: readonly string[],
  call: (git: SimpleGit) => PromiseLike<Output>,
): Promise<Ended<Output>> {
  run.signal.throwIfAborted();
  const stop = new AbortController();
  const either = linkSignals([run.signal, stop.signal]);
  const { signal } = either;
  const ended = { exitCode: -1, stderr: "" };
  const aborted = rejectOnAbort(signal);
  try {
    const git = instance(options, run, { signal, stop, ended });
    const output = await Promise.race([call(git), aborted.promise]);
    if (ended.exitCode < 0) throw new Error("git was killed");
    return { ...ended, output };
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    throw failure(args, run, wordsOf(ended.stderr || messageOf(error)), error);
  } finally {
    aborted.dispose();
    either.release();
  }
}

/** Without the stack that simple-git writes into its messages; that there is no git is said in words. */
function wordsOf(said: string): string {
  const words = said.replace(/\n {4}at [\s\S]*$/, "");
  return /spawn git ENOENT/.test(words) ? "git is not installed, or not in PATH: install git" : words;
}

/** A git for one command, because its environment and its signal are the command's own. */
function instance(
  options: GitOptions,
  run: GitRun,
  state: { signal: AbortSignal; stop: AbortController; ended: { exitCode: number; stderr: string } },
): SimpleGit {
  const environment = environmentOf(options, run);
  const git = simpleGit({
    baseDir: run.folder,
    abort: state.signal,
    allowEnvironment: Object.keys(environment),
    unsafe: { allowUnsafeConfigPaths: true, allowUnsafeConfigEnvCount: true, allowUnsafePack: true },
    // The exit event may come before the last output was read.
    completion: { onClose: true, onExit: false },
    timeout: { block: SILENCE_LIMIT_MS },
    input: () => run.input,
    errors: (error, result) => {
      // Null, whatever its type says, when a signal ended git.
      state.ended.exitCode = result.exitCode ?? -1;
      state.ended.stderr = Buffer.concat(result.stdErr).toString("utf8");
      // A non-zero exit is for the caller to judge; anything else (stopped, not started) is not.
      return result.exitCode > 0 ? undefined : error;
    },
  }).env(environment);
  git.outputHandler((_command, stdout) => {
    // simple-git waits 50 ms for late output of a command that printed nothing; after the end none can come.
    stdout.once("end", () => stdout.emit("data", Buffer.alloc(0)));
    let bytes = 0;
    stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > OUTPUT_LIMIT_BYTES)
        state.stop.abort(new Error(`more than ${OUTPUT_LIMIT_BYTES} bytes of output`));
    });
  });
  return git;
}

/** A child of git may hold its pipes open after git was stopped; the caller is not made to wait for that. */
function rejectOnAbort(signal: AbortSignal): { promise: Promise<never>; dispose(): void } {
  let onAbort = () => {};
  const promise = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  return { promise, dispose: () => signal.removeEventListener("abort", onAbort) };
}

function failure(args: readonly string[], run: GitRun, words: string, cause?: unknown): AccrueError {
  const header = run.authorization?.header;
  const safe = header ? words.replaceAll(header, "***") : words;
  // Progress is redrawn after a carriage return; only the last state of a line says something.
  const lines = safe.split("\n").map((line) => line.slice(line.trimEnd().lastIndexOf("\r") + 1).trimEnd());
  const said = lines.filter(Boolean).join("\n").slice(-ERROR_LIMIT);
  return new AccrueError("GIT_FAILED", `git ${args.join(" ").slice(0, 500)} failed: ${said}`, {
    retryable: RETRYABLE.test(said),
    cause,
  });
}
