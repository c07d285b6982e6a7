import type { SandboxOptions, Workspaces, WorkspacesOptions } from "./types.js";
import { createWorkspaces, type WorkspacesDeps } from "./workspaces.js";

/** Gives the workspaces for a repository's sandbox settings; one for each that occurs, on one data folder. */
export function workspacesBySandbox(
  deps: WorkspacesDeps,
  options: Omit<WorkspacesOptions, "sandbox">,
): (sandbox: SandboxOptions) => Workspaces {
  const made = new Map<string, Workspaces>();
  return (sandbox) => {
    const key = JSON.stringify(sandbox);
    const known = made.get(key);
    if (known) return known;
    const workspaces = createWorkspaces(deps, { ...options, sandbox });
    made.set(key, workspaces);
    return workspaces;
  };
}
