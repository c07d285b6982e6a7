import { AccrueError, isAccrueError } from "../shared/index.js";
import { askAt } from "./ask-at.js";
import { checkoutOf } from "./code.js";
import { requirementBranch } from "./requirement-branch.js";
import { foreignName } from "./requirement-of.js";
import { openMirror } from "./resources.js";
import type { ServiceOptions } from "./service-options.js";
import { type ServiceSite, fullName, unobserved } from "./site.js";
import type { Doors, Run, Settings } from "./types.js";
import { refusalIn } from "./who-may.js";

/**
 * Opens the repository of services for a run: its checkout on a branch that names the requirement and the repository that it is of.
 * Contract: rejects with an error for people where the app, or whoever asked, may not work there.
 */
export async function openService(
  run: Run,
  names: readonly string[],
  signal: AbortSignal,
): Promise<ServiceSite> {
  const all = names.map((name) => configuredIn(run, name));
  const [{ repository: where, base: wanted } = { repository: "", base: "" }] = all;
  const place = await doorsOf(run, where);
  const { ask, doors, settings, port } = place;
  const sandbox = { ...settings.sandbox, level: run.settings.sandbox.level, uid: run.settings.sandbox.uid };
  const mirror = await openMirror(run.deps, { ask, doors, settings: { ...settings, sandbox } }, signal);
  const { branch } = await requirementBranch(mirror, {
    pattern: run.settings.branch,
    requirement: foreignName(run.repository, run.requirement),
    title: run.draft?.title ?? run.title,
  });
  const base = wanted || settings.base || ask.defaultBranch;
  const workspace = await run.deps.workspaces(sandbox).open({ mirror, base, branch, run: run.id }, signal);
  const { repository } = ask;
  return {
    service: names.join("+"),
    names,
    paths: all.every(({ paths }) => paths.length > 0) ? all.flatMap(({ paths }) => paths) : [],
    repository,
    settings,
    workspace,
    code: await run.deps.openCode(checkoutOf(repository, workspace, workspace)),
    instructions: (await workspace.files.read("AGENTS.md"))?.toString("utf8") ?? "",
    ...unobserved(),
    port,
    branch,
    pull: null,
  };
}

function configuredIn(run: Run, service: string): ServiceOptions[string] {
  const configured = run.settings.services[service];
  if (configured) return configured;
  const message = `The plan names the service ${service}, which is not configured any more: put it into \`services\` in .github/agent.yml, or take it out of tasks.md.`;
  throw new AccrueError("CONFIG_INVALID", message);
}

/** The doors of a service's repository and its own settings, once it is sure that we and whoever asked may work there. */
async function doorsOf(
  run: Run,
  repository: string,
): Promise<{ ask: Run["ask"]; doors: Doors; settings: Settings; port: ServiceSite["port"] }> {
  if (!run.doors.port) throw outOfReach(repository);
  const [owner = "", name = ""] = repository.split("/");
  const ask = askAt(run.ask, { owner, name });
  const doors = await run.deps.doors(ask);
  if (!doors.port) throw outOfReach(repository);
  const { defaultBranch, isArchived } = await aboutOf(doors.port, repository);
  if (isArchived) throw new AccrueError("GITHUB_DENIED", `${repository} is archived: nobody can push to it.`);
  const there = { ...ask, defaultBranch };
  const settings = await run.deps.settings(there, doors);
  const refusal = await refusalIn({ doors, settings }, ask.actor, fullName(ask.repository));
  if (refusal !== null) throw new AccrueError("GITHUB_DENIED", refusal);
  return { ask: there, doors, settings, port: doors.port };
}

/** GitHub answers the same for what is not there and for what the app may not see. */
async function aboutOf(
  port: ServiceSite["port"],
  repository: string,
): ReturnType<ServiceSite["port"]["about"]> {
  try {
    return await port.about();
  } catch (cause) {
    if (!isAccrueError(cause, "GITHUB_MISSING")) throw cause;
    const message = `There is no ${repository}, or the app has no access to it: install it there, or give it that repository.`;
    throw new AccrueError("GITHUB_MISSING", message, { cause });
  }
}

function outOfReach(repository: string): AccrueError {
  const message = `${repository} is out of reach from the command line, which works in one repository: ask for it on GitHub.`;
  return new AccrueError("INPUT_INVALID", message);
}
