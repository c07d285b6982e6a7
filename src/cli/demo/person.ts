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

type Call = (method: string, address: string, body?: unknown, accept?: string) => Promise<Response>;

/** Signs the person in with a token. */
export function createPerson(options: {
  url: string;
  apiUrl: string;
  token: string;
  repository: string;
  signal: AbortSignal;
}): Person {
  const { url, apiUrl, repository } = options;
  const call = signIn(options);
  const repo = `${apiUrl}/repos/${repository}`;
  const read = async <T>(address: string): Promise<T | null> => {
    const response = await call("GET", address);
    return response.status === 404 ? null : ((await response.json()) as T);
  };
  const raw = async (address: string, accept: string) =>
    (await call("GET", address, undefined, accept)).text();

  return {
    openIssue: async (title, body, label) => {
      const response = await call("POST", `${repo}/issues`, { title, body });
      const { number } = (await response.json()) as { number: number };
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
      const found = pulls.find(({ head }) => `${head.ref}-`.includes(`/${requirement}-`));
      return found ? read<StoryPull>(`${repo}/pulls/${found.number}`) : null;
    },
    diff: (number) => raw(`${repo}/pulls/${number}`, "application/vnd.github.diff"),
    check: async (sha) => {
      const runs = await read<CheckRuns>(`${repo}/commits/${sha}/check-runs`);
      const [run] = runs?.check_runs ?? [];
      return run ? { conclusion: run.conclusion, ...run.output } : null;
    },
    merge: async (pull) => {
      const query = `mutation { markPullRequestReadyForReview(input: { pullRequestId: "${pull.node_id}" }) { clientMutationId } }`;
      await call("POST", `${url}/api/graphql`, { query });
      await call("PUT", `${repo}/pulls/${pull.number}/merge`, {});
    },
    file: (path, ref) =>
      raw(`${repo}/contents/${path}?ref=${encodeURIComponent(ref)}`, "application/vnd.github.raw+json"),
    files: async (folder, ref) => {
      const entries = await read<{ path: string }[]>(
        `${repo}/contents/${folder}?ref=${encodeURIComponent(ref)}`,
      );
      return (entries ?? []).map(({ path }) => path);
    },
  };
}

interface CheckRuns {
  check_runs: { conclusion: string | null; output: { title: string; summary: string } }[];
}

function signIn({ token, signal }: { token: string; signal: AbortSignal }): Call {
  return async (method, address, body, accept = "application/vnd.github+json") => {
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
  };
}
