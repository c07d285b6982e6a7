import type { z } from "zod";
import { isAccrueError } from "../shared/index.js";
import type { AnswerOutput } from "./outputs.js";
import { readOrNothing } from "./read-or-nothing.js";
import { linksOf } from "./texts/links.js";
import type { Run } from "./types.js";

/** Something that an answer rests on, and that is there. */
export interface Citation {
  /** As people write it: `src/a.ts:12`, a short commit id, `EXP-7K3M2P9Q`, `#12`. */
  source: string;
  /** Which statement it shows. */
  shows: string;
  /** Its page; null without GitHub. */
  url: string | null;
}

/** An answer with those of its citations that lead somewhere. */
export interface LookedUp {
  answer: string;
  citations: Citation[];
  dropped: number;
}

type Place = Pick<Citation, "source" | "url">;

const FILE =
  /^(?<path>[^\s:#][^:#\n]*?)(?:(?::|#L)(?<line>\d+)(?:-L?(?<to>\d+))?|#(?<symbol>[\p{L}\p{N}_$.~]+))?$/u;
const COMMIT = /^(?:commit\s+)?([0-9a-f]{7,40})$/i;
const KNOWN = /^(?:EXP-[0-9A-Z]{8}|R-[0-9A-Z]{6})$/;
const REQUIREMENT = /^REQ-(?:\d{8}-[0-9A-Z]{6}|\d+)$/;
const THREAD = /^(?:PR\s*|issue\s*)?#(\d{1,9})$/i;
/** Pointers that stand in the text all the same: a file in a folder with its line, an id, a commit that is called one. */
const WITHIN =
  /(?<![\w/:.@-])`?((?:[\w@.-]+\/)+[\w@.-]+:\d+(?:-\d+)?|(?:EXP-[0-9A-Z]{8}|R-[0-9A-Z]{6})(?![\w-]))`?|(?<=(?:commit|提交)\s*)`?\b([0-9a-f]{7,40})\b`?/gu;
const SHORT_ID = 7;

/** Looks up what an answer cites. What is not there is left out of the list, and of the text where that names it. */
export async function lookUpAnswer(run: Run, said: z.infer<typeof AnswerOutput>): Promise<LookedUp> {
  const found = await Promise.all(
    said.citations.map(async ({ source, shows }) => ({ shows, place: await placeOf(run, source) })),
  );
  const citations = found.flatMap(({ shows, place }) => (place ? [{ ...place, shows: shows.trim() }] : []));
  const within = [...said.answer.matchAll(WITHIN)];
  const looked = await Promise.all(
    within.map(([, named = "", commit = ""]) => placeOf(run, named || commit)),
  );
  let index = 0;
  const answer = said.answer.replace(WITHIN, (whole) => (looked[index++] ? whole : GONE));
  const lost = looked.filter((place) => place === null).length;
  return { answer, citations: unique(citations), dropped: found.length - citations.length + lost };
}

/** Stands where the text named what is not there. */
const GONE = "[…]";

function unique(citations: readonly Citation[]): Citation[] {
  return citations.filter(
    ({ source }, index) => citations.findIndex((other) => other.source === source) === index,
  );
}

/** Where a citation leads; null when nothing is there. A model may put words behind it. */
async function placeOf(run: Run, cited: string): Promise<Place | null> {
  const source = cited.replaceAll("`", "").trim().replace(/^\.\//, "");
  const [first = ""] = source.split(/\s+(?:[—–-]\s|\()|[,;，；]\s*|\s+/);
  return (await lookUp(run, source)) ?? (first === source ? null : lookUp(run, first));
}

async function lookUp(run: Run, source: string): Promise<Place | null> {
  if (KNOWN.test(source)) return knownPlace(run, source);
  if (REQUIREMENT.test(source)) return documentPlace(run, source);
  const thread = THREAD.exec(source)?.[1];
  if (thread !== undefined) return threadPlace(run, Number(thread));
  const commit = COMMIT.exec(source)?.[1];
  return (
    (commit === undefined ? null : await commitPlace(run, commit.toLowerCase())) ?? filePlace(run, source)
  );
}

/** A note or rule, as the file says that it is one. */
function knownPlace(run: Run, id: string): Place | null {
  const defines = new RegExp(`^(?:#{1,3} ${id}(?![\\w-])|id: *"?${id}"?\\s*$)`, "m");
  const found = [...run.knowledge].find(
    ([path, text]) => path.startsWith("context/") && (path.includes(id) || defines.test(text)),
  );
  return found ? { source: id, url: urlOfKnown(run, found[0]) } : null;
}

function documentPlace(run: Run, requirement: string): Place | null {
  const path = [...run.knowledge.keys()].find(
    (name) => name.endsWith("/requirement.md") && name.includes(`/${requirement}-`),
  );
  return path === undefined ? null : { source: requirement, url: urlOfKnown(run, path) };
}

/** Knowledge may stand on another branch than the code; what is shared lies in another repository. */
function urlOfKnown({ doors, elsewhere, shared, board }: Run, path: string): string | null {
  if (!doors.port) return null;
  const [file = ""] = path.split("#", 1);
  if (shared.has(file)) return shared.get(file) || null;
  return linksOf(doors.port).file(elsewhere.get(path) ?? board.base, path);
}

async function threadPlace({ doors }: Run, number: number): Promise<Place | null> {
  if (!doors.port) return null;
  try {
    const { url } = await doors.port.issue(number);
    return { source: `#${number}`, url };
  } catch (error) {
    if (isAccrueError(error, "GITHUB_MISSING")) return null;
    throw error;
  }
}

/** Only a commit of the history that was read. */
async function commitPlace({ workspace, doors }: Run, id: string): Promise<Place | null> {
  const { mirror } = workspace;
  const sha = await mirror.resolve(id);
  if (!sha?.startsWith(id) || (await mirror.ahead(await workspace.head(), sha)) > 0) return null;
  return { source: sha.slice(0, SHORT_ID), url: doors.port?.web(`commit/${sha}`) ?? null };
}

async function filePlace(run: Run, source: string): Promise<Place | null> {
  const { path = "", line, to, symbol } = FILE.exec(source)?.groups ?? {};
  if (path === "") return null;
  const bytes = await readOrNothing(run.workspace.files, path);
  const text = bytes?.toString("utf8") ?? run.knowledge.get(path);
  if (text === undefined) return null;
  const lines = text.replace(/\n$/, "").split("\n");
  const at = symbol === undefined ? Number(line ?? 0) : lineOf(lines, symbol);
  const isThere = at === 0 ? line === undefined && symbol === undefined : at <= lines.length;
  if (!isThere || Number(to ?? 0) > lines.length) return null;
  const anchor = at === 0 ? "" : `#L${at}`;
  if (bytes === null) return { source, url: urlOfKnown(run, path + anchor) };
  const { port } = run.doors;
  return { source, url: port ? linksOf(port).file(await run.workspace.head(), path + anchor) : null };
}

/** The first line that names a symbol, from 1; 0 where none does. */
function lineOf(lines: readonly string[], symbol: string): number {
  const name = symbol.split(/[.~]/).at(-1) ?? symbol;
  const word = new RegExp(
    `(?<![\\p{L}\\p{N}_$])${name.replaceAll("$", String.raw`\$`)}(?![\\p{L}\\p{N}_$])`,
    "u",
  );
  return lines.findIndex((text) => word.test(text)) + 1;
}
