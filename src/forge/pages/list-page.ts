import { isPull, nameOf } from "../lookup.js";
import type { ForgeState, Repository } from "../state.js";
import { html, type Html } from "./html.js";
import { layout, time } from "./layout.js";
import { labels, stateOf } from "./thread.js";
import { addressOf, author, repositoryPage, threadAddress, type View } from "./view.js";

/** All issues of a repository, or all its pull requests: the open ones first, the newest first. */
export function threadListPage(view: View, kind: "issues" | "pulls"): string {
  const threads = [...view.repository.issues.values()]
    .filter((issue) => isPull(issue) === (kind === "pulls"))
    .sort((a, b) => Number(a.state === "closed") - Number(b.state === "closed") || b.number - a.number);
  const open = threads.filter(({ state }) => state === "open").length;
  const rows = threads.map((issue) => {
    const { kind: color, name } = stateOf(issue);
    const count = issue.comments.length;
    return html`<li>
      <span class="dot ${color}" title="${name}"></span
      ><span class="grow"
        ><a href="${threadAddress(view.repository, issue)}"><b>${issue.title}</b></a>
        ${labels(issue)}<br /><span class="muted small"
          >#${issue.number} · ${name.toLowerCase()} · opened ${time(issue.createdAt)} by
          ${author(view.state, issue.authorId)}</span
        ></span
      ><span class="muted small">${count > 0 && html`💬 ${count}`}</span>
    </li>`;
  });
  const name = kind === "pulls" ? "pull requests" : "issues";
  const body = html`<section class="box">
    <header><b>${open} open</b> <span class="muted">${threads.length - open} closed</span></header>
    ${
      rows.length === 0
        ? html`<p class="empty">There are no ${name}.</p>`
        : html`<ul class="rows">
            ${rows}
          </ul>`
    }
  </section>`;
  return repositoryPage(view, { title: kind === "pulls" ? "Pull requests" : "Issues", tab: kind, body });
}

/** The repositories of the forge, or of one account. */
export function homePage(state: ForgeState, owner: string | null): string {
  const wanted = owner?.toLowerCase() ?? null;
  const repositories = [...state.repositories.values()]
    .filter((repository) => wanted === null || repository.owner.toLowerCase() === wanted)
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const body = html`<section class="box">
    <header><b>Repositories</b></header>
    ${
      repositories.length === 0
        ? html`<p class="empty">There are no repositories.</p>`
        : html`<ul class="rows">
            ${repositories.map(repositoryRow)}
          </ul>`
    }
  </section>`;
  const heading =
    owner === null ? html`<b>Embedded forge</b>` : html`<a href="/">Embedded forge</a> / <b>${owner}</b>`;
  return layout({ title: owner ?? "Embedded forge", heading, tabs: [], body });
}

function repositoryRow(repository: Repository): Html {
  const open = [...repository.issues.values()].filter(({ state }) => state === "open");
  const pulls = open.filter(isPull).length;
  return html`<li>
    <span class="grow"
      ><a href="${addressOf(repository)}"><b>${nameOf(repository)}</b></a
      >${repository.isPrivate && html` <span class="badge">Private</span>`}</span
    ><span class="muted small"
      ><a href="${addressOf(repository, "issues")}">${open.length - pulls} issues</a> ·
      <a href="${addressOf(repository, "pulls")}">${pulls} pull requests</a></span
    >
  </li>`;
}
