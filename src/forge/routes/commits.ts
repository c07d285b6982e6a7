import type { components } from "@octokit/openapi-types";
import { openRepository } from "../access.js";
import { diffFiles, diffText } from "../git-diff.js";
import { countCommits, findCommit, listCommits, mergeBase, readCommits, readRefs } from "../git-read.js";
import type { Hub } from "../hub.js";
import { changeJson, commitJson } from "../json/commit.js";
import { notFound, Refusal, unprocessable } from "../refusal.js";
import { paginate, textOf, type Answer, type Call, type Route } from "../router.js";
import { nameOf } from "../lookup.js";
import type { Repository } from "../state.js";

type Schemas = components["schemas"];

const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const REPOSITORY = "/repos/{owner}/{repo}";

/** Commits: lists, single ones, and the comparison of two. */
export function commitRoutes(hub: Hub): Route[] {
  return [
    { method: "GET", template: `${REPOSITORY}/commits`, serve: (call) => list(hub, call) },
    { method: "GET", template: `${REPOSITORY}/commits/{+ref}`, serve: (call) => single(hub, call) },
    { method: "GET", template: `${REPOSITORY}/compare/{+basehead}`, serve: (call) => compare(hub, call) },
  ];
}

function open(hub: Hub, call: Call): Repository {
  return openRepository(hub.state, call, { permission: "contents", level: "read" });
}

async function list(hub: Hub, call: Call): Promise<Answer> {
  const repository = open(hub, call);
  const query = call.url.searchParams;
  if ((await readRefs(hub.git, repository.path)).size === 0)
    throw new Refusal(409, "Git Repository is empty.");
  const start = await findCommit(hub.git, repository.path, query.get("sha") ?? repository.defaultBranch);
  if (start === null) throw notFound();
  const shas = await listCommits(hub.git, repository.path, {
    revisions: [start],
    path: query.get("path") ?? "",
  });
  const { items, headers } = paginate(call, shas);
  const records = await readCommits(hub.git, repository.path, items);
  return { status: 200, headers, body: records.map((one) => commitJson(hub.state, repository, one)) };
}

async function single(hub: Hub, call: Call): Promise<Answer> {
  const repository = open(hub, call);
  const ref = textOf(call, "ref");
  const sha = await findCommit(hub.git, repository.path, ref);
  if (sha === null) throw unprocessable(`No commit found for SHA: ${ref}`);
  const [record] = await readCommits(hub.git, repository.path, [sha]);
  if (!record) throw notFound();
  const from = record.parents[0] ?? EMPTY_TREE;
  if (/\bdiff\b/.test(call.accept)) return diffAnswer(await diffText(hub.git, repository.path, from, sha));
  const files = await diffFiles(hub.git, repository.path, from, sha);
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  return {
    status: 200,
    body: {
      ...commitJson(hub.state, repository, record),
      stats: { additions, deletions, total: additions + deletions },
      files: files.map((one) => changeJson(hub.state, repository, one, sha)),
    } satisfies Schemas["commit"],
  };
}

function diffAnswer(bytes: Buffer): Answer {
  return { status: 200, raw: { type: "application/vnd.github.diff; charset=utf-8", bytes } };
}

async function compare(hub: Hub, call: Call): Promise<Answer> {
  const repository = open(hub, call);
  const { git } = hub;
  const [baseName = "", headName = ""] = textOf(call, "basehead").split("...");
  const base = await findCommit(git, repository.path, withoutOwner(repository, baseName));
  const head = await findCommit(git, repository.path, withoutOwner(repository, headName));
  if (base === null || head === null) throw notFound();
  const from = await mergeBase(git, repository.path, base, head);
  if (from === null) throw new Refusal(404, `No common ancestor between ${baseName} and ${headName}.`);
  if (/\bdiff\b/.test(call.accept)) return diffAnswer(await diffText(git, repository.path, from, head));
  const shas = (await listCommits(git, repository.path, { revisions: [`${base}..${head}`] })).toReversed();
  const behind = await countCommits(git, repository.path, `${head}..${base}`);
  const { items, headers } = paginate(call, shas);
  const show = async (wanted: string[]) =>
    (await readCommits(git, repository.path, wanted)).map((one) => commitJson(hub.state, repository, one));
  const [baseCommit, fromCommit] = await show([base, from]);
  if (!baseCommit) throw notFound();
  const files = await diffFiles(git, repository.path, from, head);
  const page = `${hub.state.web}/${nameOf(repository)}/compare/${encodeURI(`${baseName}...${headName}`)}`;
  return {
    status: 200,
    headers,
    body: {
      url: `${hub.state.api}/repos/${nameOf(repository)}/compare/${encodeURI(`${baseName}...${headName}`)}`,
      html_url: page,
      permalink_url: page,
      diff_url: `${page}.diff`,
      patch_url: `${page}.patch`,
      base_commit: baseCommit,
      merge_base_commit: fromCommit ?? baseCommit,
      status: standing(shas.length, behind),
      ahead_by: shas.length,
      behind_by: behind,
      total_commits: shas.length,
      commits: await show(items),
      files: files.map((one) => changeJson(hub.state, repository, one, head)),
    } satisfies Schemas["commit-comparison"],
  };
}

function withoutOwner(repository: Repository, name: string): string {
  const own = `${repository.owner}:`;
  return name.startsWith(own) ? name.slice(own.length) : name;
}

function standing(ahead: number, behind: number): "ahead" | "behind" | "diverged" | "identical" {
  if (ahead > 0) return behind > 0 ? "diverged" : "ahead";
  return behind > 0 ? "behind" : "identical";
}
