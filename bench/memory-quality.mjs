// How well memory finds and how safely it calls things the same, for several ways to build it:
// EVAL=memory.json npm run bench -- memory-quality. Without EVAL, the small set beside this file.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  blend,
  closeness,
  coverageOf,
  createHashEmbedder,
  createStaticEmbedder,
  differenceOf,
  indexTerms,
  queryTerms,
  weighTerms,
} from "../dist/memory/index.js";

const signal = AbortSignal.timeout(10 * 60_000);
const OWN = fileURLToPath(new URL("./support/memory-set.json", import.meta.url));
const DRAWS = 2000;
const shown = (value) => value.toFixed(3);

/** Vectors of all texts of a set, by embedder. */
async function vectorsOf(embedder, { memories, queries, dedup }) {
  const terms = (memory) => [memory.text, ...(memory.symbols ?? []), ...(memory.tags ?? [])].join(" ");
  const [found, asked, said, plain] = await Promise.all(
    [
      memories.map(terms),
      queries.map((query) => query.text),
      dedup.map((pair) => pair.text),
      memories.map((memory) => memory.text),
    ].map((texts) => embedder.embed(texts, signal)),
  );
  return { found, asked, said, plain };
}

/** What each query covers of each memory, with and without near words. */
function coverages({ memories, queries }, vectorOf) {
  const texts = memories.map(
    (memory) =>
      new Set(
        indexTerms(
          [memory.text, ...(memory.symbols ?? []), ...(memory.files ?? []), ...(memory.tags ?? [])].join(" "),
        ),
      ),
  );
  const counts = new Map();
  for (const text of texts) for (const term of text) counts.set(term, (counts.get(term) ?? 0) + 1);
  const known = { texts: texts.length, withTerm: (term) => counts.get(term) ?? 0 };
  return queries.map((query) => {
    const question = weighTerms(queryTerms(query.text), known, { vectorOf });
    return texts.map((text) => coverageOf(question, text).share);
  });
}

/** Recall@5 and reciprocal rank of each query under a score. */
function ranked({ memories, queries }, score) {
  return queries.map((query, at) => {
    const order = memories
      .map((memory, row) => ({ id: memory.id, score: score(at, row) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 10)
      .map(({ id }) => id);
    const first = order.findIndex((id) => query.relevant.includes(id)) + 1;
    const hits = query.relevant.filter((id) => order.slice(0, 5).includes(id)).length;
    return {
      kind: `${query.kind} ${query.lang}`,
      recall: hits / Math.min(5, query.relevant.length),
      rank: first ? 1 / first : 0,
    };
  });
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);

/** The middle 95 % of the difference of two means, by drawing queries again and again from a fixed start. */
function spread(ours, theirs) {
  const gaps = ours.map((value, at) => value - theirs[at]);
  let state = 1;
  const draws = Array.from({ length: DRAWS }, () => {
    let sum = 0;
    for (let turn = 0; turn < gaps.length; turn++) {
      state = (state * 16807) % 2147483647;
      sum += gaps[state % gaps.length];
    }
    return sum / gaps.length;
  }).sort((a, b) => a - b);
  return [draws[DRAWS * 0.025], draws[DRAWS * 0.975 - 1]].map(shown).join(" to ");
}

/** Who of the pairs would be called the same as a memory, at a similarity, with or without the guard. */
function merged({ memories, dedup }, { said, plain }, same, isGuarded) {
  const count = { hit: 0, wrong: 0, duplicates: 0, contradictions: 0, across: 0 };
  dedup.forEach((pair, at) => {
    const isMerged = memories.some(
      (memory, row) =>
        closeness(said[at], plain[row]) >= same &&
        (!isGuarded || differenceOf(pair.text, memory.text) === null),
    );
    if (pair.label === "dup") count.duplicates++;
    if (!isMerged) return;
    if (pair.label === "dup") count.hit++;
    else if (pair.label === "dup-cross") count.across++;
    else count.wrong++;
    if (pair.label === "conflict") count.contradictions++;
  });
  return {
    ...count,
    precision: count.hit / (count.hit + count.wrong || 1),
    recall: count.hit / count.duplicates,
  };
}

/** The ways to rank that were weighed against each other, the shipped one last. */
function variants(set, embedders) {
  const { bilingual, hash } = embedders;
  const exact = coverages(set, () => null);
  const near = coverages(set, bilingual.embedder.word);
  const cosine = (vectors, at, row) => Math.max(0, closeness(vectors.asked[at], vectors.found[row]));
  return [
    ["coverage", (at, row) => exact[at][row]],
    ["cosine", (at, row) => cosine(bilingual.vectors, at, row)],
    ["linear .5, hash", (at, row) => 0.5 * exact[at][row] + 0.5 * cosine(hash.vectors, at, row)],
    ["linear .5", (at, row) => 0.5 * exact[at][row] + 0.5 * cosine(bilingual.vectors, at, row)],
    [
      "linear .5, with .2 hash",
      (at, row) =>
        0.5 * exact[at][row] + 0.4 * cosine(bilingual.vectors, at, row) + 0.1 * cosine(hash.vectors, at, row),
    ],
    ["near words alone", (at, row) => near[at][row]],
    ["near words, shipped", (at, row) => blend(near[at][row], cosine(bilingual.vectors, at, row))],
  ];
}

function rankingLines(results) {
  const kinds = [...new Set(results[0].rows.map(({ kind }) => kind))].sort((a, b) => (a < b ? -1 : 1));
  return results.map(({ name, rows }) => {
    const part = (kind) => {
      const own = rows.filter((row) => kind === null || row.kind === kind);
      return `${shown(mean(own.map(({ recall }) => recall)))}/${shown(mean(own.map(({ rank }) => rank)))}`;
    };
    return `${name.padEnd(26)} all ${part(null)}  ${kinds.map((kind) => `${kind} ${part(kind)}`).join("  ")}`;
  });
}

/** Measures all variants on the set. */
export async function measure() {
  const path = process.env.EVAL ?? OWN;
  if (!existsSync(path)) throw new Error(`There is no set at ${path}: set EVAL to one.`);
  const set = JSON.parse(readFileSync(path, "utf8"));
  const embedders = {};
  for (const [name, embedder] of [
    ["bilingual", createStaticEmbedder()],
    ["hash", createHashEmbedder()],
  ])
    embedders[name] = { embedder, vectors: await vectorsOf(embedder, set) };
  const results = variants(set, embedders).map(([name, score]) => ({ name, rows: ranked(set, score) }));
  const shipped = results.at(-1).rows;
  const lines = [
    "recall@5 / MRR",
    ...rankingLines(results),
    "shipped minus another, recall@5, 95 % of draws:",
  ];
  for (const { name, rows } of results.slice(0, -1))
    lines.push(
      `  ${name.padEnd(24)} ${spread(
        shipped.map((row) => row.recall),
        rows.map((row) => row.recall),
      )}`,
    );
  for (const [name, { embedder, vectors }] of Object.entries(embedders))
    for (const isGuarded of [false, true])
      for (const same of [
        embedder.thresholds.same - 0.1,
        embedder.thresholds.same,
        embedder.thresholds.same + 0.1,
      ]) {
        const found = merged(set, vectors, same, isGuarded);
        lines.push(
          `dedup ${name} ${same.toFixed(2)} ${isGuarded ? "guarded" : "bare   "} precision ${shown(found.precision)} recall ${shown(found.recall)} contradictions ${found.contradictions} across languages ${found.across}`,
        );
      }
  const { bilingual } = embedders;
  const dedup = merged(set, bilingual.vectors, bilingual.embedder.thresholds.same, true);
  const [recall, rank] = [mean(shipped.map((row) => row.recall)), mean(shipped.map((row) => row.rank))];
  const chinese = mean(shipped.filter((row) => row.kind === "paraphrase zh").map((row) => row.recall));
  const isMet =
    recall >= 0.85 &&
    rank >= 0.75 &&
    chinese >= 0.8 &&
    dedup.precision >= 0.93 &&
    dedup.recall >= 0.7 &&
    dedup.contradictions === 0;
  return { numbers: { queries: set.queries.length, recall, rank, chinese, dedup }, lines, isMet };
}
