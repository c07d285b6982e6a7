import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  type Scaffold,
  type Tree,
  introduction,
  isManifest,
  isReadme,
  languageOfReadme,
  scaffold,
} from "../knowledge/index.js";
import { languageOf } from "../shared/index.js";
import { readContextFiles } from "./context-files.js";
import { readSome, writeSeen } from "./knowledge-files.js";
import type { CommandSystem } from "./output.js";

/** What a person said of a repository that begins; null where they said nothing. */
export interface InitWish {
  name: string | null;
  position: string | null;
  services: readonly string[];
}

/** What `accrue init` did: files that are new, files that got lines of ours, and files that were left alone. */
export type InitResult = Pick<Scaffold, "created" | "updated" | "kept">;

/** Who said what, and who can be asked. */
export interface InitScene {
  wish: InitWish;
  /** Null where nobody sits at a terminal: then what was said the last time stays. */
  interview: CommandSystem["interview"];
  signal: AbortSignal;
}

const WORKFLOWS = ".github/workflows";

/** Writes what a repository begins with. Who gives no flags is asked for the same. */
export async function initRepository(root: string, shipped: Tree, scene: InitScene): Promise<InitResult> {
  const { wish, interview, signal } = scene;
  const found = [
    ...(await namesIn(root)),
    ...(await namesIn(join(root, WORKFLOWS))).map((name) => `${WORKFLOWS}/${name}`),
  ].filter((path) => isManifest(path) || isReadme(path));
  const wanted = new Set([...shipped.keys(), ...found, "CLAUDE.md", ".gitignore"]);
  const tree = new Map([...(await readContextFiles(root, [])), ...(await readSome(root, [...wanted]))]);
  const before = introduction(tree.get("AGENTS.md") ?? "");
  const known = {
    name: wish.name ?? (before.name || basename(root)),
    position: wish.position ?? before.position,
    services: wish.services,
  };
  const isSilent = wish.name === null && wish.position === null && wish.services.length === 0;
  const said = isSilent && interview ? await asked(known, interview, signal) : known;
  const language = said.position ? languageOf(said.position) : languageOfReadme(tree);
  const { writes, created, updated, kept } = scaffold(tree, shipped, { ...said, language });
  await writeSeen(root, tree, writes);
  return { created, updated, kept };
}

async function asked(
  { name, position }: { name: string; position: string },
  interview: NonNullable<CommandSystem["interview"]>,
  signal: AbortSignal,
): Promise<{ name: string; position: string; services: string[] }> {
  const questions = [
    { question: "Name of the project", offered: name },
    { question: "What it is for, in a sentence", offered: position },
    { question: "Its services, separated by commas, if it has several", offered: "" },
  ];
  const [newName = name, newPosition = position, services = ""] = await interview(questions, signal);
  return { name: newName, position: newPosition, services: services.split(/[,，、]/).filter(Boolean) };
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
}
