/** A file's text, and why it may not be right; null when it is. */
export interface DecodedText {
  text: string;
  doubt: string | null;
}

/** So many of the first bytes tell UTF-16 without a mark. */
const SAMPLE_BYTES = 1000;

/** Reads text in whatever encoding it is. Contract: never throws; UTF-8 and UTF-16 are read right, others as well as can be. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const wide = wideEncoding(bytes);
  if (wide) return certain(new TextDecoder(wide).decode(bytes));
  try {
    return certain(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    const encoding = legacyEncoding(bytes);
    return { text: new TextDecoder(encoding).decode(bytes), doubt: `not UTF-8, read as ${encoding}` };
  }
}

function certain(text: string): DecodedText {
  return { text, doubt: text.includes("\0") ? "has NUL characters" : null };
}

function wideEncoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const nuls = [0, 0];
  const length = Math.min(bytes.length, SAMPLE_BYTES);
  for (let at = 0; at < length; at++) if (bytes[at] === 0) nuls[at & 1] = (nuls[at & 1] ?? 0) + 1;
  const [even = 0, odd = 0] = nuls;
  if (Math.max(even, odd) * 4 < length || length < 4) return null;
  return odd > even ? "utf-16le" : "utf-16be";
}

/** Chinese characters take two bytes each in GB 18030, so that their runs have even lengths; accented letters stand alone. */
function legacyEncoding(bytes: Uint8Array): "gb18030" | "windows-1252" {
  let even = 0;
  let odd = 0;
  for (let at = 0; at < bytes.length; at++) {
    let end = at;
    while ((bytes[end] ?? 0) >= 0x80) end++;
    if (end === at) continue;
    if ((end - at) % 2 === 0) even++;
    else odd++;
    at = end;
  }
  return even > odd ? "gb18030" : "windows-1252";
}
