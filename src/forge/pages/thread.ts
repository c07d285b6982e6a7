import { nameOf } from "../lookup.js";
import type { Authored, Issue, Reaction } from "../state.js";
import { html, type Html } from "./html.js";
import { time } from "./layout.js";
import { author, prose, type View } from "./view.js";

const EMOJI: Readonly<Record<Reaction["content"], string>> = {
  "+1": "👍",
  "-1": "👎",
  laugh: "😄",
  confused: "😕",
  heart: "❤️",
  hooray: "🎉",
  rocket: "🚀",
  eyes: "👀",
};

/** Something that happened in a thread, at its time. */
export interface Entry {
  at: number;
  shown: Html;
}

/** What one person wrote, in a box with its reactions. */
export function writing(view: View, written: Authored, anchor: string): Html {
  const edited = written.updatedAt > written.createdAt && html` · edited`;
  return html`<section class="box" id="${anchor}">
    <header>
      ${author(view.state, written.authorId)}
      <span class="muted"
        >commented <a class="muted" href="#${anchor}">${time(written.createdAt)}</a>${edited}</span
      >
    </header>
    ${prose(view, written.body)} ${reactions(written.reactions)}
  </section>`;
}

/** The comments of a thread, each at its time. */
export function commentEntries(view: View, issue: Issue): Entry[] {
  return issue.comments.map((comment) => ({
    at: comment.createdAt,
    shown: writing(view, comment, `issuecomment-${comment.id}`),
  }));
}

/** That it was closed, and by whom. */
export function closedEntries(view: View, issue: Issue): Entry[] {
  if (issue.closedAt === null || issue.state === "open") return [];
  const who = issue.closedById === null ? html`<b>ghost</b>` : author(view.state, issue.closedById);
  const what = issue.pull?.mergedAt
    ? "merged this"
    : `closed this${issue.stateReason === "not_planned" ? " as not planned" : ""}`;
  return [{ at: issue.closedAt, shown: html`<p class="event">${who} ${what} ${time(issue.closedAt)}</p>` }];
}

/** Title, state and who opened it: the top of an issue or pull request. */
export function threadHead(view: View, issue: Issue, about: Html): Html {
  return html`<h2 class="title">${issue.title} <span class="muted">#${issue.number}</span></h2>
    <div class="facts">
      ${stateBadge(issue)} ${author(view.state, issue.authorId)}
      <span class="muted">${about}</span>${issue.locked && html` <span class="badge">Locked</span>`}
    </div>`;
}

/** Labels, assignees: what stands beside a thread. */
export function aside(view: View, issue: Issue): Html {
  const people = issue.assigneeIds.map((id) => html`<div>${author(view.state, id)}</div>`);
  return html`<aside>
    <div>
      <h2>Assignees</h2>
      ${people.length === 0 ? html`<span class="muted">No one</span>` : people}
    </div>
    <div>
      <h2>Labels</h2>
      ${issue.labels.length === 0 ? html`<span class="muted">None yet</span>` : labels(issue)}
    </div>
    <div>
      <h2>Repository</h2>
      ${nameOf(view.repository)}
    </div>
  </aside>`;
}

/** The labels as coloured pills. */
export function labels(issue: Issue): Html {
  return html`${issue.labels.map(({ name, color }) => {
    const safe = /^[0-9a-f]{6}$/i.test(color) ? color : "ededed";
    return html`<span class="label" style="background:#${safe};color:${textOn(safe)}">${name}</span> `;
  })}`;
}

/** Open, closed, merged or draft, in its colour. */
function stateBadge(issue: Issue): Html {
  const { kind, name } = stateOf(issue);
  return html`<span class="state ${kind}">${name}</span>`;
}

/** The state's name, and the class that colours it. */
export function stateOf(issue: Issue): { kind: string; name: string } {
  if (issue.pull?.mergedAt) return { kind: "merged", name: "Merged" };
  if (issue.state === "closed") {
    if (issue.pull) return { kind: "closed", name: "Closed" };
    return { kind: issue.stateReason === "not_planned" ? "not_planned" : "completed", name: "Closed" };
  }
  return issue.pull?.draft ? { kind: "draft", name: "Draft" } : { kind: "open", name: "Open" };
}

/** Everything in the order it happened. */
export function timeline(entries: readonly Entry[]): Html {
  const sorted = [...entries].sort((a, b) => a.at - b.at);
  return html`${sorted.map(({ shown }) => shown)}`;
}

function reactions(list: readonly Reaction[]): Html | null {
  if (list.length === 0) return null;
  const counts = new Map<Reaction["content"], number>();
  for (const { content } of list) counts.set(content, (counts.get(content) ?? 0) + 1);
  return html`<div class="reactions">
    ${[...counts].map(([content, count]) => html`<span title="${content}">${EMOJI[content]} ${count}</span>`)}
  </div>`;
}

/** Black or white, whichever can be read on the colour. */
function textOn(color: string): string {
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return part(0) * 0.299 + part(2) * 0.587 + part(4) * 0.114 > 150 ? "#1f2328" : "#fff";
}
