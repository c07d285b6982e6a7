import { excerptsOf } from "./code.js";
import { asMaterial } from "./material.js";
import { findServices, type ServicePlace } from "./service-place.js";
import { reachableServices } from "./services.js";
import type { Run } from "./types.js";
import { aliasesOf } from "./understanding.js";
import { openToRead } from "./visit-service.js";

/** So many services are looked at: a requirement that speaks of more is about none of them. */
const MAX_SERVICES = 3;
const CODE_TOKENS = 2500;
const OVERVIEW_TOKENS = 500;

/**
 * What a designer is shown of the services that a requirement speaks of, so that no step in them is planned blind: each at a glance, and the
 * code that probably matters. Only what whoever asked may read; empty where there is nothing.
 */
export async function glanceAtServices(run: Run, signal: AbortSignal): Promise<string> {
  const named = spokenOf(run).slice(0, MAX_SERVICES);
  if (named.length === 0) return "";
  // Where one is out of reach, the plan that names it stops for a person.
  const { places } = await findServices(run, named, run.deps);
  const shown: string[] = [];
  for (const place of places) shown.push(await glance(run, place, signal));
  return shown.join("\n\n");
}

/** Services that the requirement names, by their own name, that of their repository, or one that the glossary knows. */
function spokenOf(run: Run): string[] {
  const text = `${run.title}\n${run.text}\n${run.documents.requirement}`.toLowerCase();
  const aliases = aliasesOf(run);
  return reachableServices(run).filter((service) => {
    const repository = run.settings.services[service]?.repository.split("/").at(-1) ?? service;
    const own = [service, repository].map((name) => name.toLowerCase());
    const known = aliases.filter((names) => names.some((name) => own.includes(name.toLowerCase()))).flat();
    return [...own, ...known].some((name) => text.includes(name.toLowerCase()));
  });
}

async function glance(run: Run, place: ServicePlace, signal: AbortSignal): Promise<string> {
  const { code, close } = await openToRead(place, run, run.deps, signal);
  try {
    await code.map.refresh(signal);
    const pack = await code.context.pack(`${run.title}\n${run.text}`, { maxTokens: CODE_TOKENS });
    return [
      `<other-repository service="${place.service}" name="${place.label}">`,
      asMaterial(code.map.overview(OVERVIEW_TOKENS)),
      excerptsOf(pack.items),
      "</other-repository>",
    ].join("\n");
  } finally {
    await close();
  }
}
