import { resolve } from "node:path";
import { languageOfReadme } from "../knowledge/index.js";
import type { LoadedService, Unreadable } from "../orchestrator/index.js";
import { isAccrueError } from "../shared/index.js";
import { readContextFiles } from "./context-files.js";
import type { MemoryCommandDeps } from "./open-memories.js";
import { readSome, writeSeen } from "./knowledge-files.js";
import { type LocalRepository, findRepository, localAsk } from "./local.js";
import { EXIT } from "./output.js";
import type { CommandEnd, Commands } from "./program.js";
import type { ReqCommandDeps } from "./req-commands.js";
import { type GitHubRemote, findSources } from "./service-sources.js";

/** What reading services needs: the engine, and the way to GitHub. */
export type ServiceCommandDeps = ReqCommandDeps &
  Pick<MemoryCommandDeps, "settings" | "output"> & { gitHubRemote: GitHubRemote };

const READMES = ["README.md", "README.zh.md", "README", "readme.md"];

/** Makes the command that reads services and writes their documents into the working tree. It never commits. */
export function serviceCommands(deps: ServiceCommandDeps): Pick<Commands, "loadService"> {
  return {
    loadService: async ({ repo, sources, modelUrl }) => {
      const repository = await findRepository(deps, resolve(repo));
      const { root } = repository;
      const { services, language: wanted } = await deps.settings(repository.read);
      const { places, unreadable } = await findSources(deps, sources, { root, from: resolve("."), services });
      const tree = await readContextFiles(root, []);
      const ask = localAsk(repository, { kind: "load-service", text: sources.join(" ") }, deps.clock);
      const { engine } = deps.local(repository, await modelOf(deps, repository, modelUrl));
      const language = wanted === "auto" ? languageOfReadme(await readSome(root, READMES)) : wanted;
      const reading = (label: string) => deps.output.err(`  reading ${label}\n`);
      const done = await engine.loadServices(ask, { places, tree, language, reading }, deps.signal);
      await writeSeen(root, tree, done.writes);
      return ended(done.loaded, [...unreadable, ...done.unreadable]);
    },
  };
}

/** Without a key there are facts only: that is said with each service. */
async function modelOf(deps: ServiceCommandDeps, repository: LocalRepository, url: string | null) {
  try {
    return await deps.model(url, repository);
  } catch (error) {
    if (url === null && isAccrueError(error, "MODEL_KEY_MISSING")) return null;
    throw error;
  }
}

function ended(loaded: readonly LoadedService[], unreadable: readonly Unreadable[]): CommandEnd {
  const [first] = loaded;
  return {
    json: { file: first?.file ?? null, pointers: first?.pointers ?? [], services: loaded, unreadable },
    text: [
      ...loaded.map(lineOf),
      ...unreadable.map(({ source, reason }) => `  ${source} was not read: ${reason}`),
      ...(loaded.some(({ isChanged }) => isChanged)
        ? ["  Look through it and commit it: what is merged is filed, and shown to every run."]
        : []),
    ].join("\n"),
    status: unreadable.length > 0 ? EXIT.failed : EXIT.done,
  };
}

function lineOf(one: LoadedService): string {
  const about = [
    one.isChanged ? `${one.pointers.length} pointers` : "nothing new",
    one.rules.length > 0 ? `rules ${one.rules.join(", ")}` : "",
    one.edited.length > 0 ? `left as people changed it: ${one.edited.join(", ")}` : "",
    one.dropped.length > 0 ? `pointers of the model that lead nowhere: ${one.dropped.join(", ")}` : "",
    one.missing === "copied" ? "facts only: the model had copied code" : "",
    one.missing === "kept" ? `the sentences of last time stay: ${one.reason || "no model said others"}` : "",
    one.missing === "no-answer" ? `facts only: ${one.reason || "no model said what it is for"}` : "",
  ];
  return `  ${one.file}  ${about.filter(Boolean).join("; ")}`;
}
