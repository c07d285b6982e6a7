/** Enough of the beginning to see what ran, and most of the end, where the verdict stands. */
const HEAD_LIMIT_BYTES = 256 * 1024;
const TAIL_LIMIT_BYTES = 768 * 1024;

/** Collects a command's output in bounded memory: the head and the tail stay, what is between is counted. */
export interface CappedOutput {
  add(chunk: Buffer): void;
  text(): string;
}

/** An empty collector. */
export function createCappedOutput(): CappedOutput {
  const head: Buffer[] = [];
  let headBytes = 0;
  let tail: Buffer[] = [];
  let tailBytes = 0;
  let dropped = 0;
  // Joined only at twice the limit, so that a stream of single bytes stays cheap.
  const trim = () => {
    const all = Buffer.concat(tail);
    const kept = all.subarray(Math.max(0, all.length - TAIL_LIMIT_BYTES));
    dropped += all.length - kept.length;
    tail = [Buffer.from(kept)];
    tailBytes = kept.length;
  };
  return {
    add: (chunk) => {
      const room = Math.max(0, HEAD_LIMIT_BYTES - headBytes);
      if (room > 0) {
        head.push(chunk.subarray(0, room));
        headBytes += Math.min(room, chunk.length);
      }
      if (chunk.length <= room) return;
      tail.push(chunk.subarray(room));
      tailBytes += chunk.length - room;
      if (tailBytes > 2 * TAIL_LIMIT_BYTES) trim();
    },
    text: () => {
      if (tailBytes > TAIL_LIMIT_BYTES) trim();
      if (dropped === 0) return Buffer.concat([...head, ...tail]).toString("utf8");
      // A cut inside a character leaves replacement marks at the edge.
      const first = Buffer.concat(head)
        .toString("utf8")
        .replace(/\ufffd+$/u, "");
      const last = Buffer.concat(tail)
        .toString("utf8")
        .replace(/^\ufffd+/u, "");
      return `${first}\n… ${dropped} bytes left out …\n${last}`;
    },
  };
}
