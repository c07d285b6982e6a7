// How right bound names are, against TypeScript's checker. REPOS names a folder with clones of the repositories below.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBinder } from "../dist/codemap/bind/index.js";
import { checkedUses } from "./support/checked-uses.mjs";
import { memoryIndex } from "./support/memory-index.mjs";

const REPOSITORIES = [
  {
    name: "vuejs/core",
    files: /^packages\/[^/]+\/src\/.*(?<!\.d)\.tsx?$/,
    mapping: {
      "@vue/compat": ["./packages/vue-compat/src"],
      "@vue/*": ["./packages/*/src"],
      vue: ["./packages/vue/src"],
    },
    wanted: { all: [0.96, 0.9], files: [0.97, 0.97] },
  },
  {
    name: "optave/codegraph",
    files: /^src\/.*(?<!\.d)\.tsx?$/,
    wanted: { all: [0.96, 0.9], files: [0.97, 0.97] },
  },
  { name: "eslint/eslint", files: /^lib\/.*\.js$/, wanted: { "direct calls": [0.9, 0.83] } },
  { name: "fastify/fastify", files: /^(?:lib\/.*|fastify)\.js$/, wanted: { "direct calls": [0.9, 0.83] } },
];
const KINDS = ["all", "direct calls", "member calls", "types", "imports", "plain uses"];
const LEVELS = { certain: ["certain"], likely: ["certain", "likely"], guess: ["certain", "likely", "guess"] };

/** Measures the repositories that are there, or those that are named. */
export async function measure(names) {
  const numbers = {};
  const lines = [];
  let isMet = true;
  for (const repository of REPOSITORIES) {
    const place = placeOf(repository.name);
    if (!place || (names.length > 0 && !names.includes(repository.name))) continue;
    const found = await measureOne(repository, place);
    numbers[repository.name] = found;
    isMet &&= Object.entries(repository.wanted).every(
      ([kind, [p, r]]) => found[kind].likely.p >= p && found[kind].likely.r >= r,
    );
    lines.push(
      `\n## ${repository.name}: ${found.uses} uses that lead to a definition of its own`,
      ...tableOf(found),
    );
  }
  if (lines.length === 0)
    return {
      numbers,
      lines: ["Say where clones are: REPOS=<folder> npm run bench -- references"],
      isMet: false,
    };
  return { numbers, lines, isMet };
}

function placeOf(name) {
  const folder = process.env.REPOS ?? "";
  const [owner, repository] = name.split("/");
  return [`${owner}+${repository}`, `${owner}+${repository}/repo`, name, repository]
    .map((each) => join(folder, each))
    .find(
      (each) =>
        folder !== "" &&
        existsSync(each) &&
        (existsSync(join(each, ".git")) || existsSync(join(each, "HEAD"))),
    );
}

async function measureOne({ files, mapping }, place) {
  const folder = mkdtempSync(join(tmpdir(), "references-"));
  try {
    execFileSync("git", ["clone", "-q", "--shared", place, folder]);
    const tracked = execFileSync("git", ["-C", folder, "ls-files", "-z"], { encoding: "utf8" })
      .split("\0")
      .filter(Boolean)
      .sort();
    const paths = tracked.filter((path) => files.test(path) && statSync(join(folder, path)).isFile());
    const read = (path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : null);
    const index = await memoryIndex(new Map(paths.map((path) => [path, read(path)])), tracked, read);
    const gold = checkedUses(folder, paths, mapping);
    return score(gold, predict(index));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the binder says of every use: `path:line:column` → its kind, and the places of its targets. */
function predict(index) {
  const binder = createBinder(index);
  const found = new Map();
  for (const { path } of index.files()) {
    const { references } = index.facts(path);
    for (const [at, { line, column, kind, receiver, name }] of references.entries()) {
      const targets = binder.targets(path, at).map(({ path: to, symbol, confidence }) => {
        const { line: toLine, column: toColumn, name: called } = index.facts(to).symbols[symbol];
        return { place: `${to}:${toLine}:${toColumn}`, name: called, confidence };
      });
      found.set(`${path}:${line}:${column}`, { kind, receiver, name, targets });
    }
  }
  return found;
}

function kindsOf(use, said) {
  if (use?.isImport) return ["all", "imports"];
  if (!said) return ["all", "plain uses"];
  const { kind, receiver } = said;
  if (kind === "call" || kind === "new") return ["all", receiver === null ? "direct calls" : "member calls"];
  if (kind === "type" || kind === "inherit" || kind === "implement") return ["all", "types"];
  return ["all", kind === "import" ? "imports" : "plain uses"];
}

function score(gold, predicted) {
  const counts = {};
  for (const kind of [...KINDS, "files"])
    counts[kind] = Object.fromEntries(
      Object.keys(LEVELS).map((level) => [level, { right: 0, said: 0, hit: 0, wanted: 0 }]),
    );
  const pairs = { gold: new Set(), certain: new Set(), likely: new Set(), guess: new Set() };
  let uses = 0;
  for (const place of new Set([...gold.keys(), ...predicted.keys()])) {
    const use = gold.get(place);
    const said = predicted.get(place);
    const from = fileOf(place);
    if (use?.gold.size) uses++;
    for (const to of use?.gold ?? []) if (fileOf(to) !== from) pairs.gold.add(`${from}\0${fileOf(to)}`);
    for (const [level, confidences] of Object.entries(LEVELS)) {
      const targets = (said?.targets ?? []).filter(({ confidence }) => confidences.includes(confidence));
      for (const { place: to } of targets)
        if (fileOf(to) !== from) pairs[level].add(`${from}\0${fileOf(to)}`);
      const right = targets.filter(({ place: to }) => use?.places.has(to));
      for (const kind of kindsOf(use, said)) {
        const count = counts[kind][level];
        count.said += targets.length;
        count.right += right.length;
        count.wanted += use?.gold.size ? 1 : 0;
        count.hit += use?.gold.size && right.length > 0 ? 1 : 0;
      }
    }
  }
  const rates = Object.fromEntries(
    Object.entries(counts).map(([kind, levels]) => [
      kind,
      Object.fromEntries(Object.entries(levels).map(([level, count]) => [level, rate(count)])),
    ]),
  );
  for (const level of Object.keys(LEVELS)) {
    const right = [...pairs[level]].filter((pair) => pairs.gold.has(pair)).length;
    rates.files[level] = rate({ right, said: pairs[level].size, hit: right, wanted: pairs.gold.size });
  }
  return { uses, ...rates };
}

function rate({ right, said, hit, wanted }) {
  const round = (value) => Math.round(value * 1000) / 1000;
  return { p: round(right / said || 0), r: round(hit / wanted || 0), said, wanted };
}

function fileOf(place) {
  return place.split(":")[0];
}

function tableOf(found) {
  const row = (cells) => cells.map((cell, at) => (at === 0 ? cell.padEnd(13) : cell.padStart(16))).join("");
  return [
    row(["P / R", "certain", "+ likely", "+ guess", "uses"]),
    ...[...KINDS, "files"].map((kind) =>
      row([
        kind,
        ...Object.keys(LEVELS).map((level) => `${found[kind][level].p} / ${found[kind][level].r}`),
        String(found[kind].guess.wanted),
      ]),
    ),
  ];
}
