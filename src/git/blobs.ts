/** Takes the answer of `git cat-file --batch` apart: a line `<id> <type> <size>`, then so many bytes and a line end. */
export function splitBlobs(answer: Buffer): Map<string, Buffer> {
  const blobs = new Map<string, Buffer>();
  let at = 0;
  while (at < answer.length) {
    const lineEnd = answer.indexOf(10, at);
    if (lineEnd < 0) break;
    const [id = "", type = "", size] = answer.toString("utf8", at, lineEnd).split(" ");
    at = lineEnd + 1;
    // `<id> missing` has no content.
    if (size === undefined) continue;
    const end = at + Number(size);
    if (type === "blob") blobs.set(id, answer.subarray(at, end));
    at = end + 1;
  }
  return blobs;
}
