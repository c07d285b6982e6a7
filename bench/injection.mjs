// How often a task is shown what nobody asked for: 1,000 notes, 100 tasks, of which 40 have no note that concerns them.
// The notes are what people's words become without a model; half of the tasks were never looked at while numbers were chosen.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  depositsOf,
  fold,
  formatDeposit,
  knowledgeForPhase,
  openTreeMemory,
  readMemories,
  recallSurely,
  sureOf,
} from "../dist/knowledge/index.js";
import { MemoryOptions } from "../dist/memory/index.js";
import { distractors } from "./support/distractors.mjs";
import { judgeTargets } from "./support/judge-targets.mjs";

const NOTES = 1000;
const MOST_FALSE = 0.1;
const LEAST_FOUND = 0.75;
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const AT = "2026-11-01T00:00:00Z";
const signal = AbortSignal.timeout(10 * 60_000);
const read = (file) => JSON.parse(readFileSync(new URL(`./support/${file}`, import.meta.url), "utf8"));

function code(number, width) {
  let text = "";
  for (let rest = number; text.length < width; rest = Math.floor(rest / 32)) text = DIGITS[rest % 32] + text;
  return text;
}

/** A folded tree of notes, and the ids of the notes of each memory. */
function library() {
  const { memories } = read("memory-set.json");
  const said = [...memories, ...distractors(NOTES - memories.length).map((text) => ({ text }))];
  const tree = new Map();
  const notes = new Map();
  said.forEach(({ id, text, symbols = [], files = [] }, index) => {
    const run = `01K${code(index + 1, 23)}`;
    const input = {
      text,
      by: "ann",
      source: "https://github.example/shop/issues/1",
      run,
      at: AT,
      language: /\p{Script=Han}/u.test(text) ? "zh" : "en",
      path: files.find((file) => file.includes(".")) ?? null,
      symbols,
      requirement: null,
      newId: () => run,
      newNoteId: () => `EXP-${code(index + 1, 8)}`,
      newRuleId: () => `R-${code(index + 1, 6)}`,
    };
    const { deposits } = depositsOf(input, { tree: new Map(), lessons: null, injected: [] });
    for (const deposit of deposits)
      tree.set(`context/deposits/${deposit.id}.md`, formatDeposit({ ...deposit, into: undefined }));
    if (id)
      notes.set(id, deposits.map(({ note, rules }) => [note.id, ...rules.map((rule) => rule.id)]).flat());
  });
  const { writes } = fold(tree, { completed: [], now: AT, language: "en" });
  for (const [path, text] of writes) {
    if (text === null) tree.delete(path);
    else tree.set(path, text);
  }
  return { tree, notes };
}

/** Ids of all rules, notes and memories that a phase of a task is shown. */
async function shownTo({ tree, memory }, { text }, phase) {
  const query = { text, paths: [], labels: [], symbols: [] };
  const found = await recallSurely(memory, tree, query, signal);
  const chosen = knowledgeForPhase(tree, phase, { ...query, ...sureOf(found) });
  const items = [...chosen.rules, ...chosen.memories].map(({ id }) => id);
  return [...items, ...found.slice(0, 5).map(({ memory: { id } }) => id)].filter((id) =>
    /^(EXP|R)-/.test(id),
  );
}

/** See docs/benchmarks.md. */
export async function measure() {
  const { tree, notes } = library();
  const folder = mkdtempSync(join(tmpdir(), "injection-"));
  const machine = { env: {}, fetch, now: () => Date.now(), warn: () => {} };
  const place = { file: join(folder, "memory.db"), options: MemoryOptions.parse({}) };
  const memory = await openTreeMemory(machine, place, signal);
  const { queries } = read("injection-set.json");
  const numbers = { notes: readMemories(tree).memories.length };
  try {
    for (const phase of ["requirement", "implement"]) {
      for (const half of ["tuned", "kept", "all"]) {
        const counts = { found: 0, with: 0, false: 0, without: 0, shown: 0 };
        for (const query of queries) {
          if (half !== "all" && query.half !== half) continue;
          const shown = await shownTo({ tree, memory }, query, phase);
          const wanted = query.relevant.flatMap((id) => notes.get(id) ?? []);
          counts.shown += new Set(shown).size;
          if (wanted.length > 0) {
            counts.with += 1;
            counts.found += shown.some((id) => wanted.includes(id)) ? 1 : 0;
          } else {
            counts.without += 1;
            counts.false += shown.length > 0 ? 1 : 0;
          }
        }
        numbers[`${phase} ${half}`] = counts;
      }
    }
  } finally {
    memory.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const targets = ["requirement", "implement"].flatMap((phase) => {
    const all = numbers[`${phase} all`];
    return [
      [`tasks with a note that get it, ${phase}`, all.found / all.with, LEAST_FOUND, "least"],
      [`tasks without one that get any, ${phase}`, all.false / all.without, MOST_FALSE],
    ];
  });
  const rows = Object.entries(numbers).filter(([name]) => name.includes(" "));
  const lines = rows.map(
    ([name, { found, with: having, false: wrong, without, shown }]) =>
      `${name.padEnd(20)} ${found} of ${having} get theirs, ${wrong} of ${without} get something without need, ${shown} items shown`,
  );
  const judged = judgeTargets(targets, numbers);
  return { ...judged, lines: [...lines, ...judged.lines] };
}
