import type { Deposit, Tree } from "../knowledge/index.js";
import {
  type CheckedProse,
  checkProse,
  citedFiles,
  commitIn,
  documentPath,
  filesIn,
  languageOfDocument,
  noteIn,
  notesOn,
  proseIn,
  repositoryIn,
  readFacts,
  type ServiceSource,
  serviceRules,
  servicesIn,
  summaryOf,
  writeDocument,
} from "../services/index.js";
import { AccrueError, isAccrueError, isoTime } from "../shared/index.js";
import { type Analysis, askAnalyst } from "./ask-analyst.js";
import { type VisitedService, visitService } from "./visit-service.js";
import { stableUlid } from "./requirement-of.js";
import type { ServicePlace, ServicesScene, Unreadable } from "./service-place.js";
import type { EngineDeps } from "./types.js";

/** A service that was read: its files, what was made of them, and what a model said. */
interface ReadService {
  place: ServicePlace;
  source: ServiceSource;
  analysis: Analysis;
}

/** Services that were read, those that could not be, and what to write about them. */
export interface ReadServices {
  services: readonly ReadService[];
  unreadable: readonly Unreadable[];
}

/** What was made of one service. */
export interface LoadedService {
  service: string;
  repository: string;
  commit: string;
  /** Its document. */
  file: string;
  /** False where the document says all of it already, as do its rules. */
  isChanged: boolean;
  pointers: string[];
  /** Ids of the rules that are proposed. */
  rules: string[];
  /** Titles of parts that a person has changed, so that they were left alone. */
  edited: string[];
  dropped: string[];
  missing: Analysis["missing"];
  reason: string;
}

/** Services, and the knowledge that their documents go into. */
export interface ServicesToRead {
  places: readonly ServicePlace[];
  tree: Tree;
  /** True where nobody tries again later: what may pass is said like what stays. */
  isLastTry: boolean;
  /** Told which one is read now. */
  reading?(label: string): void;
}

const UNCHANGED: Analysis = { prose: null, dropped: [], missing: null, reason: "" };

/** Reads services one after the other; one that cannot be read does not hold up the others. */
export async function readServices(
  scene: ServicesScene,
  of: ServicesToRead,
  deps: EngineDeps,
): Promise<ReadServices> {
  const services: ReadService[] = [];
  const unreadable: Unreadable[] = [];
  for (const place of of.places) {
    try {
      requireOwnName(place, { taken: services.map((one) => one.place), tree: of.tree });
      of.reading?.(place.label);
      services.push(await readService(scene, { place, ...of }, deps));
    } catch (error) {
      const isLater = isAccrueError(error) && error.retryable && !of.isLastTry;
      if (!isAccrueError(error) || isLater || scene.signal.aborted) throw error;
      unreadable.push({ source: place.label, reason: error.message });
    }
  }
  return { services, unreadable };
}

/** Two services cannot have one document: who means another one gives it a name. */
function requireOwnName(
  { service, label }: ServicePlace,
  { taken, tree }: { taken: readonly ServicePlace[]; tree: Tree },
): void {
  const file = documentPath(service);
  const [owner, name, ...rest] = label.split("/");
  const before = repositoryIn(tree.get(file) ?? "").split("/");
  const isOther = rest.length === 0 && before.length === 2 && before[1] === name && before[0] !== owner;
  const other = isOther ? before.join("/") : taken.find((one) => one.service === service)?.label;
  if (other === undefined) return;
  const cure = "give this one another name under `services` of .github/agent.yml";
  throw new AccrueError("INPUT_INVALID", `${file} is of ${other}: ${cure}.`);
}

async function readService(
  scene: ServicesScene,
  of: Pick<ServicesToRead, "places" | "tree"> & { place: ServicePlace },
  deps: EngineDeps,
): Promise<ReadService> {
  const open = await visitService(of.place, scene, deps, scene.signal);
  try {
    const { source } = open;
    const before = of.tree.get(documentPath(source.service));
    const kept = before === undefined ? null : await stillTrue(open, proseIn(before));
    const spoken = inLanguageOf(before, scene);
    const facts = factsOf(spoken, of, source);
    const input = {
      source,
      facts,
      language: spoken.language,
      day: dayOf(deps),
      note: noteIn(before ?? "") ?? "",
    };
    const draft = writeDocument(before, { ...input, prose: kept });
    const isUpToDate =
      before !== undefined && kept !== null && !draft.isChanged && !(await isCitedChanged(open, before));
    if (isUpToDate) return { place: of.place, source, analysis: { ...UNCHANGED, prose: kept } };
    const { text } = writeDocument(undefined, { ...input, prose: null });
    const analysis = await askAnalyst(spoken, { open, facts: text }, deps);
    const last: Partial<Analysis> =
      analysis.prose === null && kept !== null ? { prose: kept, missing: "kept" } : {};
    return { place: of.place, source, analysis: { ...analysis, ...last } };
  } finally {
    await open.close();
  }
}

/** A document goes on in the language that it is in. */
function inLanguageOf(document: string | undefined, scene: ServicesScene): ServicesScene {
  return { ...scene, language: languageOfDocument(document ?? "") ?? scene.language };
}

/** What was said before and can still be checked. */
async function stillTrue(open: VisitedService, said: CheckedProse | null): Promise<CheckedProse | null> {
  if (said === null) return null;
  const texts = new Map<string, string>();
  for (const path of citedFiles(said)) {
    const text = await open.textOf(path);
    if (text !== undefined) texts.set(path, text);
  }
  return checkProse(said, (path) => texts.get(path)).prose;
}

async function isCitedChanged(open: VisitedService, document: string): Promise<boolean> {
  const commit = commitIn(document);
  const changed = commit === null ? null : await open.changedSince(commit);
  return changed === null || filesIn(document).some((path) => changed.has(path));
}

function factsOf(
  { settings, language }: Pick<ServicesScene, "settings" | "language">,
  { places, tree }: { places: readonly ServicePlace[]; tree: Tree },
  source: ServiceSource,
) {
  const named = [...Object.keys(settings.services), ...places.map(({ service }) => service)];
  const known = servicesIn(tree, [...new Set(named)]);
  return readFacts(source, { known, notes: notesOn(tree, source.service), language });
}

function dayOf({ clock }: Pick<EngineDeps, "clock">): string {
  return isoTime(clock.now()).slice(0, 10);
}

/**
 * Computes documents and rules of the services that were read, over a tree: what they say of each other counts too. Ids follow from
 * the run, so that a second try after a crash makes the same.
 */
export function writeServices(
  scene: ServicesScene,
  { services, tree }: { services: readonly ReadService[]; tree: Tree },
  deps: Pick<EngineDeps, "clock">,
): { loaded: LoadedService[]; writes: Map<string, string> } {
  const places = services.map(({ place }) => place);
  const after = new Map(tree);
  const make = (one: ReadService) => writeOne(scene, { one, places, tree, seen: after }, deps);
  // The first time so that each is known to all, the second time with what they say of each other.
  for (const one of services) {
    const { document } = make(one);
    after.set(documentPath(one.source.service), document.text);
  }
  const writes = new Map<string, string>();
  const loaded = services.map((one) => {
    const { document, rules } = make(one);
    const { source, analysis } = one;
    const file = documentPath(source.service);
    after.set(file, document.text);
    if (document.isChanged) writes.set(file, document.text);
    if (rules) writes.set(rules.path, rules.text);
    return {
      service: source.service,
      repository: source.repository,
      commit: source.commit,
      file,
      pointers: document.pointers,
      edited: document.edited,
      rules: rules?.rules ?? [],
      dropped: analysis.dropped,
      missing: analysis.missing,
      reason: analysis.reason,
      isChanged: document.isChanged || rules !== null,
    };
  });
  return { loaded, writes };
}

function writeOne(
  scene: ServicesScene,
  of: { one: ReadService; places: readonly ServicePlace[]; tree: Tree; seen: Tree },
  deps: Pick<EngineDeps, "clock">,
) {
  const { ask } = scene;
  const { place, source, analysis } = of.one;
  const before = of.tree.get(documentPath(source.service));
  const { language, settings } = inLanguageOf(before, scene);
  const id = stableUlid(Date.parse(ask.at), `${scene.run} ${source.service}`);
  const note = noteIn(before ?? "") ?? `EXP-${id.slice(-8)}`;
  const facts = factsOf({ settings, language }, { places: of.places, tree: of.seen }, source);
  const { prose } = analysis;
  const document = writeDocument(before, { source, facts, prose, language, day: dayOf(deps), note });
  const said: Pick<Deposit, "id" | "run" | "by" | "source" | "at"> = {
    id,
    run: scene.run,
    by: ask.actor?.login ?? "unknown",
    source: ask.comment?.url ?? "",
    at: ask.at,
  };
  let count = 0;
  const rules = serviceRules(of.tree, {
    service: source.service,
    names: facts.names,
    paths: place.paths,
    summary: summaryOf(facts, prose),
    language,
    said,
    note,
    newRuleId: () => `R-${stableUlid(0, `${id} ${count++}`).slice(-6)}`,
  });
  return { document, rules };
}
