/** Names that mean the same, as a glossary confirms them. */
export type AliasNames = readonly (readonly string[])[];

const LETTER = /[\p{L}\p{N}]/u;
const HAN = /\p{Script=Han}/u;

/** True when two texts say the same in the same words: only spaces and line ends may differ. */
export function isSameText(a: string, b: string): boolean {
  return spaced(a) === spaced(b);
}

/** True when two texts say the same where names that mean the same count as one. */
export function isSameByAlias(a: string, b: string, groups: AliasNames): boolean {
  return renamed(a, groups) === renamed(b, groups);
}

/** A text by which two wordings of one thing are found: without case, spaces, end marks, and with one name for each thing. */
export function foldedText(text: string, groups: AliasNames): string {
  return renamed(text, groups)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\p{P}\s]+$/u, "");
}

function renamed(text: string, groups: AliasNames): string {
  const names = groups.flatMap((group) => group.map((name) => ({ name, first: group[0] ?? name })));
  const longest = names.toSorted((a, b) => b.name.length - a.name.length);
  const byName = new Map(longest.map(({ name, first }) => [name.normalize("NFKC").toLowerCase(), first]));
  const said = spaced(text.normalize("NFKC"));
  if (byName.size === 0) return said;
  const any = [...byName.keys()].map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  return said.replace(new RegExp(any, "giu"), (found, offset: number) => {
    const around = [said.slice(0, offset).at(-1) ?? "", said.slice(offset + found.length).at(0) ?? ""];
    const isWord = HAN.test(found) || !around.some((mark) => LETTER.test(mark) && !HAN.test(mark));
    return isWord ? (byName.get(found.toLowerCase()) ?? found) : found;
  });
}

function spaced(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
