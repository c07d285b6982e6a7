import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { createGit, type Git } from "../git/index.js";
import { AccrueError, type Clock } from "../shared/index.js";
import { type BoxMachine, createBox } from "./box.js";
import { openCheckout } from "./checkout.js";
import { createDisk } from "./disk.js";
import { repositoryFolder, runFolders } from "./layout.js";
import { assertNotEmpty, createMirror, fetchMirror } from "./mirror.js";
import { openRepository, type Repository } from "./repository.js";
import { testSandbox } from "./self-test.js";
import { sweepRuns } from "./sweep.js";
import type { Mirror, SandboxReport, Workspaces, WorkspacesOptions } from "./types.js";

/** What workspaces need from outside. */
export interface WorkspacesDeps {
  clock: Clock;
  /** Default: git started by this process itself. */
  git?: (options: { home: string; path: string }) => Git;
}

/** The mirrors, checkouts and boxes of one data folder. */
export function createWorkspaces(deps: WorkspacesDeps, options: WorkspacesOptions): Workspaces {
  const isRoot = options.uid === 0;
  const boxUid = isRoot ? options.sandbox.uid : null;
  const machine: BoxMachine = {
    folder: join(options.data, "box"),
    path: options.path,
    // A link such as /usr/local/bin/node may lead out of what the box shows.
    nodePath: realpathSync(options.nodePath),
    level: options.sandbox.level === "none" ? "none" : "bwrap",
    network: options.sandbox.network,
    dropTo: boxUid,
  };
  const git = (deps.git ?? createGit)({ home: join(options.data, "git"), path: options.path });
  const disk = createDisk({ data: options.data, path: options.path, boxUid });
  const repositories = new WeakMap<Mirror, Repository>();
  let tested: Promise<SandboxReport> | null = null;
  const sandbox = () => {
    const isLinux = existsSync("/proc/self/fd");
    tested ??= testSandbox({ disk }, machine, { isLinux }).catch((error: unknown) => {
      // A full disk says nothing about the sandbox: the next call tests again.
      tested = null;
      throw error;
    });
    return tested;
  };

  return {
    sandbox,
    mirror: async ({ repository: ref, remote, identity }, signal) => {
      const folder = repositoryFolder(options.data, ref);
      await disk.makeFolder(folder);
      const repository = await openRepository(
        { git, clock: deps.clock },
        { ref, folder, remote, identity },
        signal,
      );
      await fetchMirror(repository, {}, signal);
      await assertNotEmpty(repository);
      const mirror = createMirror(repository);
      repositories.set(mirror, repository);
      return mirror;
    },
    open: async ({ mirror, base, branch, run }, signal) => {
      const repository = repositories.get(mirror);
      if (!repository) {
        throw new AccrueError(
          "INPUT_INVALID",
          "This mirror was opened elsewhere: pass one of these workspaces.",
        );
      }
      const folders = runFolders(repository.folder, run);
      await disk.makeFolder(folders.folder);
      await disk.makeFolder(machine.folder);
      const beside = new Map<string, string>();
      const makeBox = (of: typeof folders) => createBox(machine, { ...of, beside }, sandbox);
      return openCheckout(
        { repository, mirror, makeBox, beside, disk, boxUid },
        { base, branch, run, folders },
        signal,
      );
    },
    sweep: (keep) => sweepRuns({ git, disk }, options.data, keep),
  };
}
