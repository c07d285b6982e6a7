// Measures the code map's costs: cold, one file, nothing changed, a new branch; beside a bare parse and universal-ctags.
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createCheckoutTree, createIndex, openMapDatabase } from "../dist/codemap/index.js";
import { extract } from "../dist/codemap/extract/extract.js";
import { createGrammars } from "../dist/codemap/extract/grammars.js";
import { languageOfFile } from "../dist/codemap/languages.js";
import { createGit } from "../dist/git/index.js";
import { judgeTargets } from "./support/judge-targets.mjs";

const OWN = fileURLToPath(new URL("..", import.meta.url));
const SIZES = [500, 5000];
const UPDATES = 60;
/** So many single files are brought up before it is measured: a server that runs has done so. */
const WARM_UPDATES = 100;
const signal = AbortSignal.timeout(20 * 60_000);

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const at = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
const round = (value) => Math.round(value * 100) / 100;

/** So many files of one repository are taken. */
const MAX_OF_ONE = 320;
/** So many of these are read again and again to compare extraction with a bare parse. */
const COMPARED = 40;
const ROUNDS = 2;
/** So many files are measured together, since asking for the CPU time costs some itself. */
const TOGETHER = 8;

/** The repositories below REPOS, with or without a work tree, else this one. */
function places() {
  const root = process.env.REPOS ?? "";
  if (root === "") return [OWN];
  return readdirSync(root)
    .flatMap((name) => [join(root, name), join(root, name, "repo")])
    .filter((place) => existsSync(join(place, ".git")) || existsSync(join(place, "HEAD")));
}

/** Source files of each repository, copied to a folder of its own. */
function sources(root) {
  return places().map((place, index) => {
    const git = (...args) => execFileSync("git", ["-C", place, ...args], { maxBuffer: 2 ** 30 });
    const all = git("ls-tree", "-r", "-z", "--name-only", "HEAD").toString().split("\0");
    const readable = all.filter((path) => languageOfFile(path));
    const step = Math.max(1, Math.ceil(readable.length / MAX_OF_ONE));
    const chosen = readable.filter((_, at) => at % step === 0);
    const folder = join(root, "sources", String(index));
    mkdirSync(folder, { recursive: true });
    if (chosen.length > 0)
      execFileSync("tar", ["-x", "-C", folder], { input: git("archive", "HEAD", "--", ...chosen) });
    const files = chosen.map((path) => join(folder, path)).filter((path) => existsSync(path));
    return {
      name: place
        .replace(/\/repo$/, "")
        .split("/")
        .at(-1),
      files,
    };
  });
}

/** Files of all repositories, in an order that mixes them. */
function mixedOf(repositories) {
  const mixed = [];
  for (let row = 0; repositories.some(({ files }) => row < files.length); row++)
    for (const { files } of repositories) if (files[row]) mixed.push(files[row]);
  return mixed;
}

/** What a bare parse and an extraction take, in turns, in milliseconds. */
async function extractionTimes(grammars, files) {
  const texts = [];
  for (const path of files.slice(0, COMPARED)) {
    const text = readFileSync(path, "utf8");
    const language = languageOfFile(path, text);
    texts.push([text, language, await grammars.load(language)]);
  }
  const spent = { parse: 0, extract: 0 };
  for (let round = 0; round <= ROUNDS; round++)
    for (let first = 0; first < texts.length; first += TOGETHER) {
      const part = texts.slice(first, first + TOGETHER);
      const start = cpuMs();
      for (const [text, , { parser }] of part) parser.parse(text)?.delete();
      const parsed = cpuMs();
      for (const [text, language, grammar] of part) extract(text, language, grammar, () => performance.now());
      // The first round warms up.
      if (round === 0) continue;
      spent.parse += parsed - start;
      spent.extract += cpuMs() - parsed;
    }
  return spent;
}

/** A repository of so many files; contents that come again get a line of their own. */
function build(folder, files, size) {
  for (let index = 0; index < size; index++) {
    const source = files[index % files.length];
    const round_ = Math.floor(index / files.length);
    const path = join(folder, `part-${round_}-${index % 50}`, `${index}-${source.split("/").at(-1)}`);
    mkdirSync(dirname(path), { recursive: true });
    cpSync(source, path, { dereference: true });
    if (round_ > 0) appendFileSync(path, "\n".repeat(round_));
  }
  const git = (...args) => execFileSync("git", ["-C", folder, ...args], { stdio: "ignore" });
  git("init", "-q");
  git("add", "-A", "-f");
  git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x");
  // Git reads again what was written in the second of its index; a checkout in use is older.
  spawnSync("sleep", ["1.1"]);
  execFileSync("find", [
    folder,
    "-name",
    ".git",
    "-prune",
    "-o",
    "-type",
    "f",
    "-exec",
    "touch",
    "-d",
    "2020-01-01",
    "{}",
    "+",
  ]);
  git("update-index", "-q", "--refresh");
}

function openAt(root, folder, database) {
  const db = openMapDatabase(join(root, database), () => {});
  const git = createGit({ home: join(root, "home"), path: process.env.PATH });
  return createIndex({ db, tree: createCheckoutTree(git, folder), now: () => Date.now() });
}

/** Loads each grammar in the index's thread, so that a measurement holds none of it. */
async function warm(root, folder, files) {
  const first = new Map(files.map((path) => [languageOfFile(path).name, path]));
  mkdirSync(folder);
  execFileSync("git", ["-C", folder, "init", "-q"]);
  for (const path of first.values()) cpSync(path, join(folder, path.split("/").at(-1)));
  return openAt(root, folder, "warm.db");
}

/** What the parser alone costs on the same files. */
async function bareParse(index, folder) {
  const grammars = createGrammars();
  const texts = [];
  for (const { path, language } of index.files()) {
    const { parser } = await grammars.load(languageOfFile(language === "cpp" ? "a.cpp" : path));
    texts.push([parser, readFileSync(join(folder, path), "utf8")]);
  }
  const started = cpuMs();
  for (const [parser, text] of texts) parser.parse(text)?.delete();
  return cpuMs() - started;
}

/** What ctags costs on the same files; null where it is not installed. */
function ctags(index, folder) {
  const ran = spawnSync("bash", ["-c", "time ctags -f /dev/null -L - 2>/dev/null"], {
    cwd: folder,
    input: index
      .files()
      .map(({ path }) => path)
      .join("\n"),
    encoding: "utf8",
  });
  const times = [...ran.stderr.matchAll(/^(?:user|sys)\s+(\d+)m([\d.]+)s/gm)];
  const ms = times.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
    0,
  );
  return ran.status === 0 ? ms : null;
}

async function measureSize(root, files, size) {
  const folder = join(root, `tree-${size}`);
  build(folder, files, size);
  const loadStart = cpuMs();
  const warmed = await warm(root, join(root, `warm-${size}`), files.slice(0, size));
  await warmed.refresh({}, signal);
  const loadMs = cpuMs() - loadStart;
  await warmed.close();
  const index = await openAt(root, folder, `${size}.db`);
  const coldStart = cpuMs();
  const cold = await index.refresh({}, signal);
  const coldMs = cpuMs() - coldStart;
  const again = await index.refresh({}, signal);
  const paths = index.files().map(({ path }) => path);
  const updates = [];
  for (let turn = 0; turn < UPDATES + WARM_UPDATES; turn++) {
    const path = paths[(turn * 7919) % paths.length];
    appendFileSync(join(folder, path), "\n");
    const started = cpuMs();
    await index.refresh({ paths: [path] }, signal);
    if (turn >= WARM_UPDATES) updates.push(cpuMs() - started);
  }
  const fresh = await openAt(root, folder, `${size}.db`);
  const reopened = await fresh.refresh({}, signal);
  const branch = await newBranch(root, folder, `${size}.db`, paths);
  const numbers = {
    files: cold.files,
    grammarsMs: round(loadMs),
    coldMs: round(coldMs),
    bareParseMs: round(await bareParse(index, folder)),
    ctagsMs: ctags(index, folder),
    oneMedianMs: round(at(updates, 0.5)),
    oneP95Ms: round(at(updates, 0.95)),
    unchanged: { read: again.read, ms: round(again.ms) },
    branch,
    reopened: { read: reopened.read, dirty: UPDATES + WARM_UPDATES, ms: round(reopened.ms) },
  };
  await Promise.all([index.close(), fresh.close()]);
  return numbers;
}

/** Another branch of the same repository, in which ten files differ: only these are to be parsed. */
async function newBranch(root, folder, database, paths) {
  const git = (...args) => execFileSync("git", ["-C", folder, ...args], { stdio: "ignore" });
  git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qam", "y");
  const map = await openAt(root, folder, database);
  await map.refresh({}, signal);
  await map.close();
  git("checkout", "-qb", "other");
  for (const path of paths.slice(0, 10)) appendFileSync(join(folder, path), "\n\n");
  git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qam", "z");
  const index = await openAt(root, folder, database);
  const found = await index.refresh({}, signal);
  await index.close();
  return { changed: 10, parsed: found.files - found.reused, read: found.read, ms: round(found.ms) };
}

/** Runs all, or the sizes that are named, and says which targets are reached. */
export async function measure(args = []) {
  const sizes = args.length > 0 ? args.map(Number) : SIZES;
  const root = mkdtempSync(join(tmpdir(), "accrue-codemap-"));
  try {
    const repositories = sources(root);
    const files = mixedOf(repositories);
    const grammars = createGrammars();
    const ratios = {};
    const all = { parse: 0, extract: 0 };
    for (const { name, files: own } of repositories) {
      if (own.length === 0) continue;
      const { parse, extract: whole } = await extractionTimes(grammars, own);
      ratios[name] = round(whole / parse);
      all.parse += parse;
      all.extract += whole;
    }
    const numbers = { ratios, together: round(all.extract / all.parse) };
    for (const size of sizes) numbers[size] = await measureSize(root, files, size);
    const [small, large] = [numbers[sizes[0]], numbers[sizes.at(-1)]];
    const targets = [
      ["extraction ÷ bare parse, all repositories together", numbers.together, 1.5],
      // The loading of grammars is part of a first refresh; what it costs is measured apart and taken off.
      ["500 files cold, without loading grammars, CPU ms", small.coldMs - small.grammarsMs, 1500],
      ["one of 500 files, median CPU ms", small.oneMedianMs, 3],
      ["one of 500 files, p95 CPU ms", small.oneP95Ms, 15],
      ["one of 5,000 files, median CPU ms", large.oneMedianMs, 3],
      ["one of 5,000 files, p95 CPU ms", large.oneP95Ms, 15],
      ["median at 5,000 ÷ at 500", large.oneMedianMs / small.oneMedianMs, 1.3],
      ["a new branch at 5,000, ten files changed: files parsed", large.branch.parsed, 10],
      ["nothing changed at 5,000: files read", large.unchanged.read, 0],
      ["nothing changed at 5,000: ms", large.unchanged.ms, 100],
    ];
    const each = Object.entries(ratios).map(
      ([name, ratio]) => `     ${name}: extraction ÷ bare parse ${ratio}`,
    );
    const judged = judgeTargets(targets, numbers);
    return { ...judged, lines: [...each, ...judged.lines] };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
