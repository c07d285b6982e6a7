import {
  findCommit,
  findObject,
  readBlob,
  readCommits,
  readRefs,
  readTree,
  type TreeEntry,
} from "../git-read.js";
import { subjectOf } from "./commit-page.js";
import { html, type Html } from "./html.js";
import { time } from "./layout.js";
import { addressOf, linksIn, prose, repositoryPage, type View } from "./view.js";

const MAX_BLOB_BYTES = 1024 * 1024;
const README = /^readme(\.md)?$/i;

/** A place in the repository: a commit under the name by which it was asked for, and a path below it. */
interface Place {
  ref: string;
  commit: string;
  path: string;
}

/** A folder with its files and README, or a file with its lines; null when it is not there. */
export async function codePage(view: View, parts: readonly string[]): Promise<string | null> {
  const { git, repository } = view;
  const place = await findPlace(view, parts);
  if (!place) return parts.length === 0 ? emptyPage(view) : null;
  const object = await findObject(git, repository.path, `${place.commit}:${place.path}`);
  if (object?.type === "blob") return blobPage(view, place, object.sha);
  return object?.type === "tree" ? treePage(view, place) : null;
}

/** A branch's name may hold slashes, so the longest name that exists wins; without parts it is the default branch. */
async function findPlace({ git, repository }: View, parts: readonly string[]): Promise<Place | null> {
  const names = parts.length === 0 ? [repository.defaultBranch] : [];
  const refs = parts.length === 0 ? new Map<string, string>() : await readRefs(git, repository.path);
  for (let length = parts.length; length > 0; length -= 1) {
    const name = parts.slice(0, length).join("/");
    if (length === 1 || refs.has(`refs/heads/${name}`) || refs.has(`refs/tags/${name}`)) names.push(name);
  }
  for (const ref of names) {
    const commit = await findCommit(git, repository.path, ref);
    const path = parts.slice(ref.split("/").length).join("/");
    if (commit !== null && !/[\n\0]/.test(path)) return { ref, commit, path };
  }
  return null;
}

async function treePage(view: View, place: Place): Promise<string | null> {
  const { git, repository } = view;
  const entries = await readTree(git, repository.path, `${place.commit}:${place.path}`, false);
  if (!entries) return null;
  const [commit] = await readCommits(git, repository.path, [place.commit]);
  const readme = entries.find((entry) => entry.type === "blob" && README.test(entry.path));
  const text = readme ? (await readBlob(git, repository.path, readme.sha)).toString("utf8") : null;
  const body = html`${crumbs(view, place)}
    <section class="box">
      <header>
        ${commit && html`<b>${commit.author.name}</b> <a href="${addressOf(repository, "commit", commit.sha)}">${subjectOf(commit.message)}</a> <span class="muted small">${commit.sha.slice(0, 7)} · ${time(commit.author.date)}</span>`}
      </header>
      <ul class="rows">
        ${sortEntries(entries).map((entry) => entryRow(view, place, entry))}
      </ul>
    </section>
    ${
      text !== null &&
      html`<section class="box">
        <header><b>${readme?.path}</b></header>
        ${prose(view, text, linksIn(view, place.ref, place.path))}
      </section>`
    }`;
  return repositoryPage(view, { title: place.path || place.ref, tab: "code", body });
}

function emptyPage(view: View): string {
  const body = html`<section class="box"><p class="empty">This repository is empty.</p></section>`;
  return repositoryPage(view, { title: "Empty", tab: "code", body });
}

async function blobPage(view: View, place: Place, sha: string): Promise<string> {
  const bytes = await readBlob(view.git, view.repository.path, sha);
  const name = place.path.split("/").at(-1) ?? place.path;
  const body = html`${crumbs(view, place)}
    <section class="box file">
      <header><b>${name}</b> <span class="muted small">${bytes.length} bytes</span></header>
      ${blobBody(view, place, bytes)}
    </section>`;
  return repositoryPage(view, { title: place.path, tab: "code", body });
}

function blobBody(view: View, place: Place, bytes: Buffer): Html {
  if (bytes.length > MAX_BLOB_BYTES) return html`<p class="empty">The file is too large to show.</p>`;
  if (bytes.includes(0)) return html`<p class="empty">A binary file is not shown.</p>`;
  const text = bytes.toString("utf8");
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const rows = lines.map(
    (line, index) =>
      html`<tr id="L${index + 1}">
        <td><a href="#L${index + 1}">${index + 1}</a></td>
        <td><pre>${line}</pre></td>
      </tr>`,
  );
  const code = html`<div class="scroll">
    <table class="code">
      ${rows}
    </table>
  </div>`;
  if (!/\.(md|markdown)$/i.test(place.path)) return code;
  const folder = place.path.split("/").slice(0, -1).join("/");
  const [, head, rest = text] = /^\uFEFF?---\r?\n([\s\S]*?\n)---\r?\n([\s\S]*)$/.exec(text) ?? [];
  // A link to a line opens the source by itself.
  return html`${head && html`<pre class="empty small">${head.trimEnd()}</pre>`}${prose(view, rest, linksIn(view, place.ref, folder))}
    <details>
      <summary class="empty">Source</summary>
      ${code}
    </details>`;
}

function crumbs({ repository }: View, { ref, path }: Place): Html {
  const parts = path.split("/").filter(Boolean);
  const links = parts.map((part, index) => {
    const address = addressOf(repository, "tree", ref, ...parts.slice(0, index + 1));
    return index === parts.length - 1 ? html` / <b>${part}</b>` : html` / <a href="${address}">${part}</a>`;
  });
  return html`<p>
    <span class="badge">${ref}</span>
    <a href="${addressOf(repository, "tree", ref)}">${repository.name}</a>${links}
  </p>`;
}

function entryRow({ repository }: View, place: Place, { path, type, size }: TreeEntry): Html {
  const inside = [place.path, path].filter(Boolean).join("/");
  const address = addressOf(repository, type === "tree" ? "tree" : "blob", place.ref, inside);
  const shown = size === null ? "" : `${size} bytes`;
  return html`<li>
    <span>${type === "tree" ? "📁" : "📄"}</span><span class="grow"><a href="${address}">${path}</a></span
    ><span class="muted small">${shown}</span>
  </li>`;
}

function sortEntries(entries: readonly TreeEntry[]): TreeEntry[] {
  const rank = ({ type }: TreeEntry) => (type === "tree" ? 0 : 1);
  return [...entries].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
}
