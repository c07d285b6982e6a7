// Whether Chinese tasks find code that is written in English: `REPOS=FOLDER npm run bench -- chinese` (after a build). The folder
// holds clones of public repositories, as owner+name, owner+name/repo or owner/name. The tasks say in Chinese what real commits
// did; what counts is which of the changed source files are in the pack of 8,000 tokens, with the bridge to English and without.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCheckoutTree } from "../dist/codemap/index.js";
import { openCode } from "../dist/context/index.js";
import { createGit, listHistory } from "../dist/git/index.js";
import { createWordBridge } from "../dist/memory/index.js";

const MOST_MS = 5;
const TOKENS = 8000;
const NO_PRODUCT =
  /(?:^|\/)(?:tests?|testing|__tests__|spec|docs?|changelog)\/|[._-](?:test|spec)\.|test_|Test\.\w+$|\.(?:md|rst|txt|toml|json|ya?ml|lock|ini|d\.ts)$|^AUTHORS$/;
const tasks = JSON.parse(readFileSync(new URL("support/chinese-tasks.json", import.meta.url), "utf8"));
const git = (folder, ...args) =>
  execFileSync("git", ["-C", folder, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1 << 28,
  });

function cloneOf(repo, root) {
  const plus = repo.replace("/", "+");
  const places = [join(plus, "repo"), plus, repo].map((path) => join(process.env.REPOS ?? "", path));
  const source = process.env.REPOS ? places.find(existsSync) : undefined;
  if (source === undefined) return null;
  const folder = join(root, plus);
  if (!existsSync(folder)) git(".", "clone", "-q", "--shared", "--no-checkout", source, folder);
  return folder;
}

function changedBy(folder, commit) {
  const lines = git(folder, "diff-tree", "-r", "--name-status", "--no-commit-id", commit).trim().split("\n");
  return lines
    .map((line) => line.split("\t"))
    .filter(([status, path]) => status === "M" && !NO_PRODUCT.test(path))
    .map(([, path]) => path);
}

async function packOf({ folder, task, bridge, root }) {
  const signal = new AbortController().signal;
  const code = await openCode(
    { now: () => Date.now(), warn: () => {}, bridge },
    {
      tree: createCheckoutTree(createGit({ home: join(root, "home"), path: process.env.PATH }), folder),
      history: (limit) =>
        listHistory(
          createGit({ home: join(root, "home"), path: process.env.PATH }),
          { revision: "HEAD", limit },
          { folder, signal },
        ),
      database: `${folder}.db`,
    },
  );
  try {
    await code.map.refresh(signal);
    const pack = await code.context.pack(task, { maxTokens: TOKENS });
    const again = await code.context.pack(task, { maxTokens: TOKENS });
    return { pack, isSame: pack.hash === again.hash };
  } finally {
    await code.close();
  }
}

/** Packs each task twice with the bridge and twice without. */
export async function measure() {
  const root = mkdtempSync(join(tmpdir(), "accrue-chinese-"));
  const bridges = { without: () => [], with: createWordBridge() };
  const rows = [];
  let areSame = true;
  try {
    for (const { repo, commit, task } of tasks) {
      const folder = cloneOf(repo, root);
      if (folder === null) continue;
      const gold = changedBy(folder, commit);
      git(folder, "checkout", "-q", "--force", "--detach", `${commit}^`);
      const row = { repo, commit };
      for (const [name, bridge] of Object.entries(bridges)) {
        const { pack, isSame } = await packOf({ folder, task, bridge, root });
        areSame &&= isSame;
        const order = [...new Set(pack.items.filter(({ tier }) => tier === "code").map(({ path }) => path))];
        const rank = order.findIndex((path) => gold.includes(path)) + 1;
        const found = gold.filter((path) => order.includes(path)).length;
        row[name] = { recall: found / gold.length, mrr: rank === 0 ? 0 : 1 / rank };
      }
      rows.push(row);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return {
    ...verdict(rows, areSame),
    ...(rows.length === 0 && { lines: ["not run: REPOS names no clones"] }),
  };
}

function verdict(rows, areSame) {
  const mean = (name, key) => rows.reduce((sum, row) => sum + row[name][key], 0) / (rows.length || 1);
  const of = (name) => ({ recall: mean(name, "recall"), mrr: mean(name, "mrr") });
  const [without, bridged] = [of("without"), of("with")];
  const bridge = createWordBridge();
  const times = tasks.map(({ task }) => {
    const start = performance.now();
    bridge(task);
    return performance.now() - start;
  });
  const [readMs, ...taskMs] = times;
  const slowestMs = Math.max(...taskMs);
  const isBetter = rows.length === 0 || (bridged.recall > without.recall && bridged.mrr > without.mrr);
  const said = ({ recall, mrr }) => `recall@8k ${recall.toFixed(3)}, MRR ${mrr.toFixed(3)}`;
  const medianMs = taskMs.toSorted((a, b) => a - b)[taskMs.length >> 1];
  const isCheap = medianMs <= MOST_MS;
  return {
    numbers: { tasks: rows.length, without, with: bridged, areSame, readMs, medianMs, slowestMs },
    lines: [
      `     ${rows.length} Chinese tasks without the bridge: ${said(without)}`,
      `${isBetter ? "ok  " : "MISS"} with it: ${said(bridged)}`,
      `${areSame ? "ok  " : "MISS"} a second pack has the same bytes`,
      `${isCheap ? "ok  " : "MISS"} reading the table ${readMs.toFixed(0)} ms, then a task ${medianMs.toFixed(1)} ms (median), at most ${slowestMs.toFixed(1)} ms`,
    ],
    isMet: isBetter && areSame && isCheap,
  };
}
