import { AccrueError } from "../../shared/index.js";

/** What GitHub tells of an issue comment, as far as the story reads it. */
export interface StoryComment {
  id: number;
  body: string;
}

export interface StoryPull {
  number: number;
  node_id: string;
  title: string;
  head: { ref: string; sha: string };
  mergeable: boolean | null;
  additions: number;
  deletions: number;
  changed_files: number;
}

/** The demo's person: acts on GitHub through its public API, as anybody could. */
export interface Person {
  openIssue(title: string, body: string, label: string): Promise<number>;
  comment(number: number, body: string): Promise<void>;
  comments(number: number): Promise<StoryComment[]>;
  pullOf(requirement: string): Promise<StoryPull | null>;
  diff(number: number): Promise<string>;
  check(sha: string): Promise<{ conclusion: string | null; title: string; summary: string } | null>;
  merge(pull: StoryPull): Promise<void>;
  file(path: string, ref: string): Promise<string>;
  files(folder: string, ref: string): Promise<string[]>;
}

/** Signs the person in with a token. */
export function createPerson(options: {
  url: string;
  apiUrl: string;
  token: string;
  repository: string;
  signal: AbortSignal;
}): Person {
  const { url, apiUrl, token, repository, signal } = options;
  const repo = `${apiUrl}/repos/${repository}`;

  async function call(
    method: string,
    address: string,
    body?: unknown,
    accept = "application/vnd.github+json",
  ): Promise<Response> {
    const response = await fetch(address, {
      method,
      signal,
      headers: {
        authorization: `Bearer ${token}`,
        accept,
        "user-agent": "accrue-demo",
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok || response.status === 404) return response;
    throw new AccrueError(
      "GITHUB_FAILED",
      `The demo's person was refused: ${method} ${address} gave ${response.status} ${await response.text()}`,
    );
  }
  const read = async <T>(address: string): Promise<T | null> => {
    const response = await call("GET", address);
    return response.status === 404 ? null : ((await response.json()) as T);
  };

  return {
    openIssue: async (title, body, label) => {
      const { number } = (await (await call("POST", `${repo}/issues`, { title, body })).json()) as {
        number: number;
      };
      await call("POST", `${repo}/issues/${number}/labels`, { labels: [label] });
      return number;
    },
    comment: async (number, body) => {
      await call("POST", `${repo}/issues/${number}/comments`, { body });
    },
    comments: async (number) =>
      (await read<StoryComment[]>(`${repo}/issues/${number}/comments?per_page=100`)) ?? [],
    pullOf: async (requirement) => {
      const pulls = (await read<StoryPull[]>(`${repo}/pulls?state=open`)) ?? [];
      const found = pulls.find(
        ({ head }) => head.ref.includes(`${requirement}-`) || head.ref.endsWith(requirement),
      );
      return found ? read<StoryPull>(`${repo}/pulls/${found.number}`) : null;
    },
    diff: async (number) =>
      (await call("GET", `${repo}/pulls/${number}`, undefined, "application/vnd.github.diff")).text(),
    check: async (sha) => {
      type Runs = { check_runs: { conclusion: string | null; output: { title: string; summary: string } }[] };
      const run = (await read<Runs>(`${repo}/commits/${sha}/check-runs`))?.check_runs[0];
      return run ? { conclusion: run.conclusion, ...run.output } : null;
    },
    merge: async (pull) => {
      const query = `mutation { markPullRequestReadyForReview(input: { pullRequestId: "${pull.node_id}" }) { clientMutationId } }`;
      await call("POST", `${url}/api/graphql`, { query });
      await call("PUT", `${repo}/pulls/${pull.number}/merge`, {});
    },
    file: async (path, ref) =>
      (
        await call(
          "GET",
          `${repo}/contents/${path}?ref=${encodeURIComponent(ref)}`,
          undefined,
          "application/vnd.github.raw+json",
        )
      ).text(),
    files: async (folder, ref) =>
      (
        (await read<{ path: string }[]>(`${repo}/contents/${folder}?ref=${encodeURIComponent(ref)}`)) ?? []
      ).map(({ path }) => path),
  };
}
