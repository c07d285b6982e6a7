/** The same bytes for the same seed: noise that a failing test can be run with again. */
export function seededBytes(length: number, seed: number): Buffer {
  let state = seed >>> 0;
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

const WORDS =
  "the quick brown fox isn't here (yet) and we'll see: what happens; if \"it\" comes, or not! {x} 12 < 3".split(
    " ",
  );

/** Text that people write, of about so many characters, with the brackets and quotes that it has. */
export function prose(length: number): string {
  let text = "";
  for (const byte of seededBytes(Math.ceil(length / 3), 7)) {
    if (text.length >= length) break;
    text += `${WORDS[byte % WORDS.length]}${byte < 20 ? ".\n" : " "}`;
  }
  return text;
}
