import { spokenPart } from "../shared/index.js";

/** A comment split at the place where somebody speaks to the bot. */
export interface Mention {
  before: string;
  after: string;
}

/** What begins a comment and can be meant for nobody else. */
const UNNAMED = /^\s*(?=\/(?:optimize-flow|load-service)(?![\p{L}\p{N}_:-])|记住这个坑)/iu;

/**
 * Finds the first place where one of the names (`@agent`, `@accrue[bot]`) is spoken to: as a word of its own, in any
 * case, outside code, quotes, hidden comments and addresses. A comment that begins with a command that only the bot has speaks
 * to it as well. Null when nobody is spoken to.
 */
export function findMention(body: string, names: readonly string[]): Mention | null {
  const longestFirst = [...names].sort((a, b) => b.length - a.length);
  const anyName = longestFirst.map((name) => name.replaceAll(/[^\w\s]/g, String.raw`\$&`)).join("|");
  // GitHub's names are ASCII letters, digits and inner hyphens; `@agent.` ends a sentence, `@agent.io` is a host.
  const pattern = new RegExp(
    String.raw`(?<![A-Za-z0-9_@/+-])(?:${anyName})(?!-?[A-Za-z0-9_/@]|\.[A-Za-z0-9])`,
    "i",
  );
  const spoken = spokenPart(body);
  const found = pattern.exec(spoken);
  if (!found) return UNNAMED.test(spoken) ? { before: "", after: body } : null;
  return { before: body.slice(0, found.index), after: body.slice(found.index + found[0].length) };
}
