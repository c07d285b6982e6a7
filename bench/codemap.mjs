// Measures the code map's costs: cold, one file, nothing changed, a new branch; beside a bare parse and universal-ctags.
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createCheckoutTree, createIndex, openMapDatabase } from "../dist/codemap/index.js";
import { createGrammars } from "../dist/codemap/extract/grammars.js";
import { languageOfFile } from "../dist/codemap/languages.js";
import { createGit } from "../dist/git/index.js";

const OWN = fileURLToPath(new URL("..", import.meta.url));
const SIZES = [500, 5000];
const UPDATES = 60;
const signal = AbortSignal.timeout(20 * 60_000);

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const at = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
const round = (value) => Math.round(value * 100) / 100;

/** Source files of the clones in REPOS, in an order that mixes them; else those of this repository. */
function pool() {
  const root = process.env.REPOS ?? "";
  const clones = root ? readdirSync(root).map((name) => join(root, name)) : [OWN];
  const lists = clones.map((folder) => {
    const listed = spawnSync("git", ["-C", folder, "ls-files", "-z"], {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    const files = listed.status === 0 ? listed.stdout.split("\0") : [];
    return files.filter((path) => languageOfFile(path)).map((path) => join(folder, path));
  });
  const mixed = [];
  for (let row = 0; lists.some((list) => row < list.length); row++)
    for (const list of lists) if (list[row]) mixed.push(list[row]);
  return mixed;
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
  for (let turn = 0; turn < UPDATES + 10; turn++) {
    const path = paths[(turn * 7919) % paths.length];
    appendFileSync(join(folder, path), "\n");
    const started = cpuMs();
    await index.refresh({ paths: [path] }, signal);
    if (turn >= 10) updates.push(cpuMs() - started);
  }
  const fresh = await openAt(root, folder, `${size}.db`);
  const reopened = await fresh.refresh({}, signal);
  const numbers = {
    files: cold.files,
    grammarsMs: round(loadMs),
    coldMs: round(coldMs),
    bareParseMs: round(await bareParse(index, folder)),
    ctagsMs: ctags(index, folder),
    oneMedianMs: round(at(updates, 0.5)),
    oneP95Ms: round(at(updates, 0.95)),
    unchanged: { read: again.read, ms: round(again.ms) },
    reopened: { read: reopened.read, dirty: UPDATES + 10, ms: round(reopened.ms) },
  };
  await Promise.all([index.close(), fresh.close()]);
  return numbers;
}

/** Runs all, or the sizes that are named, and says which targets are reached. */
export async function measure(args = []) {
  const sizes = args.length > 0 ? args.map(Number) : SIZES;
  const root = mkdtempSync(join(tmpdir(), "accrue-codemap-"));
  try {
    const files = pool();
    const numbers = {};
    for (const size of sizes) numbers[size] = await measureSize(root, files, size);
    const [small, large] = [numbers[sizes[0]], numbers[sizes.at(-1)]];
    const targets = [
      // The loading of grammars is part of a first refresh; what it costs is measured apart and taken off.
      ["500 files cold, without loading grammars, CPU ms", small.coldMs - small.grammarsMs, 1500],
      ["one of 500 files, median CPU ms", small.oneMedianMs, 3],
      ["one of 500 files, p95 CPU ms", small.oneP95Ms, 15],
      ["one of 5,000 files, median CPU ms", large.oneMedianMs, 3],
      ["one of 5,000 files, p95 CPU ms", large.oneP95Ms, 15],
      ["median at 5,000 ÷ at 500", large.oneMedianMs / small.oneMedianMs, 1.3],
      ["nothing changed at 5,000: files read", large.unchanged.read, 0],
      ["nothing changed at 5,000: ms", large.unchanged.ms, 100],
    ];
    const lines = targets.map(
      ([name, got, limit]) => `${got <= limit ? "ok  " : "MISS"} ${name}: ${round(got)} (≤ ${limit})`,
    );
    lines.push(JSON.stringify(numbers));
    return { numbers, lines, isMet: targets.every(([, got, limit]) => got <= limit) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
