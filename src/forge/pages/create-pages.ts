import type { Git } from "../git.js";
import { findAccount, findRepository, isPull } from "../lookup.js";
import type { ForgeState } from "../state.js";
import type { ForgePage, ForgePages } from "../types.js";
import { checkPage } from "./check-page.js";
import { codePage } from "./code-page.js";
import { commitPage } from "./commit-page.js";
import { issuePage } from "./issue-page.js";
import { homePage, threadListPage } from "./list-page.js";
import { createMarkdown } from "./markdown.js";
import { pullPage, type PullTab } from "./pull-page.js";
import type { View } from "./view.js";

const PULL_TABS: Readonly<Record<string, PullTab>> = { commits: "commits", checks: "checks", files: "files" };

/**
 * Shows what the forge holds as a person would see it on GitHub, under the same addresses.
 * Contract: only reads; gives null for an address that leads nowhere.
 */
export function createPages(deps: { git: Git }): ForgePages {
  const render = createMarkdown();
  return async (path, state) => {
    const parts = decodeParts(path);
    if (!parts) return null;
    const [owner, name, ...rest] = parts;
    if (owner === undefined) return found(homePage(state, null));
    if (name === undefined) return accountPage(state, owner);
    const repository = findRepository(state, `${owner}/${name}`);
    return repository ? found(await showPart({ state, repository, git: deps.git, render }, rest)) : null;
  };
}

async function showPart(view: View, [place, ...rest]: readonly string[]): Promise<string | null> {
  const [first = ""] = rest;
  switch (place) {
    case undefined:
      return codePage(view, []);
    case "tree":
    case "blob":
      return rest.length === 0 ? null : codePage(view, rest);
    case "commit":
      return /^[0-9a-f]{40,64}$/.test(first) ? commitPage(view, first) : null;
    case "issues":
    case "pulls":
    case "pull":
      return showThread(view, place, rest);
    case "runs": {
      const run = view.repository.checkRuns.get(Number(first));
      return run ? checkPage(view, run) : null;
    }
    default:
      return null;
  }
}

async function showThread(
  view: View,
  place: "issues" | "pulls" | "pull",
  rest: readonly string[],
): Promise<string | null> {
  const [number, tab] = rest;
  if (number === undefined) return place === "pull" ? null : threadListPage(view, place);
  const issue = view.repository.issues.get(Number(number));
  if (!issue) return null;
  // As on GitHub, a pull request is also found under its address as an issue.
  if (!isPull(issue)) return tab === undefined ? issuePage(view, issue) : null;
  const wanted = tab === undefined ? "conversation" : PULL_TABS[tab];
  return wanted ? pullPage(view, issue, wanted) : null;
}

function accountPage(state: ForgeState, login: string): ForgePage | null {
  const account = findAccount(state, login);
  return account ? found(homePage(state, account.login)) : null;
}

function found(page: string | null): ForgePage | null {
  return page === null ? null : { status: 200, html: page };
}

function decodeParts(path: string): string[] | null {
  try {
    const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
    // Nothing lies above a repository; git would take it for a mistake of ours.
    return parts.some((part) => part.split("/").includes("..")) ? null : parts;
  } catch (error) {
    // A broken "%" in an address leads nowhere; anything else is our own mistake.
    if (error instanceof URIError) return null;
    throw error;
  }
}
