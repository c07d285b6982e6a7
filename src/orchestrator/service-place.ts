import picomatch from "picomatch";
import { AccrueError, type RepositoryRef, isAccrueError } from "../shared/index.js";
import type { Remote } from "../workspace/index.js";
import { askAt } from "./ask-at.js";
import { readableBranch } from "./readable-branch.js";
import type { Scene } from "./scene.js";
import type { EngineDeps, Settings } from "./types.js";

/** A service that is to be read, and where it is. */
export interface ServicePlace {
  service: string;
  /** Where it lives, as people write it. */
  label: string;
  repository: RepositoryRef;
  remote: Remote;
  /** The branch to read; null: the one that people call the main one. */
  branch: string | null;
  /** Its folder in the repository; empty for all of it. */
  folder: string;
  /** Globs of the repository that gets the document, whose files concern the service. */
  paths: readonly string[];
}

/** Who asks for services to be read, in which language, and as which run. */
export type ServicesScene = Pick<
  Scene,
  "ask" | "doors" | "settings" | "language" | "requirement" | "signal"
> & { run: string };

/** A source that cannot be read, and why. */
export interface Unreadable {
  source: string;
  reason: string;
}

const MAX_SOURCES = 10;
const REPOSITORY = /^(?<owner>[A-Za-z0-9][\w-]{0,38})\/(?<name>[A-Za-z0-9._-]{1,100})$/;

/** The names that people give, one by one: separated by blanks or commas, each once. */
export function sourcesIn(text: string): string[] {
  return [...new Set(text.split(/[\s,，、;；]+/).filter(Boolean))].slice(0, MAX_SOURCES);
}

/** The name of a service by where it lives. */
export function serviceName(place: string): string {
  const last =
    place
      .replace(/\.git\/?$|\/+$/g, "")
      .split(/[/\\:]/)
      .at(-1) ?? "";
  return last
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[^\p{L}\p{N}]+/u, "")
    .slice(0, 60);
}

/** A service of the configuration. */
export interface NamedService {
  name: string;
  repository: string;
  /** The branch that counts there; empty: its default branch. */
  base: string;
  /** The part of its repository that is it. */
  folder: string;
  paths: readonly string[];
}

/** The service that the configuration calls so, or the only one whose repository is called so; null without one. */
export function configuredService(source: string, services: Settings["services"]): NamedService | null {
  const all = Object.entries(services);
  const alike = all.filter(([, { repository }]) => same(repository, source));
  const [name, service] = all.find(([one]) => one === source) ?? (alike.length === 1 ? (alike[0] ?? []) : []);
  if (name === undefined || service === undefined) return null;
  const { repository, paths, base } = service;
  return { name, repository, base, paths, folder: folderOf(paths) };
}

/** Globs of this repository whose files concern a service: its own part of it, or where its checkout is laid beside. */
export function pathsOf(place: Pick<ServicePlace, "service" | "folder">, isOwn: boolean): string[] {
  if (!isOwn) return [`workspace/${place.service}/**`];
  return place.folder === "" ? [] : [`${place.folder}/**`];
}

/** The folder that all globs lie in; empty where they have none in common. */
function folderOf(globs: readonly string[]): string {
  const bases = [...new Set(globs.map((glob) => picomatch.scan(glob).base.replace(/^\.$|\/+$/g, "")))];
  return bases.length === 1 ? (bases[0] ?? "") : "";
}

/** Owner and name of a repository as people write it; null for any other text. */
export function repositoryNamed(text: string): { owner: string; name: string } | null {
  const { owner, name } = REPOSITORY.exec(text)?.groups ?? {};
  return owner === undefined || name === undefined ? null : { owner, name };
}

/** Finds where the sources of a comment are on GitHub; only repositories that the app and whoever asks may read. */
export function findServices(
  scene: Pick<Scene, "ask" | "doors" | "settings">,
  sources: readonly string[],
  deps: Pick<EngineDeps, "doors">,
): Promise<{ places: ServicePlace[]; unreadable: Unreadable[] }> {
  return findEach(sources, (source) => placeOf(scene, source, deps));
}

/** Finds sources one by one; one that cannot be found holds up no other. */
export async function findEach(
  sources: readonly string[],
  placeOfSource: (source: string) => Promise<ServicePlace>,
): Promise<{ places: ServicePlace[]; unreadable: Unreadable[] }> {
  const found = { places: [] as ServicePlace[], unreadable: [] as Unreadable[] };
  for (const source of sources) {
    try {
      found.places.push(await placeOfSource(source));
    } catch (error) {
      if (!isAccrueError(error) || error.retryable) throw error;
      found.unreadable.push({ source, reason: error.message });
    }
  }
  return found;
}

async function placeOf(
  { ask, doors, settings }: Pick<Scene, "ask" | "doors" | "settings">,
  source: string,
  deps: Pick<EngineDeps, "doors">,
): Promise<ServicePlace> {
  const { host } = ask.repository;
  const typed = source
    .replace(new RegExp(`^https://${host.replaceAll(".", String.raw`\.`)}/`), "")
    .replace(/\.git$/, "");
  const configured = configuredService(typed, settings.services);
  const written = configured?.repository ?? typed;
  const named = repositoryNamed(written);
  if (!named) {
    const cure = "write owner/name, or a name under `services` of .github/agent.yml";
    throw new AccrueError("INPUT_INVALID", `"${written}" is no repository here: ${cure}.`);
  }
  const { owner, name } = named;
  const isOwn = same(written, `${ask.repository.owner}/${ask.repository.name}`);
  // Its own installation may be another's: it is looked up.
  const there = isOwn ? doors : await deps.doors(askAt(ask, { owner, name }));
  const asked = { name: written, login: ask.actor?.login ?? "" };
  const main = await readableBranch(there, asked);
  const place = { service: configured?.name ?? serviceName(name), folder: configured?.folder ?? "" };
  return {
    ...place,
    label: written,
    repository: { host, owner, name },
    remote: there.remote,
    branch: configured?.base || main,
    paths: configured?.paths.length && isOwn ? configured.paths : pathsOf(place, isOwn),
  };
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
