import { type Language, inertSubject } from "../shared/index.js";
import type { Decision } from "./decision.js";
import { reactionTarget } from "./github-front.js";
import { linksOf } from "./texts/links.js";
import {
  type LoadedService,
  type ReadServices,
  type ServicesToRead,
  readServices,
  writeServices,
} from "./load-services.js";
import { askId, pushKnowledge, standingPlace } from "./push-knowledge.js";
import { decline, reply } from "./reply.js";
import { groupOf } from "./requirement-of.js";
import { openMirror } from "./resources.js";
import type { Scene } from "./scene.js";
import { type Unreadable, findServices, sourcesIn } from "./service-place.js";
import { whichServices, servicesText } from "./texts/services.js";
import type { EngineDeps } from "./types.js";

/** Queues that services are read: cloning and asking a model takes longer than a person waits. */
export async function takeServices(scene: Scene): Promise<Decision> {
  const { ask, language, settings, doors } = scene;
  const { intent } = ask;
  if (intent.kind !== "load-service" || sourcesIn(intent.text).length === 0)
    return decline(scene, whichServices(language, settings.mention));
  const target = reactionTarget(ask);
  if (doors.port && target) await doors.port.react(target, "eyes");
  return { kind: "work", group: groupOf(ask, "services"), work: { kind: "load-service", ask } };
}

/**
 * Reads the services that a comment names, and offers their documents and rules in the one standing pull request for knowledge.
 * Called again after a crash it finds what is there. Gives a sentence for the record.
 */
export async function loadFromThread(scene: Scene, deps: EngineDeps): Promise<string> {
  const { ask, language, doors } = scene;
  if (ask.intent.kind !== "load-service") return "ignored: no service is named";
  const mirror = await openMirror(deps, scene, scene.signal);
  const found = await findServices(scene, sourcesIn(ask.intent.text), deps);
  const asked = { ...scene, run: askId(ask) };
  let read: ReadServices | null = null;
  const ground = { mirror, clock: deps.clock, findPlace: standingPlace };
  const { made, branch, pull } = await pushKnowledge(scene, ground, async ({ tree }) => {
    // Read once, however often the branch moves.
    read ??= await readServices(asked, { places: found.places, tree, isLastTry: false }, deps);
    const { loaded, writes } = writeServices(asked, { services: read.services, tree }, deps);
    const names = inertSubject(loaded.map(({ service }) => service).join(", "));
    return {
      made: { loaded, unreadable: [...found.unreadable, ...read.unreadable] },
      commit:
        writes.size === 0
          ? null
          : {
              writes,
              subject: `Describe ${names}`,
              body: loaded
                .map(({ repository, commit }) => `${inertSubject(repository)} at ${commit}`)
                .join("\n"),
            },
    };
  });
  const links = doors.port ? linksOf(doors.port) : null;
  const link = (file: string) => (links ? links.file(branch, file) : file);
  // Whether an earlier try, which a crash ended, has answered is looked for.
  await reply({ ...scene, attempt: 2 }, servicesText(language, { ...made, pull, link }));
  return outcomeOf(made.loaded, made.unreadable.length);
}

/** Services to be read, and the language of new documents. */
export type ServicesWish = Omit<ServicesToRead, "isLastTry"> & { language: Language };

/** What was made of them, and the files to write. */
export interface LoadedServices {
  loaded: LoadedService[];
  unreadable: readonly Unreadable[];
  writes: Map<string, string>;
}

/** Reads services for a front that has their places and writes the files itself. */
export async function loadServices(
  scene: Scene,
  { language, ...of }: ServicesWish,
  deps: EngineDeps,
): Promise<LoadedServices> {
  const asked = { ...scene, language, run: askId(scene.ask) };
  const { services, unreadable } = await readServices(asked, { ...of, isLastTry: true }, deps);
  return { ...writeServices(asked, { services, tree: of.tree }, deps), unreadable };
}

function outcomeOf(loaded: readonly LoadedService[], unreadable: number): string {
  const changed = loaded.filter(({ isChanged }) => isChanged).length;
  return `load-service: ${changed} written, ${loaded.length - changed} unchanged, ${unreadable} not read`;
}
