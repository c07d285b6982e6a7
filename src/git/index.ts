// Runs git in a closed environment: nothing of the machine or of a checkout configures it.
export { createGit } from "./git.js";
export type { Git, GitIdentity, GitResult, GitRun } from "./types.js";
export { listTree } from "./list-tree.js";
export type { ListedFile } from "./list-tree.js";
