import { AccrueError } from "../shared/index.js";

/** Where one GitHub (or GitHub Enterprise Server) is: everything follows from the address of its API. */
export interface Addresses {
  /** `https://api.github.com` or `https://HOST/api/v3`, without a slash at the end. */
  api: string;
  /** `https://github.com` or `https://HOST`: pages and git. */
  web: string;
  /** Host with port, as it stands in a repository's name. */
  host: string;
  /** Domain of addresses that GitHub links to accounts. */
  noreply: string;
}

/** Derives the addresses of pages, git and e-mail from the API's. Contract: throws `CONFIG_INVALID`. */
export function addressesOf(baseUrl: string): Addresses {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new AccrueError(
      "CONFIG_INVALID",
      `The GitHub API address "${baseUrl}" is no http(s) address: give https://api.github.com or https://HOST/api/v3.`,
    );
  }
  const api = baseUrl.replace(/\/+$/, "");
  const url = new URL(api);
  // api.github.com and api.TENANT.ghe.com; Enterprise Server has its API below the same host.
  if (/^api\.(github\.com|[^.]+\.ghe\.com)$/.test(url.hostname)) url.hostname = url.hostname.slice(4);
  const path = url.pathname.replace(/\/(api\/v3)?$/, "");
  return {
    api,
    web: `${url.origin}${path}`,
    host: url.host,
    noreply: `users.noreply.${url.hostname}`,
  };
}
