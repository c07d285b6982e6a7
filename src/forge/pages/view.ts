import type { Git } from "../git.js";
import { isPull, nameOf } from "../lookup.js";
import type { Account, ForgeState, Issue, Repository } from "../state.js";
import { html, type Html } from "./html.js";
import { layout } from "./layout.js";
import type { MarkdownLinks, RenderMarkdown } from "./markdown.js";

/** What every page of a repository is made from. Pages only read it. */
export interface View {
  state: ForgeState;
  repository: Repository;
  git: Git;
  render: RenderMarkdown;
}

/** The address of a page of the repository. */
export function addressOf(repository: Repository, ...parts: (string | number)[]): string {
  const path = [repository.owner, repository.name, ...parts].map((part) =>
    String(part).split("/").map(encodeURIComponent).join("/"),
  );
  return `/${path.join("/")}`;
}

/** The address of an issue's or pull request's page. */
export function threadAddress(repository: Repository, issue: Issue): string {
  return addressOf(repository, isPull(issue) ? "pull" : "issues", issue.number);
}

/** A page of the repository, with its tabs. */
export function repositoryPage(
  { repository }: View,
  page: { title: string; tab: "code" | "issues" | "pulls"; body: Html },
): string {
  const open = [...repository.issues.values()].filter(({ state }) => state === "open");
  const pulls = open.filter(isPull).length;
  const tab = (name: string, key: typeof page.tab, rest: { address: string; count?: number }) => ({
    name,
    isCurrent: page.tab === key,
    ...rest,
  });
  const heading = html`<a href="/${encodeURIComponent(repository.owner)}">${repository.owner}</a> /
    <b><a href="${addressOf(repository)}">${repository.name}</a></b
    >${repository.isPrivate && html` <span class="badge">Private</span>`}${repository.archived && html` <span class="badge">Archived</span>`}`;
  return layout({
    title: `${page.title} · ${nameOf(repository)}`,
    heading,
    tabs: [
      tab("Code", "code", { address: addressOf(repository) }),
      tab("Issues", "issues", { address: addressOf(repository, "issues"), count: open.length - pulls }),
      tab("Pull requests", "pulls", { address: addressOf(repository, "pulls"), count: pulls }),
    ],
    body: page.body,
  });
}

/** Who it was; `ghost` when the account is gone, as on GitHub. */
export function author(state: ForgeState, accountId: number): Html {
  const account = state.accounts.get(accountId);
  if (!account) return html`<b>ghost</b>`;
  return html`<b>${nameShown(account)}</b>${account.type === "Bot" && html` <span class="badge">bot</span>`}`;
}

/** What names in a text lead to. In a file, relative addresses start in its folder; elsewhere, at the page. */
export function linksIn({ state, repository }: View, ref?: string, folder = ""): MarkdownLinks {
  const logins = new Set([...state.accounts.values()].map(({ login }) => login.toLowerCase()));
  return {
    issue(number) {
      const issue = repository.issues.get(number);
      return issue ? threadAddress(repository, issue) : null;
    },
    account: (login) => (logins.has(login.toLowerCase()) ? `/${encodeURIComponent(login)}` : null),
    file(path) {
      if (ref === undefined) return path;
      const [, place = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(path) ?? [];
      return addressOf(repository, "blob", ref) + joinPath(folder, place) + rest;
    },
  };
}

/** Markdown of this repository as a block. */
export function prose(view: View, source: string | null, links = linksIn(view)): Html {
  if (!source?.trim()) return html`<p class="empty">No description provided.</p>`;
  return html`<div class="md">${view.render(source, links)}</div>`;
}

function nameShown({ login, type }: Account): string {
  return type === "Bot" ? login.replace(/\[bot\]$/, "") : login;
}

function joinPath(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.map((part) => `/${part}`).join("");
}
