import { diffFiles } from "../git-diff.js";
import { findCommit, readCommits, type CommitRecord } from "../git-read.js";
import { counts, diffFile } from "./diff.js";
import { html, type Html } from "./html.js";
import { time } from "./layout.js";
import { addressOf, repositoryPage, type View } from "./view.js";

/** The tree without a file, which every repository knows: a first commit is compared with it. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Commits as a list, each leading to its page. */
export function commitRows({ repository }: View, commits: readonly CommitRecord[]): Html {
  const rows = commits.map(
    ({ sha, message, author }) =>
      html`<li>
        <span class="grow"
          ><a href="${addressOf(repository, "commit", sha)}">${subjectOf(message)}</a>
          <span class="muted small">${author.name} · ${time(author.date)}</span></span
        ><code><a href="${addressOf(repository, "commit", sha)}">${sha.slice(0, 7)}</a></code>
      </li>`,
  );
  return html`<section class="box">
    <ul class="rows">
      ${rows}
    </ul>
  </section>`;
}

/** One commit with its diff; null when there is none with this SHA. */
export async function commitPage(view: View, sha: string): Promise<string | null> {
  const { git, repository } = view;
  const found = await findCommit(git, repository.path, sha);
  const [commit] = await readCommits(git, repository.path, found === null ? [] : [found]);
  if (!commit) return null;
  const files = await diffFiles(git, repository.path, commit.parents[0] ?? EMPTY_TREE, commit.sha);
  const [subject = "", ...more] = commit.message.split("\n");
  const text = more.join("\n").trim();
  const body = html`<h2 class="title">${subject}</h2>
    <div class="facts">
      <b>${commit.author.name}</b> <span class="muted">committed ${time(commit.author.date)}</span>
      <code>${commit.sha}</code>
    </div>
    ${text !== "" && html`<pre class="box empty">${text}</pre>`}
    ${files.map((file) => html`<p class="small"><a href="#file-${file.path}">${file.path}</a> ${counts(file)}</p>`)}
    ${files.map((file) => diffFile(file, []))}`;
  return repositoryPage(view, { title: subject, tab: "code", body });
}

/** The first line of a commit's message. */
export function subjectOf(message: string): string {
  return message.split("\n")[0] ?? "";
}
