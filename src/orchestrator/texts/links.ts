import type { GitHubPort } from "../../github/index.js";
import type { Links } from "./words.js";

/** Addresses of a repository's pages. */
export function linksOf(port: Pick<GitHubPort, "web">): Links {
  const encode = (path: string) =>
    path
      .split("/")
      .map(encodeSegment)
      .join("/")
      .replace(/%23(?=L\d+$)/, "#");
  return {
    branch: (name) => port.web(`tree/${encode(name)}`),
    file: (revision, path) => port.web(`blob/${encode(revision)}/${encode(path)}`),
  };
}

/** A bracket would end the link in Markdown. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replaceAll("(", "%28").replaceAll(")", "%29");
}
