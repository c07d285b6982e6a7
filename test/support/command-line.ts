// The real command line for a test: `dist/cli.js` as a process of its own, and a person's repository to run it in.
import { type ChildProcess, execFileSync, fork, spawn } from "node:child_process";
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

/** What a command printed, and its exit status. */
export interface Printed {
  status: number | null;
  out: string;
  err: string;
  /** Standard output as the one JSON document it has to be. */
  json(): Record<string, unknown>;
}

/** Where a command is typed. */
export interface Typed {
  cwd?: string;
  env?: Record<string, string>;
}

export interface RunOptions extends Typed {
  /** Called with the process once it runs, to send it a signal. */
  started?(child: ChildProcess): void;
}

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const STAYING = fileURLToPath(new URL("./staying-cli.mjs", import.meta.url));
const PROJECT = fileURLToPath(new URL("../../data/demo/project", import.meta.url));

/** Runs `accrue` with these arguments; nothing of this machine's environment but the path reaches it. */
export function accrue(args: readonly string[], options: RunOptions = {}): Promise<Printed> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      ...placeOf(options),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
    child.once("error", reject);
    child.once("close", (status) => resolve(printed({ status, out, err })));
    options.started?.(child);
  });
}

/**
 * `accrue` for a file that types many commands: the same entry point each time, in one process that stays, since most of a
 * short command's time is loading. One command after another; call it while a file is read. What a process of its own adds
 * (that it ends, signals) is for {@link accrue}, with which a file runs each of its commands once.
 */
export function stayingAccrue(): (args: readonly string[], typed?: Typed) => Promise<Printed> {
  let child: ChildProcess | null = null;
  let last: Promise<unknown> = Promise.resolve();
  afterAll(() => void child?.kill());
  const type = (args: readonly string[], typed: Typed) => {
    child ??= fork(STAYING, [], {
      ...placeOf({}),
      execArgv: [],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const staying = child;
    return new Promise<Printed>((resolve, reject) => {
      const ended = () => reject(new Error(`accrue ${args.join(" ")} ended the process that stays`));
      staying.once("exit", ended);
      staying.once("message", (answer) => {
        staying.off("exit", ended);
        resolve(printed(answer as Omit<Printed, "json">));
      });
      staying.send({ args, ...placeOf(typed) });
    });
  };
  return (args, typed = {}) => {
    const next = last.then(() => type(args, typed));
    last = next.catch(() => {});
    return next;
  };
}

function placeOf({ cwd = tmpdir(), env = {} }: Typed): Required<Typed> {
  return { cwd, env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", ...env } };
}

function printed(end: Omit<Printed, "json">): Printed {
  return { ...end, json: () => JSON.parse(end.out) as Record<string, unknown> };
}

/** A person's repository: git as they would type it. */
export interface PersonalRepository {
  root: string;
  git(...args: string[]): string;
  write(path: string, text: string): void;
  commit(message: string): void;
  branches(): string[];
}

/** A folder that the box's user may enter. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "accrue-cli-"));
  chmodSync(folder, 0o711);
  return folder;
}

/** Makes a repository with the demo's project as its first commit; `files: false` leaves it without any. */
export function personalRepository(root: string, options: { files?: boolean } = {}): PersonalRepository {
  mkdirSync(root, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" },
    }).trim();
  const repository: PersonalRepository = {
    root,
    git,
    write: (path, text) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    commit: (message) => {
      git("add", "-A");
      git("commit", "-q", "-m", message);
    },
    branches: () => git("for-each-ref", "--format=%(refname:short)", "refs/heads/").split("\n"),
  };
  git("init", "-q", "-b", "main");
  appendFileSync(join(root, ".git/config"), "[user]\n\tname = Ann\n\temail = ann@example.com\n");
  if (options.files !== false) {
    cpSync(PROJECT, root, { recursive: true });
    repository.commit("A small project");
  }
  return repository;
}
