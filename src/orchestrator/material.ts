// As people write tags: `</Comment>` is a component in somebody's code, and stays as it is.
const NAMES = [
  "issue",
  "comment",
  "knowledge",
  "requirement",
  "design",
  "task",
  "failures",
  "change",
  "outcome",
  "command",
  "excerpt",
  "archaeology",
  "findings",
  "other-repository",
];
const CLOSING = new RegExp(
  `<(?=\\s*/\\s*(?:${[...NAMES, ...NAMES.map((name) => name.toUpperCase())].join("|")})\\s*>)`,
  "g",
);

/** Others' words for a prompt: none of them closes a tag that tells material from instructions. */
export function asMaterial(text: string): string {
  return text.replace(CLOSING, "&lt;");
}
