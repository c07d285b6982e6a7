// The real command line for a test: `dist/cli.js` as a process of its own, and a person's repository to run it in.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execFileSync } from "node:child_process";

/** What a command printed, and its exit status. */
export interface Printed {
  status: number | null;
  out: string;
  err: string;
  /** Standard output as the one JSON document it has to be. */
  json(): Record<string, unknown>;
}

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** Called with the process once it runs, to send it a signal. */
  started?(child: ChildProcess): void;
}

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const PROJECT = fileURLToPath(new URL("../../data/demo/project", import.meta.url));

/** Runs `accrue` with these arguments; nothing of this machine's environment but the path reaches it. */
export function accrue(args: readonly string[], options: RunOptions = {}): Promise<Printed> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: options.cwd ?? tmpdir(),
      env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
    child.once("error", reject);
    child.once("close", (status) =>
      resolve({ status, out, err, json: () => JSON.parse(out) as Record<string, unknown> }),
    );
    options.started?.(child);
  });
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
  execFileSync("chmod", ["711", folder]);
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
  git("config", "user.name", "Ann");
  git("config", "user.email", "ann@example.com");
  if (options.files !== false) {
    cpSync(PROJECT, root, { recursive: true });
    repository.commit("A small project");
  }
  return repository;
}
