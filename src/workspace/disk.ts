import { execFile } from "node:child_process";
import { chmod, lchown, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const runFile = promisify(execFile);
/** The box's user passes through the folders above its checkout, but cannot look around in them. */
const ENTERABLE = 0o711;
const PRIVATE = 0o700;

/** Work on whole folders of the disk, as the user that the box runs as may have left them. */
export interface Disk {
  /** Makes a folder below the data folder, reachable for the box's user. */
  makeFolder(folder: string): Promise<void>;
  /** Gives a folder and all in it to the box's user; does nothing when the box runs as ourselves. */
  own(...folders: string[]): Promise<void>;
  /** The same for files of a folder, and for the folders on the way to them. */
  ownFiles(folder: string, paths: readonly string[]): Promise<void>;
  /** Removes a folder, also one whose parts were made read-only. */
  remove(folder: string): Promise<void>;
}

/** Disk work with the machine's own tools, which never follow a link out of the folder. */
export function createDisk(options: { data: string; path: string; boxUid: number | null }): Disk {
  const run = (program: string, args: string[]) => runFile(program, args, { env: { PATH: options.path } });
  return {
    makeFolder: async (folder) => {
      const mode = options.boxUid === null ? PRIVATE : ENTERABLE;
      await mkdir(folder, { recursive: true, mode });
      let path = options.data;
      await chmod(path, mode);
      for (const part of folder.slice(path.length).split("/").filter(Boolean)) {
        path = join(path, part);
        await chmod(path, mode);
      }
    },
    own: async (...folders) => {
      const { boxUid } = options;
      if (boxUid !== null) await run("chown", ["-R", "-h", `${boxUid}:${boxUid}`, "--", ...folders]);
    },
    ownFiles: async (folder, paths) => {
      const { boxUid } = options;
      if (boxUid === null) return;
      const all = new Set(paths.flatMap(onTheWay));
      await Promise.all([...all].map((path) => lchown(join(folder, path), boxUid, boxUid)));
    },
    remove: async (folder) => {
      try {
        await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      } catch (error) {
        // Go's module cache, for one, is written read-only.
        if (!["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
        await run("chmod", ["-R", "u+rwX", "--", folder]);
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** A relative path and the folders that it lies in. */
function onTheWay(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [path] : [path, ...onTheWay(folder)];
}
