/** What was observed: `passed`, `failed`, or `not-run` (which always comes with a reason). Never what a model claims. */
export type Outcome = "passed" | "failed" | "not-run";

/** A repository, wherever its forge is. For a local repository `host` is `local` and `owner` its parent folder's name. */
export interface RepositoryRef {
  host: string;
  owner: string;
  name: string;
}
