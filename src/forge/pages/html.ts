/** Markup that is safe to send: everything that was put into it was escaped or made by `html` itself. */
export interface Html {
  readonly markup: string;
}

type Value = Html | string | number | null | undefined | false | readonly Value[];

/** Builds markup; every value that is not markup already is escaped, so that nothing a person wrote becomes a tag. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  const parts = strings.map((text, index) => text + (index < values.length ? render(values[index]) : ""));
  return { markup: parts.join("") };
}

/** Takes markup as it is. Contract: only for what a sanitiser or our own code made. */
export function trusted(markup: string): Html {
  return { markup };
}

/** A text as it must stand in markup and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "string" || typeof value === "number") return escapeHtml(String(value));
  if ("markup" in value) return value.markup;
  return value.map(render).join("");
}
