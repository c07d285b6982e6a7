import type { Octokit } from "octokit";
import { AccrueError, clipMarkdown } from "../shared/index.js";
import { accountOf } from "./accounts.js";
import { createOnce, type Door } from "./door.js";
import { attempt, hasStatus } from "./errors.js";
import type { GitHubPort, Pull } from "./types.js";

type Pulls = Octokit["rest"]["pulls"];
type Json = Awaited<ReturnType<Pulls["get"]>>["data"] | Awaited<ReturnType<Pulls["list"]>>["data"][number];
type NewPull = Parameters<GitHubPort["openPull"]>[0];

// GitHub refuses more than 65,536 characters.
const MAX_BODY = 65_000;
const START = "<!-- accrue:start -->";
const END = "<!-- accrue:end -->";

/** Pull requests: found before they are opened, and changed only inside our own marked block. */
export function createPulls(
  door: Door,
): Pick<GitHubPort, "pull" | "findPull" | "lastPull" | "openPull" | "updatePullBlock" | "markReady"> {
  const { octokit, repo } = door;

  async function find(head: string, state: "open" | "all" = "open"): Promise<Pull | null> {
    const filter = { state, head: `${repo.owner}:${head}` };
    const { data: pulls } = await octokit.rest.pulls.list({ ...repo, ...filter });
    // GitHub ignores a filter that it does not understand, and a fork may have a branch of that name.
    const own = pulls.find((pull) => pull.head.ref === head && pull.head.repo?.id === pull.base.repo.id);
    return own ? pullOf(own) : null;
  }

  async function create(input: NewPull): Promise<Pull> {
    const body = withBlock("", input.body);
    try {
      return pullOf((await octokit.rest.pulls.create({ ...repo, ...input, body })).data);
    } catch (error) {
      if (!hasStatus(error, 422)) throw error;
      const said = error instanceof Error ? error.message : "";
      if (input.draft && /draft pull requests are not supported/i.test(said)) {
        return await create({ ...input, draft: false });
      }
      const found = /already exists/i.test(said) ? await find(input.head) : null;
      if (found) return found;
      throw error;
    }
  }

  const get = async (number: number) => (await octokit.rest.pulls.get({ ...repo, pull_number: number })).data;

  return {
    pull: (number) => attempt(`read #${number}`, async () => pullOf(await get(number))),
    findPull: (head) => attempt(`look for the pull request of ${head}`, () => find(head)),
    lastPull: (head) => attempt(`look for earlier pull requests of ${head}`, () => find(head, "all")),
    openPull: (input) =>
      attempt(`open a pull request from ${input.head} into ${input.base}`, async () => {
        const found = await find(input.head);
        return (
          found ??
          (await createOnce(
            door.patience,
            () => find(input.head),
            () => create(input),
          ))
        );
      }),
    updatePullBlock: (number, block) =>
      attempt(`update the body of #${number}`, async () => {
        const before = (await get(number)).body ?? "";
        const body = withBlock(before, block);
        if (body !== before) await octokit.rest.pulls.update({ ...repo, pull_number: number, body });
      }),
    markReady: (number) =>
      attempt(`mark #${number} as ready`, async () => {
        const { draft, node_id: id } = await get(number);
        if (draft) await leaveDraft(octokit, id);
      }),
  };
}

/** GitHub offers this in GraphQL only, which answers a refusal with status 200. */
async function leaveDraft(octokit: Octokit, id: string): Promise<void> {
  try {
    await octokit.graphql(
      "mutation ($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { clientMutationId } }",
      { id },
    );
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "GraphqlResponseError") throw error;
    const advice = "Give the app the permission pull_requests: write, or mark it yourself.";
    const message = `GitHub did not mark a pull request as ready: ${error.message} ${advice}`;
    throw new AccrueError("GITHUB_DENIED", message, { cause: error });
  }
}

/** The body with our block in it. What people wrote around it stays, to the byte. */
function withBlock(body: string, block: string): string {
  const start = body.lastIndexOf(START);
  const end = start < 0 ? -1 : body.indexOf(END, start);
  const hasBlock = end >= 0;
  const before = hasBlock ? body.slice(0, start) : body && `${body}\n\n`;
  const after = hasBlock ? body.slice(end + END.length) : "";
  const room = MAX_BODY - before.length - after.length - START.length - END.length - 2;
  // Markers inside the block would end it early the next time.
  const text = clipMarkdown(block.replaceAll(START, "").replaceAll(END, ""), Math.max(room, 0));
  return `${before}${START}\n${text}\n${END}${after}`;
}

function pullOf(json: Json): Pull {
  const merged = json.merged_at !== null;
  return {
    number: json.number,
    title: json.title,
    body: json.body ?? "",
    state: json.state === "open" ? "open" : "closed",
    draft: json.draft ?? false,
    merged,
    // Before the merge this is GitHub's test merge, which is on no branch.
    mergeCommit: merged ? json.merge_commit_sha : null,
    headRef: json.head.ref,
    headSha: json.head.sha,
    headRepository: json.head.repo?.full_name ?? null,
    baseRef: json.base.ref,
    author: accountOf(json.user),
    url: json.html_url,
  };
}
