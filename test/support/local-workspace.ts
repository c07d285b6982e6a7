import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { AccrueError } from "../../src/shared/index.js";
import { createSeenFiles } from "../../src/tools/index.js";
import type { Box, CommandResult, Files } from "../../src/workspace/index.js";

/** Files over a folder, as strict about paths as the real ones. */
function localFiles(root: string): Files {
  const inside = (path: string) => {
    const full = resolve(root, path);
    if (full === root || full.startsWith(root + sep)) return full;
    throw new AccrueError("PATH_OUTSIDE", `${path} is outside the workspace.`);
  };
  return {
    async read(path) {
      const full = inside(path);
      const stats = await stat(full).catch(() => null);
      if (stats === null) return null;
      if (!stats.isFile()) throw new AccrueError("INPUT_INVALID", `${path} is a folder.`);
      return readFile(full);
    },
    async write(path, content) {
      await mkdir(dirname(inside(path)), { recursive: true });
      await writeFile(inside(path), content);
    },
    async remove(path) {
      const existed = (await stat(inside(path)).catch(() => null)) !== null;
      await rm(inside(path), { force: true });
      return existed;
    },
    async list(prefix = "") {
      const entries = await readdir(inside(prefix), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
        .filter((path) => !path.startsWith(".git/"))
        .sort();
    },
  };
}

/** A box that is only a shell in the folder: real processes, no isolation. */
export function localBox(root: string, env: Record<string, string> = {}): Box {
  return {
    level: "none",
    run: ({ command, timeoutMs, stdin }, signal) =>
      new Promise<CommandResult>((done, failed) => {
        signal.throwIfAborted();
        const started = performance.now();
        const child = spawn("sh", ["-c", command], {
          cwd: root,
          detached: true,
          env: { PATH: process.env["PATH"] ?? "", HOME: root, ...env },
        });
        child.stdin.on("error", () => {});
        child.stdin.end(stdin ?? "");
        let output = "";
        let timedOut = false;
        const kill = () => process.kill(-child.pid!, "SIGKILL");
        const timer = setTimeout(() => {
          timedOut = true;
          kill();
        }, timeoutMs);
        signal.addEventListener("abort", kill, { once: true });
        child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
        child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
        child.on("close", (exitCode) => {
          clearTimeout(timer);
          signal.removeEventListener("abort", kill);
          if (signal.aborted) failed(signal.reason as Error);
          else done({ exitCode, output, timedOut, durationMs: performance.now() - started });
        });
      }),
  };
}

/** A temporary folder with Files and Box over it, and a place for artefacts. */
export async function openLocalWorkspace(env: Record<string, string> = {}) {
  const base = await realpath(await mkdtemp(join(tmpdir(), "accrue-test-")));
  const root = join(base, "work");
  await mkdir(root);
  return {
    root,
    base,
    context: {
      files: localFiles(root),
      box: localBox(root, env),
      artefacts: join(base, "artefacts"),
      handOver: join(base, "hand-over.md"),
      seen: createSeenFiles(),
      problemOf: () => Promise.resolve(null),
      map: null,
      history: null,
      showTodo: () => {},
      askPerson: null,
    },
    close: () => rm(base, { recursive: true, force: true }),
  };
}
