import { AccrueError } from "../shared/index.js";
import type { Repository } from "./repository.js";

/** Knowledge is text that people read; what is larger than this is something else. */
const FILE_LIMIT_BYTES = 1024 * 1024;
/** All files of one call together. */
const TOTAL_LIMIT_BYTES = 64 * 1024 * 1024;
const REGULAR = /^100(644|755) blob$/;

/** Reads the text files of a commit below some prefixes; leaves out what is binary, too large, or no regular file. */
export async function readTextFiles(
  repository: Repository,
  commit: string,
  { prefixes, ending }: { prefixes: readonly string[]; ending: string },
): Promise<Map<string, string>> {
  const wanted = (await listBlobs(repository, commit, prefixes)).filter(
    ({ path, size }) => size <= FILE_LIMIT_BYTES && path.endsWith(ending),
  );
  const total = wanted.reduce((sum, blob) => sum + blob.size, 0);
  if (total > TOTAL_LIMIT_BYTES) {
    const message = `The text files below ${prefixes.join(", ")} have ${total} bytes, more than ${TOTAL_LIMIT_BYTES}: name narrower folders.`;
    throw new AccrueError("INPUT_INVALID", message);
  }
  const contents = await repository.blobs([...new Set(wanted.map((blob) => blob.id))]);
  const files = new Map<string, string>();
  for (const { path, id } of wanted) {
    const text = decodeText(contents.get(id));
    if (text !== null) files.set(path, text);
  }
  return files;
}

async function listBlobs(
  repository: Repository,
  commit: string,
  prefixes: readonly string[],
): Promise<{ path: string; id: string; size: number }[]> {
  const folders = prefixes.map((prefix) => prefix.slice(0, prefix.lastIndexOf("/") + 1));
  const narrow = folders.includes("") ? [] : ["--", ...new Set(folders)];
  const listing = await repository.git(["ls-tree", "-r", "-z", "--long", commit, ...narrow]);
  const blobs = listing
    .split("\0")
    .filter(Boolean)
    .map((entry) => {
      const tab = entry.indexOf("\t");
      const [mode = "", type = "", id = "", size = ""] = entry.slice(0, tab).split(/ +/);
      return { path: entry.slice(tab + 1), id, size: Number(size), kind: `${mode} ${type}` };
    });
  return blobs.filter(
    (blob) => REGULAR.test(blob.kind) && prefixes.some((prefix) => blob.path.startsWith(prefix)),
  );
}

function decodeText(content: Buffer | undefined): string | null {
  if (content === undefined || content.includes(0)) return null;
  const text = content.toString("utf8");
  // Not UTF-8: decoding and encoding again would not give the same bytes.
  return Buffer.from(text, "utf8").equals(content) ? text : null;
}
