// English word vectors, one a stem, prepared so that a plain sum over a text tells texts apart.

/** Words rarer than this rank in general English are left out before the domain is asked. */
const LAST_RANK = 200_000;
/** Smooth inverse frequency (Arora et al. 2017): the weight of a word of probability p is A / (A + p). */
const A = 1e-3;
const COMMON_DIRECTIONS = 2;
/** How much of a word's probability is general English; the rest is how often our texts say it. */
const GENERAL_SHARE = 0.5;

const isWord = (word) => /^[a-z][a-z0-9]{0,24}$/.test(word);

/** Averages the vectors of a stem's words, the frequent ones more. */
export function stemTable(file, stem) {
  const { vectors, dimensions: width } = file;
  const stems = new Map();
  for (const [word, row] of Object.entries(vectors)) {
    const rank = row[width + 1];
    if (!isWord(word) || rank > LAST_RANK) continue;
    const key = stem(word);
    const weight = 1 / (rank + 10);
    const entry = stems.get(key) ?? { sum: new Float64Array(width), weight: 0, rank };
    const length = row[width] || 1;
    for (let at = 0; at < width; at++) entry.sum[at] += (weight * row[at]) / length;
    entry.weight += weight;
    entry.rank = Math.min(entry.rank, rank);
    stems.set(key, entry);
  }
  const sorted = [...stems].sort(([, a], [, b]) => a.rank - b.rank);
  const rows = new Float32Array(sorted.length * width);
  sorted.forEach(([, { sum }], row) => {
    const length = Math.hypot(...sum) || 1;
    for (let at = 0; at < width; at++) rows[row * width + at] = sum[at] / length;
  });
  return { width, words: sorted.map(([key]) => key), ranks: sorted.map(([, { rank }]) => rank), rows };
}

/** How probable each word of the table is: by Zipf's law from its rank, and by how often the given texts say it. */
export function probabilities({ words, ranks }, counts) {
  const harmonic = Math.log(4e5);
  let said = 0;
  for (const count of counts.values()) said += count;
  return words.map((word, row) => {
    const general = 1 / harmonic / (ranks[row] + 1);
    const ours = said > 0 ? (counts.get(word) ?? 0) / said : general;
    return GENERAL_SHARE * general + (1 - GENERAL_SHARE) * ours;
  });
}

function subtractDirection(rows, width, direction) {
  for (let start = 0; start < rows.length; start += width) {
    let dot = 0;
    for (let at = 0; at < width; at++) dot += rows[start + at] * direction[at];
    for (let at = 0; at < width; at++) rows[start + at] -= dot * direction[at];
  }
}

/** The direction in which weighted rows vary most, by power iteration from a fixed start. */
function mainDirection(rows, width, weights) {
  let direction = Float64Array.from({ length: width }, (_, at) => Math.cos(at + 1));
  for (let turn = 0; turn < 60; turn++) {
    const next = new Float64Array(width);
    for (let row = 0; row < weights.length; row++) {
      let dot = 0;
      for (let at = 0; at < width; at++) dot += rows[row * width + at] * direction[at];
      for (let at = 0; at < width; at++) next[at] += weights[row] * dot * rows[row * width + at];
    }
    const length = Math.hypot(...next);
    direction = next.map((value) => value / length);
  }
  return direction;
}

/** Takes out what all words share, then weighs each word by how rare it is. Changes the rows in place. */
export function weighRows(table, chances) {
  const { rows, width } = table;
  const weights = chances.map((chance) => A / (A + chance));
  const shares = chances.map((chance, row) => chance * weights[row]);
  const total = shares.reduce((sum, share) => sum + share, 0);
  const mean = new Float64Array(width);
  for (let row = 0; row < weights.length; row++)
    for (let at = 0; at < width; at++) mean[at] += (shares[row] / total) * rows[row * width + at];
  for (let row = 0; row < weights.length; row++)
    for (let at = 0; at < width; at++) rows[row * width + at] -= mean[at];
  for (let turn = 0; turn < COMMON_DIRECTIONS; turn++)
    subtractDirection(rows, width, mainDirection(rows, width, shares));
  for (let row = 0; row < weights.length; row++)
    for (let at = 0; at < width; at++) rows[row * width + at] *= weights[row];
  return table;
}
