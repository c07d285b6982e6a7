import { AccrueError } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import { KNOWLEDGE_BRANCH } from "./knowledge-tree.js";

/** What people call the main branch. */
const MAIN = ["main", "master", "trunk", "develop"];

/** The main branch of a repository of which nobody says it: one that people call so, else the first that is not the bot's. */
export async function mainBranch(mirror: Mirror): Promise<string> {
  const names = (await mirror.branches("")).map(({ name }) => name);
  const own = names.filter((name) => !name.startsWith(KNOWLEDGE_BRANCH));
  const found = MAIN.find((name) => own.includes(name)) ?? own[0];
  if (found !== undefined) return found;
  const { owner, name } = mirror.repository;
  throw new AccrueError("WORKSPACE_EMPTY", `${owner}/${name} has no branch: make a first commit.`);
}
