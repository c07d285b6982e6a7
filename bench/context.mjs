// How long a pack takes, in process and warm: `npm run bench -- context [FILES]` (after a build). The tree is this
// repository's own code, again and again in folders of their own, until there are so many files.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { extract } from "../dist/codemap/extract/extract.js";
import { createGrammars } from "../dist/codemap/extract/grammars.js";
import { languageOfFile } from "../dist/codemap/languages.js";
import { createContext } from "../dist/context/index.js";
import { openDatabase } from "../dist/db/index.js";

const ROUNDS = 20;
const MOST_MS = 80;
const git = (...args) => execFileSync("git", args, { encoding: "utf8", maxBuffer: 1 << 28 });
/** Packs the messages of this repository's commits, one after the other. */
export async function measure([size = "5000"]) {
  const count = Number(size);
  const grammars = createGrammars();
  const originals = [];
  for (const path of git("ls-files", "src", "web").split("\n")) {
    const language = languageOfFile(path);
    if (!language) continue;
    const bytes = readFileSync(path);
    const facts = extract(bytes.toString("utf8"), language, await grammars.load(language), () => 0);
    originals.push({ path, bytes, facts, language: language.name });
  }
  const files = [];
  const copies = new Map();
  for (let copy = 0; files.length < count; copy++) {
    for (const original of originals.slice(0, count - files.length)) {
      const path = copy === 0 ? original.path : `part${copy}/${original.path}`;
      copies.set(path, original);
      files.push({ path, blob: path, language: original.language, isTest: false, partial: null });
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const byPath = new Map(files.map((file) => [file.path, file]));
  const log = git("log", "-n1000", "--format=%x01%B%x02", "--name-only").split("\u0001").slice(1);
  const commits = log.map((entry) => {
    const [message = "", paths = ""] = entry.split("\u0002");
    return { message: message.trim(), files: paths.split("\n").filter(Boolean) };
  });
  const context = createContext({
    db: openDatabase(":memory:"),
    index: {
      files: () => files,
      file: (path) => byPath.get(path) ?? null,
      facts: (path) => copies.get(path)?.facts ?? null,
    },
    read: async (path) => copies.get(path)?.bytes ?? null,
    history: async () => commits,
  });
  const timed = async (task) => {
    const start = performance.now();
    await context.pack(task);
    return performance.now() - start;
  };
  const first = await timed("warm up the index");
  const second = await timed("build the tables of words");
  const times = [];
  for (let round = 0; round < ROUNDS; round++)
    times.push(await timed(commits[round % commits.length].message));
  times.sort((a, b) => a - b);
  const median = times[ROUNDS >> 1];
  const isMet = median <= MOST_MS;
  const lines = [
    `     ${files.length} files: first ${first.toFixed(0)} ms, second ${second.toFixed(0)} ms`,
    `${isMet ? "ok  " : "MISS"} warm: median ${median.toFixed(0)} ms (≤ ${MOST_MS}), slowest ${times.at(-1).toFixed(0)} ms`,
  ];
  return { numbers: { files: files.length, first, second, median, slowest: times.at(-1) }, lines, isMet };
}
