import type { ServiceOptions } from "./service-options.js";
import { fullName } from "./site.js";
import type { Run } from "./types.js";

const FOLDER = "context/tech/services";

/** The configured services that lie in other repositories than the requirement's own. */
function others({
  settings,
  repository,
}: Pick<Run, "settings" | "repository">): [string, ServiceOptions[string]][] {
  const own = fullName(repository).toLowerCase();
  return Object.entries(settings.services).filter(([, service]) => service.repository.toLowerCase() !== own);
}

/** The services in whose repositories the plan has something to do. */
export function namedServices(run: Run): string[] {
  const own = new Set(Object.keys(run.settings.services));
  for (const [name] of others(run)) own.delete(name);
  const named = run.tasks.flatMap(({ service, kind }) => (service && kind !== "external" ? [service] : []));
  return [...new Set(named)].filter((name) => !own.has(name));
}

/** Names of the services in whose repositories something can be done from here. */
export function reachableServices(run: Run): string[] {
  return run.doors.port ? others(run).map(([name]) => name) : [];
}

/** What a designer is told of other repositories that the requirement may change; empty where there is none. */
export function servicesText(run: Run): string {
  const list = others(run).map(([name, { repository, paths }]) => {
    const where = paths.length > 0 ? `, only ${paths.map((path) => `\`${path}\``).join(", ")}` : "";
    const document = `${FOLDER}/${name}.md`;
    const known = run.knowledge.has(document) ? `, described in ${document}` : "";
    return `- ${name}: \`${repository}\`${where}${known}`;
  });
  if (list.length === 0) return "";
  return run.skills.prompt(run.doors.port ? "services" : "services-outside", { list: list.join("\n") });
}
