import { randomBytes } from "node:crypto";
import { lstat, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../shared/index.js";
import { copyFolder } from "./copy-folder.js";
import { detectInstallations, type Installation } from "./dependencies.js";
import type { SetupResult, Workspace } from "./types.js";

const COMMAND_LIMIT_MS = 15 * 60_000;
/** What of a command's output a result keeps. */
const OUTPUT_LIMIT = 8000;

/** How a repository wants to be set up. */
export interface SetupOptions {
  /** The repository's own commands instead of the detected ones. */
  commands: readonly string[];
  /** Hosts besides the tools' default registries. */
  network: readonly string[];
  /** A folder that keeps what was installed, by lockfile; null to install anew each time. */
  cache: string | null;
}

/**
 * Installs what the project needs, in the box, before any agent works in it.
 * Contract: a failing installation is a result; rejects only as the box does.
 */
export async function setUp(
  workspace: Workspace,
  options: SetupOptions,
  signal: AbortSignal,
): Promise<SetupResult> {
  const { installations, reason } = await plan(workspace, options);
  if (installations.length === 0) return { outcome: "not-run", reason, commands: [], fromCache: false };
  const commands: SetupResult["commands"] = [];
  let cached = 0;
  for (const installation of installations) {
    const kept = await keptFolder(workspace, installation, options.cache);
    if (kept !== null && (await isFolder(kept))) {
      await replaceFolder(kept, join(workspace.path, "node_modules"));
      cached += 1;
      continue;
    }
    const ran = await workspace.box.run(
      {
        command: installation.command,
        timeoutMs: COMMAND_LIMIT_MS,
        network: [...installation.hosts, ...options.network],
        env: { CI: "true", NO_COLOR: "1" },
      },
      signal,
    );
    const { exitCode, durationMs } = ran;
    commands.push({
      command: installation.command,
      durationMs,
      exitCode,
      output: ran.output.slice(-OUTPUT_LIMIT),
    });
    if (exitCode !== 0) {
      const how = ran.timedOut
        ? `did not end in ${COMMAND_LIMIT_MS / 60_000} min`
        : `exited with ${exitCode}`;
      const failure = `\`${installation.command}\` ${how}.`;
      return { outcome: "failed", reason: failure, commands, fromCache: false };
    }
    if (kept !== null) await keep(join(workspace.path, "node_modules"), kept);
  }
  const fromCache = cached === installations.length;
  const tools = installations.map((installation) => installation.tool ?? installation.command).join(", ");
  return {
    outcome: "passed",
    reason: `${fromCache ? "From the cache" : "Installed"}: ${tools}.`,
    commands,
    fromCache,
  };
}

type Step = Omit<Installation, "tool"> & { tool: Installation["tool"] | null };

async function plan(
  workspace: Workspace,
  options: SetupOptions,
): Promise<{ installations: Step[]; reason: string }> {
  if (options.commands.length === 0) return detectInstallations(workspace.files);
  const detected = await detectInstallations(workspace.files);
  const hosts = detected.installations.flatMap((installation) => installation.hosts);
  const installations = options.commands.map((command): Step => ({
    tool: null,
    command,
    hosts,
    keyFiles: null,
    runsOwnCode: true,
  }));
  return { installations, reason: "" };
}

/** Where an installation's result is kept, or null when nothing pins it. */
async function keptFolder(workspace: Workspace, step: Step, cache: string | null): Promise<string | null> {
  if (cache === null || step.keyFiles === null) return null;
  const contents = await Promise.all(step.keyFiles.map((path) => workspace.files.read(path)));
  const parts = [step.command, ...contents.map((content) => (content ? sha256(content) : "-"))];
  // Scripts of the project could put anything into the result, so it is good for this very commit only.
  if (step.runsOwnCode) parts.push(await workspace.head());
  const { owner, name, host } = workspace.mirror.repository;
  return join(cache, sha256([host, owner, name, ...parts].join("\n")).slice(0, 32));
}

async function keep(installed: string, kept: string): Promise<void> {
  if (!(await isFolder(installed))) return;
  const draft = `${kept}.${randomBytes(6).toString("hex")}`;
  await mkdir(join(kept, ".."), { recursive: true, mode: 0o700 });
  await replaceFolder(installed, draft);
  try {
    await rename(draft, kept);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another run kept the same just now.
    if (!(await isFolder(kept))) throw error;
  }
}

async function replaceFolder(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await copyFolder(from, to);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
