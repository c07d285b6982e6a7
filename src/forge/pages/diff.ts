import { html, type Html } from "./html.js";

/** More lines of one file than this are not shown, as on GitHub. */
const MAX_LINES = 3_000;

/** A comment that stands below a line of a diff. */
export interface LineComment {
  line: number | null;
  side: "LEFT" | "RIGHT";
  shown: Html;
}

/** A file's change, as far as a page shows it. */
interface ShownChange {
  path: string;
  previousPath: string | null;
  status: string;
  additions: number;
  deletions: number;
  patch: string | null;
}

/** One file of a diff: its name, its counts and its coloured lines, with comments below theirs. */
export function diffFile(change: ShownChange, comments: readonly LineComment[]): Html {
  const name = change.previousPath ? `${change.previousPath} → ${change.path}` : change.path;
  return html`<section class="box file" id="file-${change.path}">
    <header><code>${name}</code> <span class="muted">${change.status}</span> ${counts(change)}</header>
    ${change.patch === null ? html`<p class="empty">No lines to show.</p>` : diffTable(change.patch, comments)}
  </section>`;
}

/** `+12 −3`. */
export function counts({ additions, deletions }: { additions: number; deletions: number }): Html {
  return html`<span class="added">+${additions}</span> <span class="removed">−${deletions}</span>`;
}

/** The lines of a patch as a table, old and new numbers beside them. */
export function diffTable(patch: string, comments: readonly LineComment[]): Html {
  let left = 0;
  let right = 0;
  const lines = patch.split("\n");
  const rows = lines.slice(0, MAX_LINES).map((line) => {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (header) {
      left = Number(header[1]);
      right = Number(header[2]);
      return html`<tr class="hunk">
        <td></td>
        <td></td>
        <td><pre>${line}</pre></td>
      </tr>`;
    }
    if (line.startsWith("\\"))
      return html`<tr>
        <td></td>
        <td></td>
        <td><pre class="muted">${line}</pre></td>
      </tr>`;
    const kind = line.startsWith("+") ? "plus" : line.startsWith("-") ? "minus" : "same";
    const [old, now] = [kind === "plus" ? null : left++, kind === "minus" ? null : right++];
    const below = comments.filter(
      ({ line: at, side }) => at !== null && at === (side === "LEFT" ? old : now),
    );
    const notes = below.map(
      ({ shown }) =>
        html`<tr class="note">
          <td colspan="3">${shown}</td>
        </tr>`,
    );
    return html`<tr class="${kind}">
        <td>${old}</td>
        <td>${now}</td>
        <td><pre>${line}</pre></td>
      </tr>
      ${notes}`;
  });
  const more = lines.length - MAX_LINES;
  return html`<div class="scroll">
      <table class="diff">
        ${rows}
      </table>
    </div>
    ${more > 0 && html`<p class="empty">${more} more lines are not shown.</p>`}`;
}
