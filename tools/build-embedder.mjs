// Builds data/embedder, the bilingual table of word vectors, from npm packages alone:
//   npm run build && node tools/build-embedder.mjs [--packages FOLDER] [--out FOLDER]
// The same versions give the same bytes. A folder of packages is kept for the next time; without one a temporary folder is used.
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { stem, wordsOf } from "../dist/memory/words.js";
import { probabilities, stemTable, weighRows } from "./embedder/english.mjs";
import { BILINGUAL, ENGLISH } from "./embedder/inputs.mjs";
import { correctEnglish, learnChinese } from "./embedder/learn.mjs";
import { licenceText } from "./embedder/licence.mjs";
import { bringPackages } from "./embedder/packages.mjs";
import { keptRows, writeTable } from "./embedder/write-table.mjs";

/** Raised by hand when the recipe changes, or words.ts does, so that stores embed anew. */
const HEAD = { name: "accrue-bilingual", version: 1, thresholds: { same: 0.7, related: 0.55 } };

const { values } = parseArgs({ options: { packages: { type: "string" }, out: { type: "string" } } });
const out = resolve(values.out ?? fileURLToPath(new URL("../data/embedder", import.meta.url)));
const root = values.packages ? resolve(values.packages) : mkdtempSync(join(tmpdir(), "embedder-"));
const say = (line) => process.stdout.write(`${line}\n`);

function englishTable(folder, counts) {
  const file = JSON.parse(readFileSync(join(folder(ENGLISH.name), `${ENGLISH.name}.json`), "utf8"));
  const table = stemTable(file, stem);
  weighRows(table, probabilities(table, counts));
  return { ...table, index: new Map(table.words.map((word, row) => [word, row])) };
}

async function pairsOf(folder) {
  const seen = new Map();
  for (const source of BILINGUAL) {
    const parts = await source.read(folder);
    for (const [english, chinese] of parts) seen.set(`${english}\n${chinese}`, { english, chinese });
    say(`${source.name} ${source.version}: ${parts.length} pairs`);
  }
  return [...seen.values()].map(({ english, chinese }) => ({
    english: wordsOf(english),
    chinese: wordsOf(chinese),
  }));
}

mkdirSync(root, { recursive: true });
try {
  const folder = bringPackages([ENGLISH, ...BILINGUAL], root);
  const pairs = await pairsOf(folder);
  const counts = new Map();
  for (const { english } of pairs) for (const word of english) counts.set(word, (counts.get(word) ?? 0) + 1);
  const general = englishTable(folder, counts);
  say(`${pairs.length} pairs, ${general.words.length} English stems: learning`);
  const chinese = learnChinese(pairs, general);
  const both = joined(general, chinese);
  const english = correctEnglish(pairs, general, both);
  const { words, width } = writeTable(out, HEAD, keptRows(english, chinese, counts));
  writeFileSync(join(out, "LICENSE.md"), licenceText([ENGLISH, ...BILINGUAL]));
  say(`${out}: ${words} words of ${width} numbers`);
} finally {
  if (!values.packages) rmSync(root, { recursive: true, force: true });
}

/** One table of both languages, since Chinese texts have English words in them. */
function joined(english, chinese) {
  const rows = new Float32Array(english.rows.length + chinese.rows.length);
  rows.set(english.rows);
  rows.set(chinese.rows, english.rows.length);
  const words = [...english.words, ...chinese.words];
  return { width: english.width, words, rows, index: new Map(words.map((word, row) => [word, row])) };
}
