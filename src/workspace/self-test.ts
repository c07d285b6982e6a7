import { randomBytes } from "node:crypto";
import { access, constants, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { isAccrueError, messageOf } from "../shared/index.js";
import { type BoxMachine, runBoxed } from "./box.js";
import type { Disk } from "./disk.js";
import type { CommandResult, SandboxReport } from "./types.js";

const PROBE_LIMIT_MS = 30_000;
const PROGRAMS = ["bwrap", "prlimit"];

const PROBE = fileURLToPath(new URL("../../data/box/probe.cjs", import.meta.url));

const Probe = z.object({
  uid: z.number(),
  outside: z.boolean(),
  kernel: z.boolean(),
  network: z.boolean(),
  writes: z.boolean(),
});

/** What the machine's refusals look like and what cures each. */
const CURES: readonly { words: RegExp; hint: string }[] = [
  {
    words: /RTM_NEWADDR|setting up uid map|uid_map/i,
    hint: "Unprivileged user namespaces are restricted by AppArmor: run `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`, or install the AppArmor profile `bwrap-userns-restrict`.",
  },
  {
    words: /no permissions to create|creating new namespace failed|clone|unshare/i,
    hint: "User namespaces are forbidden here: in Docker start the container with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined`; on a server run `sudo sysctl -w user.max_user_namespaces=15000`.",
  },
  {
    words: /mount.*proc|can't mount proc/i,
    hint: "The container hides parts of /proc: start it with `--security-opt systempaths=unconfined`.",
  },
  {
    words: /permission denied|can't find source path|can't bind/i,
    hint: "The box's user cannot enter the data folder: put ACCRUE_DATA where others may pass through (`chmod o+x` on its parent folders).",
  },
];
const NO_CURE =
  "Run the same command by hand to see more; `sandbox.level: none` runs commands without protection.";

/** Starts the real box once and looks whether it keeps what it promises. */
export async function testSandbox(
  deps: { disk: Disk },
  machine: BoxMachine,
  options: { isLinux: boolean },
): Promise<SandboxReport> {
  if (machine.dropTo === 0) {
    const hint = "Set `sandbox.uid` to an unprivileged user, such as 65534.";
    return { ...broken("Commands would run as root.", hint), level: machine.level };
  }
  if (machine.level === "none") {
    const reason = "Commands run without a sandbox, because the configuration says `sandbox.level: none`.";
    return { level: "none", usable: true, reason, hint: "Use this only for repositories that you trust." };
  }
  if (!options.isLinux) {
    return broken(
      "The sandbox needs Linux.",
      "Run Accrue in its Docker image, or set `sandbox.level: none`.",
    );
  }
  const missing = await missingProgram(machine);
  if (missing) {
    const hint =
      "Install it: `sudo apt-get install bubblewrap util-linux`, or your system's packages of that name.";
    return broken(`The program ${missing} is not installed.`, hint);
  }
  const folder = join(machine.folder, `probe-${randomBytes(6).toString("hex")}`);
  const server = createServer((socket) => socket.destroy());
  try {
    await deps.disk.makeFolder(folder);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address ? `${address.port}` : "";
    return judge(await probe(deps, machine, { folder, port }), machine);
  } catch (error) {
    if (!isAccrueError(error, "SANDBOX_UNAVAILABLE")) throw error;
    const words = messageOf(error);
    return broken(words, CURES.find((cure) => cure.words.test(words))?.hint ?? NO_CURE);
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function probe(
  deps: { disk: Disk },
  machine: BoxMachine,
  input: { folder: string; port: string },
): Promise<CommandResult> {
  const folders = { tree: join(input.folder, "tree"), home: join(input.folder, "home") };
  const secret = join(input.folder, "outside");
  await writeFile(secret, "", { mode: 0o644 });
  for (const folder of Object.values(folders)) await mkdir(folder, { mode: 0o700 });
  await deps.disk.own(folders.tree, folders.home);
  const script = await readFile(PROBE, "utf8");
  // The network that commands may be given is not part of what is tested.
  return runBoxed(
    { ...machine, network: [] },
    folders,
    {
      command: 'node -e "$PROBE_SCRIPT"',
      timeoutMs: PROBE_LIMIT_MS,
      env: { PROBE_SCRIPT: script, PROBE_FILE: secret, PROBE_PORT: input.port },
    },
    AbortSignal.timeout(2 * PROBE_LIMIT_MS),
  );
}

function judge(result: CommandResult, machine: BoxMachine): SandboxReport {
  const line = /^PROBE (.*)$/m.exec(result.output)?.[1];
  if (line === undefined) {
    const said = result.output.trim().slice(0, 500) || `exit code ${result.exitCode}`;
    return broken(
      `Node does not start in the box: ${said}.`,
      "Install Node under /usr, or where others may read it.",
    );
  }
  const found = Probe.parse(JSON.parse(line));
  const wrong = [
    found.uid === 0 && "it runs as root",
    machine.dropTo !== null && found.uid !== machine.dropTo && `it runs as user ${found.uid}`,
    found.outside && "it can read files outside",
    found.kernel && "it can change the kernel's settings",
    found.network && "it reaches the network",
    !found.writes && "it cannot write its own checkout",
  ].filter((each) => typeof each === "string");
  if (wrong.length > 0) return broken(`The box does not hold: ${wrong.join(", ")}.`, NO_CURE);
  const reason = `Commands run in bubblewrap as user ${found.uid}, without network and without the machine's files.`;
  return { level: "bwrap", usable: true, reason, hint: "" };
}

function broken(reason: string, hint: string): SandboxReport {
  return { level: "bwrap", usable: false, reason, hint };
}

async function missingProgram(machine: BoxMachine): Promise<string | null> {
  const needed = machine.dropTo === null ? PROGRAMS : [...PROGRAMS, "setpriv"];
  for (const program of needed) {
    const candidates = machine.path.split(":").map((folder) => join(folder, program));
    const found = await Promise.all(candidates.map((path) => canRun(path)));
    if (!found.includes(true)) return program;
  }
  return null;
}

async function canRun(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch (error) {
    if (["ENOENT", "EACCES", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}
