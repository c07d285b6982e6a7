import { join, posix } from "node:path";
import type { Code } from "../context/index.js";
import { decodeText } from "../codemap/index.js";
import { type ServiceSource, isWritten, keyModules, pickFiles } from "../services/index.js";
import { AccrueError, isAccrueError } from "../shared/index.js";
import type { Mirror, Workspace } from "../workspace/index.js";
import { checkoutOf } from "./code.js";
import { mainBranch } from "./main-branch.js";
import { readOrNothing } from "./read-or-nothing.js";
import type { ServicePlace } from "./service-place.js";
import type { Doors, EngineDeps, Settings } from "./types.js";

const MAX_FILE_BYTES = 400_000;
const MAX_TOTAL_BYTES = 24_000_000;

/** A service's checkout while it is read. */
export interface VisitedService {
  place: ServicePlace;
  source: ServiceSource;
  workspace: Workspace;
  code: Code;
  /** Text of any file of the service, also of those that no fact is read from. */
  textOf(path: string): Promise<string | undefined>;
  /** Paths that changed since a commit; null where that cannot be told. */
  changedSince(commit: string): Promise<ReadonlySet<string> | null>;
  close(): Promise<void>;
}

/** What opening a service needs to know of who asks. */
export interface ReadFor {
  doors: Pick<Doors, "identity">;
  settings: Settings;
}

/** A checkout of a service's main branch, to be read. */
export interface OpenedService {
  workspace: Workspace;
  code: Code;
  close(): Promise<void>;
}

/** Checks a service's main branch out. Contract: close it. */
export async function openToRead(
  { repository, remote, branch }: Pick<ServicePlace, "repository" | "remote" | "branch">,
  { doors, settings }: ReadFor,
  deps: Pick<EngineDeps, "workspaces" | "openCode" | "newId">,
  signal: AbortSignal,
): Promise<OpenedService> {
  const workspaces = deps.workspaces(settings.sandbox);
  const mirror = await workspaces.mirror({ repository, remote, identity: doors.identity }, signal);
  const base = branch ?? (await mainBranch(mirror));
  const run = deps.newId();
  const workspace = await workspaces.open({ mirror, base, branch: `agent/read-${run}`, run }, signal);
  try {
    const code = await deps.openCode(checkoutOf(repository, workspace, workspace));
    const close = async () => {
      await code.close();
      await workspace.close();
    };
    return { workspace, code, close };
  } catch (error) {
    await workspace.close();
    throw error;
  }
}

/** Checks a service's main branch out and reads what is worth reading, in bounds. Contract: close it. */
export async function visitService(
  place: ServicePlace,
  of: ReadFor,
  deps: EngineDeps,
  signal: AbortSignal,
): Promise<VisitedService> {
  const opened = await openToRead(place, of, deps, signal);
  try {
    return await read(place, opened, signal);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function read(
  place: ServicePlace,
  { workspace, code, close }: OpenedService,
  signal: AbortSignal,
): Promise<VisitedService> {
  const { folder } = place;
  const inside = (path: string) => (folder === "" ? path : join(folder, path));
  const outside = (path: string) => (folder === "" ? path : posix.relative(folder, path));
  const textOf = async (path: string) => {
    if (path.startsWith("/") || path.split("/").includes("..")) return undefined;
    const bytes = await readOrNothing(workspace.files, inside(path));
    return bytes === null || bytes.length > MAX_FILE_BYTES || bytes.includes(0)
      ? undefined
      : decodeText(bytes).text;
  };
  const here = (await workspace.tree(signal))
    .map(({ path }) => outside(path))
    .filter((path) => !path.startsWith("../"));
  if (here.length === 0)
    throw new AccrueError("INPUT_INVALID", `${place.label} has no folder ${folder}: correct its paths.`);
  const files = new Map<string, string>();
  let total = 0;
  for (const path of pickFiles(here)) {
    signal.throwIfAborted();
    const text = await textOf(path);
    if (text === undefined || !isWritten(path, text) || total + text.length > MAX_TOTAL_BYTES) continue;
    total += text.length;
    files.set(path, text);
  }
  await code.map.refresh(signal);
  const modules = keyModules(code.map, here.map(inside)).map((one) => ({ ...one, path: outside(one.path) }));
  const commit = await workspace.head();
  return {
    place,
    source: { service: place.service, repository: place.label, commit, files, modules },
    workspace,
    code,
    textOf,
    changedSince: (since) => changesOf(workspace.mirror, [since, commit], outside),
    close,
  };
}

async function changesOf(
  mirror: Mirror,
  [from, to]: [string, string],
  outside: (path: string) => string,
): Promise<ReadonlySet<string> | null> {
  try {
    return new Set((await mirror.changes(from, to)).map(({ path }) => outside(path)));
  } catch (error) {
    // History was rewritten, or the document is of another repository.
    if (isAccrueError(error, "GIT_FAILED")) return null;
    throw error;
  }
}
