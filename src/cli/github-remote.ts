import type { GitHub } from "../github/index.js";
import type { GitHubRemote } from "./service-sources.js";

const PUBLIC = "https://github.com";

/** How the command line reaches repositories on GitHub: with the credentials that the environment has, else what everybody may read. */
export function createGitHubRemote(github: GitHub | null): GitHubRemote {
  return ({ owner, name }) => {
    const place = { owner, name, installation: null };
    const url = github ? github.cloneUrl(place) : `${PUBLIC}/${owner}/${name}.git`;
    return {
      host: new URL(url).host,
      url,
      authorization: () => (github ? github.gitAuthorization(place) : Promise.resolve(null)),
    };
  };
}
