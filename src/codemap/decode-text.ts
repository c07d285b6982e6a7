/** A file's text, and what had to be guessed to read it. */
export interface DecodedText {
  text: string;
  /** Null when the bytes are plain UTF-8 or say themselves what they are. */
  problem: string | null;
}

const PROBE = 8_000;

/** Reads bytes as text; null when they are none. */
export function decodeText(bytes: Uint8Array): DecodedText | null {
  const wide = wideEncoding(bytes);
  if (wide !== null) return { text: decodeAs(bytes, wide), problem: null };
  const nuls = bytes.subarray(0, PROBE).filter((byte) => byte === 0).length;
  if (nuls > PROBE / 100) return null;
  const nulProblem = nuls > 0 ? "holds NUL characters" : null;
  try {
    return { text: withoutBom(new TextDecoder("utf-8", { fatal: true }).decode(bytes)), problem: nulProblem };
  } catch {
    // Any bytes are Latin-1: names and structure are right, only letters beyond ASCII may be wrong.
    return { text: decodeAs(bytes, "latin1"), problem: "not UTF-8: read as Latin-1" };
  }
}

/** By its mark, or by the zero in every second byte that ASCII text has in UTF-16. */
function wideEncoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const probe = bytes.subarray(0, PROBE);
  const half = Math.floor(probe.length / 2);
  if (half < 8) return null;
  const zeros = (offset: number) => probe.filter((byte, at) => byte === 0 && at % 2 === offset).length / half;
  if (zeros(1) > 0.7 && zeros(0) < 0.1) return "utf-16le";
  return zeros(0) > 0.7 && zeros(1) < 0.1 ? "utf-16be" : null;
}

function decodeAs(bytes: Uint8Array, encoding: string): string {
  return withoutBom(new TextDecoder(encoding).decode(bytes));
}

function withoutBom(text: string): string {
  return text.replace(/^\ufeff/, "");
}
