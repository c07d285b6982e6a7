import { AccrueError } from "../shared/index.js";

const NAMES = [
  "nudge",
  "cut-off",
  "repeating",
  "same-error",
  "failing-edit",
  "not-executed-cut-off",
  "not-executed-sibling",
  "not-executed-grace",
  "grace-turns",
  "grace-time",
  "grace-budget",
  "interrupted",
  "not-answered",
  "empty",
  "no-output",
  "pruned",
  "hand-over",
  "summary",
  "left-out",
] as const;

/** What the loop says to a model, by name. */
export type Notices = Readonly<Record<(typeof NAMES)[number], string>>;

/** All prose that an agent's loop sends; `compress` is the system prompt of the summary. */
export type AgentTexts = Notices & { readonly compress: string };

const FILE = "prompts/notices.md";

/** Reads the `## name` sections of `rules/prompts/notices.md`; throws `CONFIG_INVALID` when one is missing, empty or unknown. */
export function readNotices(markdown: string): Notices {
  const [, ...sections] = markdown.split(/^## /mu);
  const texts: Partial<Record<string, string>> = {};
  for (const section of sections) {
    const [name = "", ...lines] = section.split(/\r?\n/u);
    texts[name.trim()] = lines.join("\n").trim();
  }
  const known: ReadonlySet<string> = new Set(NAMES);
  const unknown = Object.keys(texts).find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new AccrueError("CONFIG_INVALID", `${FILE}: no text is called "${unknown}". Remove the section.`);
  }
  const missing = NAMES.find((name) => !texts[name]);
  if (missing !== undefined) {
    throw new AccrueError(
      "CONFIG_INVALID",
      `${FILE}: the text "${missing}" is missing. Add "## ${missing}".`,
    );
  }
  return texts as Notices;
}
