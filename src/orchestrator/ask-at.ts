import type { RepositoryRef } from "../shared/index.js";
import type { Ask } from "./intent.js";

/**
 * An ask as it would come from another repository of the same host. Its installation is looked up by the repository: that may have
 * another owner.
 */
export function askAt(ask: Ask, { owner, name }: Pick<RepositoryRef, "owner" | "name">): Ask {
  return { ...ask, repository: { host: ask.repository.host, owner, name }, installation: null };
}
