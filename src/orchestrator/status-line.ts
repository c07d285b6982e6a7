import type { GitHubPort } from "../github/index.js";
import { marker } from "../shared/index.js";

/** The living status comment of one requirement, for changes that no run makes. */
export interface StatusPlace {
  port: GitHubPort;
  /** Login that our comments carry. */
  self: string;
  issue: number;
  requirement: string;
}

/** Text of the status comment without its marker, or null when there is none. Anybody can copy a marker: the author decides. */
export async function readStatus({ port, self, issue, requirement }: StatusPlace): Promise<string | null> {
  const mark = marker("status", requirement);
  const found = (await port.comments(issue)).find(
    ({ body, author }) => author?.login === self && body.includes(mark),
  );
  return found ? found.body.replace(mark, "").trimStart() : null;
}

/** Says on the first line of the status comment where things stand now; the table stays. Makes the comment when there is none. */
export async function headStatus(
  place: StatusPlace,
  head: string,
  change: (rest: string) => string = (rest) => rest,
): Promise<void> {
  const [, ...rest] = ((await readStatus(place)) ?? "").split("\n");
  await place.port.upsertComment(
    place.issue,
    marker("status", place.requirement),
    [head, change(rest.join("\n"))].join("\n"),
  );
}
