import type { CheckRun, Repository } from "../state.js";
import { html, type Html } from "./html.js";
import { duration, time } from "./layout.js";
import { addressOf, prose, repositoryPage, type View } from "./view.js";

/** The check runs of a commit, the newest of each name. */
export function checksOf(repository: Repository, sha: string): CheckRun[] {
  const byName = new Map<string, CheckRun>();
  for (const run of repository.checkRuns.values()) if (run.headSha === sha) byName.set(run.name, run);
  return [...byName.values()];
}

/** Check runs as a list with their results. */
export function checkRows({ repository }: View, runs: readonly CheckRun[]): Html {
  if (runs.length === 0)
    return html`<section class="box"><p class="empty">There are no checks for this commit.</p></section>`;
  const rows = runs.map((run) => {
    const address = addressOf(repository, "runs", run.id);
    return html`<li>
      <span class="dot ${resultOf(run)}"></span
      ><span class="grow"
        ><a href="${address}"><b>${run.name}</b></a>
        <span class="muted">${run.title ?? resultName(run)}</span></span
      ><span class="muted small">${resultName(run)}</span>
    </li>`;
  });
  return html`<section class="box">
    <header><b>Checks</b></header>
    <ul class="rows">
      ${rows}
    </ul>
  </section>`;
}

/** One check run: its result, what it says, and where. */
export function checkPage(view: View, run: CheckRun): string {
  const { repository } = view;
  const took =
    run.completedAt === null ? null : duration(Date.parse(run.completedAt) - Date.parse(run.startedAt));
  const body = html`<h2 class="title">${run.title ?? run.name}</h2>
    <div class="facts">
      <span class="state ${resultOf(run)}">${resultName(run)}</span> <b>${run.name}</b>
      <span class="muted"
        >for
        <a href="${addressOf(repository, "commit", run.headSha)}"><code>${run.headSha.slice(0, 7)}</code></a>
        · started ${time(Date.parse(run.startedAt))}${took !== null && html` · took ${took}`}</span
      >
    </div>
    <section class="box">
      ${run.summary ? prose(view, run.summary) : html`<p class="empty">No summary.</p>`}${buttons(run)}
    </section>
    ${
      run.text &&
      html`<section class="box">
        <header><b>Details</b></header>
        ${prose(view, run.text)}
      </section>`
    }
    ${run.annotations.length > 0 && annotations(view, run)}`;
  return repositoryPage(view, { title: `${run.name} · ${run.headSha.slice(0, 7)}`, tab: "pulls", body });
}

function buttons({ actions }: CheckRun): Html | null {
  if (actions.length === 0) return null;
  return html`<div class="buttons">
    ${actions.map(({ label, description }) => html`<span title="${description}">${label}</span>`)}
  </div>`;
}

function annotations({ repository }: View, { annotations: list, headSha }: CheckRun): Html {
  const rows = list.map(({ path, start_line: line, annotation_level: level, title, message }) => {
    const address = `${addressOf(repository, "blob", headSha, path)}#L${line}`;
    return html`<li>
      <span
        class="dot ${level === "failure" ? "failure" : level === "warning" ? "in_progress" : "neutral"}"
      ></span
      ><span class="grow"
        ><a href="${address}"><code>${path}:${line}</code></a> ${title && html`<b>${title}</b>`}
        <pre>${message}</pre>
      </span>
    </li>`;
  });
  return html`<section class="box">
    <header><b>Annotations</b></header>
    <ul class="rows">
      ${rows}
    </ul>
  </section>`;
}

function resultOf(run: CheckRun): string {
  return run.conclusion ?? run.status;
}

function resultName(run: CheckRun): string {
  const name = resultOf(run).replaceAll("_", " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}
