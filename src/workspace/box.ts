import { randomBytes } from "node:crypto";
import { copyFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { AccrueError, messageOf } from "../shared/index.js";
import { baseEnvironment, boxCommand, boxPath, shell } from "./bwrap.js";
import { startProxy } from "./proxy.js";
import { type Ending, launch } from "./spawned.js";
import type { Box, CommandRequest, CommandResult, SandboxReport } from "./types.js";

const FORWARDER = fileURLToPath(new URL("../../data/box/forward.mjs", import.meta.url));

/** Linux takes no argument longer than 128 KiB. */
const COMMAND_LIMIT_BYTES = 100_000;

/** What all boxes of this machine share. */
export interface BoxMachine {
  /** The data folder's part for boxes: sockets and the script that runs inside. */
  folder: string;
  path: string;
  nodePath: string;
  level: "bwrap" | "none";
  /** Hosts that every command may reach. */
  network: readonly string[];
  /** The user to become; null when we are not root. */
  dropTo: number | null;
}

/** The folders of the run that a box shows. */
export interface BoxFolders {
  tree: string;
  home: string;
  /** Other checkouts that it shows, by name. */
  beside?: ReadonlyMap<string, string>;
}

/** A box over one checkout. Contract: `ready` answers whether the self-test passed, before the first command. */
export function createBox(
  machine: BoxMachine,
  folders: BoxFolders,
  ready: () => Promise<SandboxReport>,
): Box {
  return {
    level: machine.level,
    run: async (request, signal) => {
      const report = await ready();
      signal.throwIfAborted();
      if (!report.usable) throw unavailable(`${report.reason} ${report.hint}`);
      if (Buffer.byteLength(request.command) > COMMAND_LIMIT_BYTES || request.command.includes("\0")) {
        return refused(
          `A command has at most ${COMMAND_LIMIT_BYTES} bytes and no NUL: write a script file and run that.`,
        );
      }
      const folder = insideFolder(request.folder ?? "");
      if (folder === null) return refused(`${request.folder} is outside of the workspace`);
      const plan = { ...request, folder };
      return machine.level === "none"
        ? runUnboxed(machine, folders, plan, signal)
        : runBoxed(machine, folders, plan, signal);
    },
  };
}

/** Runs a command in bubblewrap without asking whether it works here, as the self-test must. */
export async function runBoxed(
  machine: BoxMachine,
  folders: BoxFolders,
  request: CommandRequest,
  signal: AbortSignal,
): Promise<CommandResult> {
  const hosts = [...machine.network, ...(request.network ?? [])];
  const proxy = hosts.length > 0 ? await openProxy(machine, hosts) : null;
  try {
    const [program = "", ...args] = boxCommand({
      ...folders,
      dropTo: machine.dropTo,
      nodePath: machine.nodePath,
      proxy,
      env: request.env ?? {},
      folder: request.folder ?? "",
      command: request.command,
    });
    const env = { PATH: machine.path, LC_ALL: "C.UTF-8" };
    const { timeoutMs, stdin = null } = request;
    const ending = await started(
      launch({ program, args, env, folder: machine.folder, uid: null, timeoutMs, stdin }, signal),
      signal,
    );
    // Without an exit code in its report the box never came to the command.
    const ran = ending.timedOut || ending.status.includes('"exit-code"');
    if (!ran) throw unavailable(`The box did not start: ${ending.stderr.trim() || "it was killed"}.`);
    return resultOf(ending);
  } finally {
    await proxy?.close();
  }
}

async function openProxy(machine: BoxMachine, hosts: readonly string[]) {
  const forwarder = join(machine.folder, "forward.mjs");
  // The package itself may lie where the box's user cannot read.
  await copyFile(FORWARDER, forwarder);
  const socket = join(machine.folder, `${randomBytes(6).toString("hex")}.sock`);
  const proxy = await startProxy({ socket, hosts, owner: machine.dropTo });
  return { ...proxy, forwarder, hosts };
}

/** Only where it was asked for: the command runs on the machine itself, but without our environment and not as root. */
async function runUnboxed(
  machine: BoxMachine,
  folders: BoxFolders,
  request: CommandRequest,
  signal: AbortSignal,
): Promise<CommandResult> {
  const path = boxPath(folders.home, machine.path.split(":"));
  const env = {
    ...baseEnvironment(folders.home, path),
    // Git must not find the repository that the data folder may lie in.
    GIT_CEILING_DIRECTORIES: posix.dirname(folders.tree),
    ...request.env,
  };
  const [program = "", ...args] = shell(request.folder ?? "", request.command);
  const { timeoutMs, stdin = null } = request;
  const where = { folder: folders.tree, uid: machine.dropTo };
  const ending = launch({ program, args, env, ...where, timeoutMs, stdin }, signal);
  return resultOf(await started(ending, signal));
}

async function started(ending: Promise<Ending>, signal: AbortSignal): Promise<Ending> {
  try {
    return await ending;
  } catch (error) {
    if (signal.aborted) throw error;
    throw unavailable(`The command could not be started: ${messageOf(error)}.`, error);
  }
}

function resultOf(ending: Ending): CommandResult {
  const { exitCode, timedOut, durationMs } = ending;
  return { exitCode, output: ending.stdout, timedOut, durationMs };
}

function refused(reason: string): CommandResult {
  return { exitCode: 126, output: `${reason}\n`, timedOut: false, durationMs: 0 };
}

function insideFolder(folder: string): string | null {
  const normal = posix.normalize(folder || ".");
  return normal.includes("\0") || normal.startsWith("/") || normal === ".." || normal.startsWith("../")
    ? null
    : normal;
}

function unavailable(message: string, cause?: unknown): AccrueError {
  return new AccrueError("SANDBOX_UNAVAILABLE", message, { cause });
}
