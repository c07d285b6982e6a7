import { marker } from "../shared/index.js";
import { partsIn } from "./texts/parts.js";
import type { Doors } from "./types.js";

/** Ids whose boxes people ticked in our own list: anybody can copy its marker, only who may write here can edit it. */
export async function tickedParts(
  { port, self }: Pick<Doors, "port" | "self">,
  issue: number | null,
  requirement: string | null,
): Promise<string[]> {
  if (!port || issue === null || requirement === null) return [];
  const mark = marker("parts", requirement);
  const list = (await port.comments(issue)).find(
    ({ body, author }) => author?.login === self && body.includes(mark),
  );
  return partsIn(list?.body ?? "").flatMap(({ id, done }) => (done ? [id] : []));
}
