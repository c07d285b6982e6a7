// Does things on GitHub, each of them idempotent.
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
} from "./types.js";
