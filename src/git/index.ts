// Runs git in a closed environment: nothing of the machine or of a checkout configures it.
export { createGit } from "./git.js";
export { createHostedGit } from "./hosted-git.js";
export type { Git, GitIdentity, GitResult, GitRun } from "./types.js";
export { listTree } from "./list-tree.js";
export type { TreeEntry } from "./list-tree.js";
export { createFilePast } from "./file-past.js";
export type { FilePast } from "./file-past.js";
export { listHistory } from "./list-history.js";
export type { HistoryCommit } from "./list-history.js";
