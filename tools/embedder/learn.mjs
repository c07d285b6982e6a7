// Learns word vectors from text in two languages, such that both sides of a pair add up to the same vector.
import { meanLength, solve } from "./solve.mjs";

/** Chinese has no vectors of its own: many turns, little ridge. */
const CHINESE = { turns: 25, ridge: 0.3, leastTexts: 2 };
/** English has: only a correction is learnt, and words that general English does not know. */
const ENGLISH = { turns: 15, ridge: 1, leastTexts: 5 };

const isCjk = (word) =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word);

function countsOf(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The sum of the vectors of all words that a table knows. */
function sumOf(counts, table) {
  const sum = new Float64Array(table.width);
  for (const [word, count] of counts) {
    const row = table.index.get(word);
    if (row === undefined) continue;
    const weight = 1 + Math.log(count);
    for (let at = 0; at < table.width; at++) sum[at] += weight * table.rows[row * table.width + at];
  }
  return sum;
}

/** Words that stand in enough texts, with how rare they are: 1 for the rarest. */
function vocabularyOf(texts, isOurs, leastTexts) {
  const counts = new Map();
  for (const text of texts)
    for (const word of text.keys()) if (isOurs(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts]
    .filter(([, count]) => count >= leastTexts)
    .map(([word]) => word)
    .sort((a, b) => (a < b ? -1 : 1));
  const most = Math.log(texts.length + 1) + 1;
  return {
    words,
    index: new Map(words.map((word, row) => [word, row])),
    texts: words.map((word) => counts.get(word)),
    rarity: words.map((word) => (Math.log((texts.length + 1) / (counts.get(word) + 1)) + 1) / most),
  };
}

/** Solves for the vocabulary: each example is a text's words and the vector that they should add up to. */
function fit(examples, vocabulary, { turns, ridge }, width) {
  const columns = [],
    weights = [],
    starts = [0],
    targets = [];
  for (const { words, target } of examples) {
    const known = [...words].filter(([word]) => vocabulary.index.has(word));
    if (known.length === 0) continue;
    for (const [word, count] of known) {
      const column = vocabulary.index.get(word);
      columns.push(column);
      weights.push(((1 + Math.log(count)) * vocabulary.rarity[column]) / Math.sqrt(known.length));
    }
    starts.push(columns.length);
    for (const value of target) targets.push(value);
  }
  const system = {
    columns: Int32Array.from(columns),
    weights: Float32Array.from(weights),
    starts: Int32Array.from(starts),
    targets: Float32Array.from(targets),
  };
  const rows = solve(system, { size: vocabulary.words.length, width, turns, ridge });
  return rows.map((value, at) => value * vocabulary.rarity[Math.floor(at / width)]);
}

/** Chinese words, placed so that a Chinese text lands where its English translation stands. */
export function learnChinese(pairs, english) {
  const { width } = english;
  const texts = pairs.map(({ chinese }) => countsOf(chinese));
  const vocabulary = vocabularyOf(texts, isCjk, CHINESE.leastTexts);
  const examples = pairs.flatMap((pair, at) => {
    const target = sumOf(countsOf(pair.english), english);
    const length = Math.hypot(...target);
    if (length < 1e-6) return [];
    // What is English in the Chinese text speaks for itself.
    const said = sumOf(texts[at], english);
    return [{ words: texts[at], target: target.map((value, k) => (value - said[k]) / length) }];
  });
  const rows = fit(examples, vocabulary, CHINESE, width);
  const scale = meanLength(english.rows, width) / (meanLength(rows, width) + 1e-9);
  return { ...vocabulary, width, rows: rows.map((value) => value * scale) };
}

/** English words once more: moved to where their Chinese translations stand, and those that were unknown placed. */
export function correctEnglish(pairs, english, chinese) {
  const { width } = english;
  const sides = pairs.map((pair) => {
    const [left, right] = [countsOf(pair.english), countsOf(pair.chinese)];
    // A word that both sides have teaches nothing.
    for (const word of left.keys()) if (right.delete(word)) left.delete(word);
    return { left, right };
  });
  const vocabulary = vocabularyOf(
    sides.map(({ left }) => left),
    (word) => /^[a-z]/.test(word),
    ENGLISH.leastTexts,
  );
  let lengths = 0;
  const examples = sides.flatMap(({ left, right }) => {
    const [own, other] = [sumOf(left, english), sumOf(right, chinese)];
    const [length, otherLength] = [Math.hypot(...own), Math.hypot(...other)];
    if (otherLength < 1e-6 || length < 1e-6) return [];
    lengths += length / Math.sqrt(left.size);
    return [{ words: left, target: other.map((value, k) => value / otherLength - own[k] / length) }];
  });
  const moves = fit(examples, vocabulary, ENGLISH, width).map((value) => (value * lengths) / examples.length);
  return moved(english, vocabulary.words, moves);
}

/** Adds moves to the rows of a table; words that it lacks are put behind. */
function moved(table, words, moves) {
  const { width } = table;
  const added = words.filter((word) => !table.index.has(word));
  const all = [...table.words, ...added];
  const index = new Map(all.map((word, row) => [word, row]));
  const rows = new Float32Array(all.length * width);
  rows.set(table.rows);
  words.forEach((word, from) => {
    const to = index.get(word) * width;
    for (let at = 0; at < width; at++) rows[to + at] += moves[from * width + at];
  });
  return { ...table, words: all, index, rows };
}
