import { access, constants, mkdir } from "node:fs/promises";
import type { Git } from "../../git/index.js";
import { messageOf } from "../../shared/index.js";
import type { DoctorCheck } from "./doctor.js";

type Finding = Omit<DoctorCheck, "name">;

/** What the doctor looks at. */
export interface MachineDeps {
  git: Git;
  signal: AbortSignal;
  env: Readonly<Record<string, string | undefined>>;
  nodeVersion: string;
  /** Folder of the repository, or any. */
  folder: string;
  /** Where mirrors and checkouts would lie. */
  dataFolder: string;
  /** Makes the data folder of a repository and hides it from git; nothing outside of one. */
  makeData(): Promise<unknown>;
  /** Tests the box in this data folder. */
  sandbox(data: string): Promise<{ usable: boolean; reason: string; hint: string }>;
  /** Asks GitHub who we are; null when no credentials are set. */
  gitHub: (() => Promise<{ login: string }>) | null;
}

const MIN_GIT = [2, 38] as const;
/** As `engines` of package.json says. */
const MIN_NODE = [
  [20, 19],
  [22, 13],
  [24, 0],
] as const;
const NEWEST_NODE = 24;

/** The environment self-check, by name. Nothing is changed but the data folder, which is made when it is missing. */
export function machineChecks(deps: MachineDeps): Readonly<Record<string, () => Promise<Finding>>> {
  const { dataFolder } = deps;
  const checks: Record<string, () => Promise<Finding>> = {
    node: () => Promise.resolve(checkNode(deps.nodeVersion)),
    git: () => checkGit(deps),
    sandbox: async () => {
      const { usable, reason, hint } = await deps.sandbox(dataFolder);
      return usable ? { outcome: "passed", hint: reason } : { outcome: "failed", hint: `${reason} ${hint}` };
    },
    "model key": () => Promise.resolve(checkKey(deps.env)),
    GitHub: () => checkGitHub(deps),
    "data folder": () => checkFolder(deps),
  };
  return Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, () => told(check)]));
}

/** A doctor that meets trouble reports it, and goes on with the other checks. */
async function told(check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    return { outcome: "failed", hint: messageOf(error).split("\n")[0] ?? "" };
  }
}

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [];
  const least = MIN_NODE.find(([supported]) => supported === major);
  const isSupported = least ? minor >= least[1] : major > NEWEST_NODE;
  const cure = "install Node 24, or a newer 22 or 20";
  return isSupported
    ? { outcome: "passed", hint: version }
    : { outcome: "failed", hint: `${version} is not supported: ${cure}` };
}

async function checkGit({ git, folder, signal }: MachineDeps): Promise<Finding> {
  const version = (await git.run(["version"], { folder, signal })).trim();
  const [major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [];
  const isNew = major > MIN_GIT[0] || (major === MIN_GIT[0] && minor >= MIN_GIT[1]);
  return isNew
    ? { outcome: "passed", hint: version }
    : { outcome: "failed", hint: `${version} is too old: install git ${MIN_GIT.join(".")} or newer` };
}

function checkKey(env: MachineDeps["env"]): Finding {
  if (env["ANTHROPIC_API_KEY"]) return { outcome: "passed", hint: "ANTHROPIC_API_KEY is set" };
  return {
    outcome: "not-run",
    hint: "ANTHROPIC_API_KEY is not set: `accrue demo` works, `accrue run` needs it or --model-url",
  };
}

async function checkGitHub({ gitHub }: MachineDeps): Promise<Finding> {
  if (!gitHub)
    return {
      outcome: "not-run",
      hint: "no APP_ID and PRIVATE_KEY, and no GITHUB_TOKEN: needed by `serve` and `replay` only",
    };
  try {
    return { outcome: "passed", hint: `signed in as ${(await gitHub()).login}` };
  } catch (error) {
    return { outcome: "failed", hint: messageOf(error) };
  }
}

async function checkFolder({ dataFolder: folder, makeData }: MachineDeps): Promise<Finding> {
  try {
    await makeData();
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    return { outcome: "passed", hint: folder };
  } catch (error) {
    return {
      outcome: "failed",
      hint: `${messageOf(error)}: set ACCRUE_DATA to a folder that can be written`,
    };
  }
}
