import type { AskedPart, Pack, PackJudgement } from "./types.js";

/** Counts what an agent read and how much of it its pack held already, so that packs can be judged by what they lacked. */
export function judge(pack: Pack, asked: readonly AskedPart[]): PackJudgement {
  return { asked: asked.length, inPack: asked.filter((part) => holds(pack, part)).length };
}

/** A part is held when one of its lines is: an agent asks for more than it needs. */
function holds({ items }: Pack, { path, lines }: AskedPart): boolean {
  return items.some(
    (item) =>
      item.path === path &&
      item.lines !== null &&
      (!lines || (item.lines[0] <= lines[1] && item.lines[1] >= lines[0])),
  );
}
