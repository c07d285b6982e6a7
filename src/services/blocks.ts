import { sha256 } from "../shared/index.js";

const BLOCK =
  /<!-- generated:start (?<key>[a-z-]+) (?<hash>[0-9a-f]{8}) -->\n(?<inner>[\s\S]*?)<!-- generated:end -->/g;
const HUMAN = /<!-- human:start -->[\s\S]*?<!-- human:end -->\n?/g;

/** A generated part of a document as it stands there. */
export interface Block {
  key: string;
  /** Without what people put between markers of their own. */
  inner: string;
  /** What they put there, to be kept. */
  human: string[];
  /** True when somebody changed it since it was written. */
  isEdited: boolean;
}

/** A generated part between markers that tell whether it is as it was written. */
export function writeBlock(key: string, inner: string): string {
  return `<!-- generated:start ${key} ${hashOf(inner)} -->\n${inner.trim()}\n<!-- generated:end -->`;
}

/** The generated parts of a document by their keys. */
export function readBlocks(document: string): Map<string, Block> {
  const blocks = [...document.matchAll(BLOCK)].map(({ groups }) => {
    const { key = "", hash = "", inner: written = "" } = groups ?? {};
    const human = written.match(HUMAN) ?? [];
    const inner = written.replaceAll(HUMAN, "").trim();
    return { key, inner, human, isEdited: hashOf(inner) !== hash };
  });
  return new Map(blocks.map((block) => [block.key, block]));
}

/** The document with one of its parts written anew, or taken out where `inner` is empty; people's own blocks in it stay behind it. */
export function replaceBlock(document: string, { key, human }: Block, inner: string): string {
  return document.replaceAll(BLOCK, (found, ...rest) => {
    const groups: unknown = rest.at(-1);
    const isMeant = typeof groups === "object" && groups !== null && "key" in groups && groups.key === key;
    if (!isMeant) return found;
    return [inner === "" ? "" : writeBlock(key, inner), ...human.map((text) => text.trim())]
      .filter(Boolean)
      .join("\n");
  });
}

function hashOf(inner: string): string {
  return sha256(inner.trim()).slice(0, 8);
}
