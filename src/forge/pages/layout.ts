import { html, trusted, type Html } from "./html.js";
import { STYLE } from "./style.js";

/** A tab of a repository or a pull request. */
interface Tab {
  name: string;
  address: string;
  count?: number;
  isCurrent: boolean;
}

// Nothing runs, and nothing but pictures is loaded: whatever slipped through would be inert.
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:; base-uri 'none'; form-action 'none'";

/** A whole page with its top line and tabs. */
export function layout(page: { title: string; heading: Html; tabs: readonly Tab[]; body: Html }): string {
  return `<!doctype html>\n${
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <title>${page.title}</title>
        <style>
          ${trusted(STYLE)}
        </style>
      </head>
      <body>
        <div class="top">
          <nav>
            <h1>${page.heading}</h1>
            ${tabLine(page.tabs)}
          </nav>
        </div>
        <main>${page.body}</main>
      </body>
    </html>`.markup
  }\n`;
}

/** A line of tabs. */
export function tabLine(tabs: readonly Tab[]): Html {
  return html`<div class="tabs">
    ${tabs.map(
      ({ name, address, count, isCurrent }) =>
        html`<a href="${address}" ${isCurrent && html` aria-current="page"`}
          >${name}${count !== undefined && html`<span class="count">${count}</span>`}</a
        >`,
    )}
  </div>`;
}

/** A point in time for people, and for machines. */
export function time(ms: number): Html {
  const iso = Number.isFinite(ms) ? new Date(ms).toISOString() : "";
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace("T", " ")} UTC</time>`;
}

/** How long something took. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
