// Builds data/embedder/bridge.txt, the English words that Chinese ones stand for, from the table of vectors that lies beside it:
//   npm run build && node tools/build-bridge.mjs
// One line a Chinese word of two characters: `缓存 cach:91`, the stems nearest to it with their cosine in hundredths.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createStaticEmbedder } from "../dist/memory/index.js";

/** Below this the nearest word is a neighbour and no translation. */
const LEAST = 0.6;
/** Others have to be nearly as close as the best one. */
const LEAST_SHARE = 0.85;
const MOST = 3;

const folder = fileURLToPath(new URL("../data/embedder/", import.meta.url));
const words = readFileSync(`${folder}words.txt`, "utf8").trimEnd().split("\n");
const { word: vectorOf, width } = createStaticEmbedder(folder);
const english = words.filter((word) => /^[a-z]{2,}$/.test(word));
const rows = new Float32Array(english.length * width);
english.forEach((word, row) => rows.set(vectorOf(word), row * width));

function nearest(word) {
  const vector = vectorOf(word);
  const found = [];
  for (let row = 0; row < english.length; row++) {
    let cosine = 0;
    for (let at = 0; at < width; at++) cosine += vector[at] * rows[row * width + at];
    if (cosine >= LEAST) found.push({ word: english[row], cosine });
  }
  found.sort((a, b) => b.cosine - a.cosine);
  return found.filter(({ cosine }) => cosine >= LEAST_SHARE * found[0].cosine).slice(0, MOST);
}

const chinese = words.filter((word) => /^\p{Script=Han}{2}$/u.test(word));
const lines = chinese.flatMap((word) => {
  const found = nearest(word).map((near) => `${near.word}:${Math.round(near.cosine * 100)}`);
  return found.length === 0 ? [] : [[word, ...found].join(" ")];
});
writeFileSync(`${folder}bridge.txt`, `${lines.join("\n")}\n`);
process.stdout.write(`${folder}bridge.txt: ${lines.length} of ${chinese.length} Chinese words\n`);
