// Does things on GitHub, each of them idempotent.
export { createGitHub } from "./create-github.js";
export type { GitHubAuth, GitHubDeps, GitHubOptions } from "./create-github.js";
export type {
  Account,
  Annotation,
  CheckEnd,
  Comment,
  GitHub,
  GitHubPort,
  Issue,
  Permission,
  Pull,
  Reaction,
  ReactionTarget,
  ReviewComment,
  ThumbUp,
} from "./types.js";
