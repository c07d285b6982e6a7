import type { Issue } from "../state.js";
import { html } from "./html.js";
import { time } from "./layout.js";
import { aside, closedEntries, commentEntries, labels, threadHead, timeline, writing } from "./thread.js";
import { repositoryPage, type View } from "./view.js";

/** An issue with its comments. */
export function issuePage(view: View, issue: Issue): string {
  const count = issue.comments.length;
  const about = html`opened this issue ${time(issue.createdAt)} · ${count}
  ${count === 1 ? "comment" : "comments"} ${labels(issue)}`;
  const entries = [...commentEntries(view, issue), ...closedEntries(view, issue)];
  const body = html`${threadHead(view, issue, about)}
    <div class="side">
      <div>${writing(view, issue, `issue-${issue.id}`)} ${timeline(entries)}</div>
      ${aside(view, issue)}
    </div>`;
  return repositoryPage(view, { title: `${issue.title} · Issue #${issue.number}`, tab: "issues", body });
}
