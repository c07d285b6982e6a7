import { accountOf } from "./accounts.js";
import { type Door, PAGE_SIZE } from "./door.js";
import type { ReviewComment } from "./types.js";

/** All comments on lines of a pull request, oldest first. */
export async function reviewCommentsOf({ octokit, repo }: Door, number: number): Promise<ReviewComment[]> {
  const query = { ...repo, pull_number: number, per_page: PAGE_SIZE };
  const found = await octokit.paginate(octokit.rest.pulls.listReviewComments, query);
  return found
    .map((json) => ({
      id: json.id,
      replyTo: json.in_reply_to_id ?? null,
      body: json.body,
      author: accountOf(json.user),
      path: json.path,
      line: json.line ?? json.original_line ?? null,
      diffHunk: json.diff_hunk,
      url: json.html_url,
    }))
    .sort((a, b) => a.id - b.id);
}
