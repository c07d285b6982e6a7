// How long a pack takes, in process and warm: node bench/context.mjs [FILES] (after a build). Files are made, each of 12 functions.
import { createContext } from "../dist/context/index.js";
import { openDatabase } from "../dist/db/index.js";

const count = Number(process.argv[2] ?? 5000);
const ROUNDS = 15;
const WORDS =
  "cache token parse header stream socket retry queue worker index query filter route render layout".split(
    " ",
  );
const word = (n) => WORDS[n % WORDS.length];
const texts = new Map();
const facts = new Map();
for (let file = 0; file < count; file++) {
  const lines = [];
  const symbols = [];
  for (let part = 0; part < 12; part++) {
    const name = `${word(file + part)}_${word(file * 7 + part)}_${word(part * 3 + (file >> 4))}${file % 97}`;
    const from = lines.length + 1;
    lines.push(`function ${name}(${word(part)}) {`);
    for (let line = 0; line < 10; line++)
      lines.push(`  const ${word(line + file)}${line} = ${word(part + line)}.${word(file + line)}(${line});`);
    lines.push("}");
    symbols.push({ name, qualified: name, ordinal: 0, kind: "function", from, to: lines.length, parent: -1 });
  }
  const path = `src/${word(file)}/${word(file >> 3)}-${file}.js`;
  texts.set(path, Buffer.from(lines.join("\n")));
  facts.set(path, { symbols });
}
const files = [...texts.keys()]
  .sort((a, b) => (a < b ? -1 : 1))
  .map((path) => ({ path, blob: path, language: "javascript", isTest: false, partial: null }));
const byPath = new Map(files.map((file) => [file.path, file]));
const index = {
  files: () => files,
  file: (path) => byPath.get(path) ?? null,
  facts: (path) => facts.get(path) ?? null,
};
const context = createContext({
  db: openDatabase(":memory:"),
  index,
  read: async (path) => texts.get(path) ?? null,
  history: async () =>
    files
      .slice(0, 3000)
      .map(({ path }) => ({ message: `Fix ${path.replaceAll("/", " ")} retry`, files: [path] })),
});
const began = performance.now();
await context.pack("warm up");
console.log(`${count} files: cold ${(performance.now() - began).toFixed(0)} ms`);
const times = [];
for (let round = 0; round < ROUNDS; round++) {
  const task = `Retry the ${word(round)} when the ${word(round * 5)} header of a stream is empty\nThe worker loses its ${word(round + 2)} token.`;
  const start = performance.now();
  await context.pack(task);
  times.push(performance.now() - start);
}
times.sort((a, b) => a - b);
console.log(`warm: median ${times[ROUNDS >> 1].toFixed(0)} ms, slowest ${times.at(-1).toFixed(0)} ms`);
