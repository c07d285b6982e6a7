import MarkdownIt, { type StateCore, type Token } from "markdown-it";
import { barChart } from "./chart.js";
import { escapeHtml, trusted, type Html } from "./html.js";
import { sanitize } from "./sanitize.js";

/** What `#12` and `@lee` lead to; null leaves them as text. */
export interface MarkdownLinks {
  issue(number: number): string | null;
  account(login: string): string | null;
  /** Where a relative address leads. */
  file(path: string): string;
}

/** Renders a comment or file as GitHub would. */
export type RenderMarkdown = (source: string, links: MarkdownLinks) => Html;

/** What one rendering carries along. */
type Environment = { links: MarkdownLinks; charts: string[] };

const MAX_SOURCE = 300_000;
const REFERENCE = /(?<![\w/&#@-])(?:#(\d{1,9})(?![\w-])|@([A-Za-z\d][A-Za-z\d-]{0,38}(?:\[bot\])?))/g;
// markdown-it replaces this character in what people write, so it marks only what we put in.
const CHART_MARK = "\u0000";

/** Makes the renderer; raw HTML is allowed and sanitised, as people use `<details>` and `<sub>`. */
export function createMarkdown(): RenderMarkdown {
  const markdown = new MarkdownIt({ html: true, linkify: true });
  markdown.core.ruler.push("tasks", markTasks);
  markdown.core.ruler.push("references", markReferences);
  const { rules } = markdown.renderer;
  const showFence = rules.fence;
  rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index];
    const chart = token?.info.trim() === "mermaid" ? barChart(token.content) : null;
    if (!chart) return showFence?.(tokens, index, ...rest) ?? "";
    const { charts } = rest[1] as Environment;
    return CHART_MARK + String(charts.push(chart.markup) - 1) + CHART_MARK;
  };
  rules.th_open = rules.td_open = (tokens, index) => {
    const token = tokens[index];
    const align = /text-align:(\w+)/.exec(String(token?.attrGet("style") ?? ""))?.[1];
    return `<${token?.tag ?? "td"}${align ? ` align="${align}"` : ""}>`;
  };
  rules.reference = (tokens, index, _options, env) =>
    withReferences(escapeHtml(tokens[index]?.content ?? ""), (env as Environment).links);
  return (source, links) => {
    const environment: Environment = { links, charts: [] };
    const shown = source.length > MAX_SOURCE ? `${source.slice(0, MAX_SOURCE)}\n\n…` : source;
    const safe = sanitize(markdown.render(shown, environment), {
      decode: (text) => markdown.utils.unescapeAll(text),
      resolve: (path) => links.file(path),
    });
    const parts = safe.split(CHART_MARK);
    return trusted(
      parts.map((part, at) => (at % 2 === 0 ? part : (environment.charts[Number(part)] ?? ""))).join(""),
    );
  };
}

/** `- [x] done` becomes a box. */
function markTasks({ tokens, Token: Made }: StateCore): void {
  for (const [at, token] of tokens.entries()) {
    const item = tokens[at - 2];
    const first = token.children?.[0];
    if (
      token.type !== "inline" ||
      tokens[at - 1]?.type !== "paragraph_open" ||
      item?.type !== "list_item_open"
    )
      continue;
    const box = first?.type === "text" ? /^\[([ xX])\]\s/.exec(first.content) : null;
    if (!first || !box) continue;
    first.content = first.content.slice(box[0].length);
    const input = new Made("html_inline", "", 0);
    input.content = `<input${box[1] === " " ? "" : " checked"}> `;
    token.children?.unshift(input);
    item.attrSet("class", "task");
  }
}

/** Text outside of links may name issues and people. */
function markReferences({ tokens }: StateCore): void {
  for (const token of tokens) {
    let depth = 0;
    for (const child of token.children ?? []) {
      depth += linkStep(child);
      if (child.type === "text" && depth === 0) child.type = "reference";
    }
  }
}

function linkStep({ type, content }: Token): number {
  if (type === "link_open" || (type === "html_inline" && /^<a[\s>]/i.test(content))) return 1;
  return type === "link_close" || (type === "html_inline" && /^<\/a\s*>/i.test(content)) ? -1 : 0;
}

function withReferences(markup: string, links: MarkdownLinks): string {
  return markup.replace(REFERENCE, (whole, number: string | undefined, login: string | undefined) => {
    const address = number === undefined ? links.account(login ?? "") : links.issue(Number(number));
    return address === null ? whole : `<a href="${escapeHtml(address)}">${whole}</a>`;
  });
}
