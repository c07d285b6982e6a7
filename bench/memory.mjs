// Measures the memory store: making its cache again from files, recall over many memories, and who compares vectors faster.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { formatMemory, readMemories } from "../dist/knowledge/index.js";
import {
  createMemoryStore,
  createStaticEmbedder,
  formatEvents,
  openMemoryDatabase,
} from "../dist/memory/index.js";
import { judgeTargets } from "./support/judge-targets.mjs";

const signal = AbortSignal.timeout(20 * 60_000);
const SIZES = [1000, 10_000];
const QUESTIONS = 200;
const EVENTS_EACH = 3;
const SETTLE_MS = 300;
const round = (value) => Math.round(value * 100) / 100;
const at = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Words that the embedder knows, as a project's notes would have them. */
const KNOWN = readFileSync(new URL("../data/embedder/words.txt", import.meta.url), "utf8").split("\n");
const WORDS = KNOWN.filter((word) => /^[a-z]{4,}$/.test(word)).slice(0, 4000);
const HAN = KNOWN.filter((word) => /^[\u4e00-\u9fff]{2}$/.test(word)).slice(0, 3000);

/** The same numbers each time. */
function sequence() {
  let state = 7;
  return (below) => (state = (state * 16807) % 2147483647) % below;
}

/** A word, the first ones more often. */
function draw(next, pool) {
  const share = next(100_000) / 100_000;
  return pool[Math.floor(share ** 3 * pool.length)];
}

/** So many notes of two languages and their events, as a tree of files. */
function files(size) {
  const next = sequence();
  const tree = new Map();
  const types = ["fact", "decision", "pattern", "event"];
  for (let index = 0; index < size; index++) {
    const isHan = index % 5 === 0;
    const pool = isHan ? HAN : WORDS;
    const said = Array.from({ length: 14 }, () => draw(next, pool)).join(isHan ? "，" : " ");
    const symbol = `${draw(next, WORDS)}${["Order", "Page", "Job", "Line"][next(4)]}${next(400)}`;
    const memory = {
      id: `EXP-${index}`,
      type: types[index % 4],
      title: said.slice(0, 40),
      text: `${said} in \`${symbol}\`, limit ${next(9000)}.`,
      created: `2026-0${1 + next(9)}-1${next(9)}`,
      source: "task",
      tags: [draw(next, pool)],
      files: [`src/${draw(next, WORDS)}/${draw(next, WORDS)}.ts`],
      symbols: [symbol],
      isPinned: false,
      isRetired: false,
      supersedes: [],
      conflictsWith: [],
    };
    const { path, text } = formatMemory(memory);
    tree.set(path, text);
  }
  for (let run = 0; run < (size * EVENTS_EACH) / 10; run++) {
    const events = Array.from({ length: 10 }, () => ({
      v: 1,
      memory: `EXP-${next(size)}`,
      run: `R${run}`,
      at: "2026-10-01T00:00:00.000Z",
      kind: "cited",
    }));
    tree.set(`context/events/2026-10/R${run}.jsonl`, formatEvents(events));
  }
  return tree;
}

function questions() {
  const next = sequence();
  return Array.from({ length: QUESTIONS }, (_, index) => {
    const pool = index % 5 === 0 ? HAN : WORDS;
    const words = Array.from({ length: 5 + next(4) }, () => draw(next, pool));
    return `how does the ${words.join(" ")} work`;
  });
}

async function openAt(file, embedder, extension) {
  const database = await openMemoryDatabase(file, () => {}, { extension });
  const now = () => Date.parse("2026-11-30T00:00:00Z");
  return { database, store: createMemoryStore({ database, embedder, now, warn: () => {} }) };
}

async function recallTimes(file, embedder, extension) {
  const loadStart = performance.now();
  const { database, store } = await openAt(file, embedder, extension);
  await store.recall({ text: "refund" }, signal);
  const firstMs = performance.now() - loadStart;
  const times = [];
  for (const text of questions()) {
    const started = cpuMs();
    await store.recall({ text }, signal);
    times.push(cpuMs() - started);
  }
  database.close();
  return { firstMs: round(firstMs), medianMs: round(at(times, 0.5)), p95Ms: round(at(times, 0.95)) };
}

async function measureSize(root, embedder, size) {
  const tree = files(size);
  const file = join(root, `${size}.db`);
  const { database, store } = await openAt(file, embedder, true);
  // What Node still compiles of making the files is no part of reading them.
  await setTimeout(SETTLE_MS);
  const parseStart = cpuMs();
  const read = readMemories(tree);
  const parseMs = cpuMs() - parseStart;
  const buildStart = cpuMs();
  await store.refresh(read, signal);
  const buildMs = cpuMs() - buildStart;
  const againStart = cpuMs();
  // Read anew, since the same object is known to be unchanged.
  await store.refresh({ ...read }, signal);
  const againMs = cpuMs() - againStart;
  database.close();
  return {
    memories: read.memories.length,
    parseMs: round(parseMs),
    buildMs: round(buildMs),
    rebuildMs: round(parseMs + buildMs),
    unchangedMs: round(againMs),
    sqliteVec: await recallTimes(file, embedder, true),
    javascript: await recallTimes(file, embedder, false),
  };
}

/** Runs all and says which targets are reached. Times are those of the processor, so that a busy machine does not change them. */
export async function measure() {
  const root = mkdtempSync(join(tmpdir(), "accrue-bench-memory-"));
  try {
    const loadStart = cpuMs();
    const embedder = createStaticEmbedder();
    await embedder.embed(["one text"], signal);
    const numbers = { embedderLoadMs: round(cpuMs() - loadStart) };
    for (const size of SIZES) numbers[size] = await measureSize(root, embedder, size);
    const large = numbers[10_000];
    const targets = [
      ["embedder loaded, ms", numbers.embedderLoadMs, 100],
      ["1,000 made again from files, ms", numbers[1000].rebuildMs, 500],
      ["10,000 made again from files, ms", large.rebuildMs, 3000],
      ["recall over 10,000, p95 ms", large.sqliteVec.p95Ms, 15],
      ["the same without sqlite-vec, p95 ms", large.javascript.p95Ms, 15],
    ];
    return judgeTargets(targets, numbers);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
