import type { components } from "@octokit/openapi-types";
import { openRepository } from "../access.js";
import { findCommit, readBlob, readTree, type TreeEntry } from "../git-read.js";
import type { Hub } from "../hub.js";
import { notFound, Refusal } from "../refusal.js";
import { textOf, type Answer, type Call, type Route } from "../router.js";
import { nameOf } from "../lookup.js";
import type { ForgeState, Repository } from "../state.js";

type Schemas = components["schemas"];

/** Larger files come as raw bytes only. */
const MAX_INLINE_BYTES = 1024 * 1024;

interface Spot {
  repository: Repository;
  /** As asked: a branch, a tag or a SHA. */
  ref: string;
}

/** Files and folders at a ref. */
export function contentRoutes(hub: Hub): Route[] {
  const template = "/repos/{owner}/{repo}/contents";
  return [
    { method: "GET", template, serve: (call) => contents(hub, call) },
    { method: "GET", template: `${template}/{+path}`, serve: (call) => contents(hub, call) },
  ];
}

async function contents(hub: Hub, call: Call): Promise<Answer> {
  const { state, git } = hub;
  const repository = openRepository(state, call, { permission: "contents", level: "read" });
  const ref = call.url.searchParams.get("ref") ?? repository.defaultBranch;
  const path = textOf(call, "path").replace(/^\/+|\/+$/g, "");
  const commit = await findCommit(git, repository.path, ref);
  if (commit === null) {
    const isDefault = ref === repository.defaultBranch;
    throw new Refusal(404, isDefault ? "This repository is empty." : `No commit found for the ref ${ref}`);
  }
  const spot = { repository, ref };
  if (path === "") return folder(hub, spot, commit, "");
  const entry = await findEntry(hub, spot, commit, path);
  if (!entry) throw notFound();
  if (entry.type === "tree") return folder(hub, spot, commit, path);
  return file(hub, call, spot, entry);
}

async function findEntry(hub: Hub, spot: Spot, commit: string, path: string): Promise<TreeEntry | null> {
  const parent = path.split("/").slice(0, -1).join("/");
  const entries = await readTree(hub.git, spot.repository.path, `${commit}:${parent}`, false);
  const name = path.split("/").at(-1);
  const entry = entries?.find((one) => one.path === name);
  return entry ? { ...entry, path } : null;
}

async function folder(hub: Hub, spot: Spot, commit: string, path: string): Promise<Answer> {
  const entries = await readTree(hub.git, spot.repository.path, `${commit}:${path}`, false);
  if (!entries) throw notFound();
  const prefix = path === "" ? "" : `${path}/`;
  const body = entries.map((entry) => entryJson(hub.state, spot, { ...entry, path: prefix + entry.path }));
  return { status: 200, body };
}

async function file(hub: Hub, call: Call, spot: Spot, entry: TreeEntry): Promise<Answer> {
  const bytes = await readBlob(hub.git, spot.repository.path, entry.sha);
  if (/\braw\b/.test(call.accept))
    return { status: 200, raw: { type: "application/vnd.github.raw; charset=utf-8", bytes } };
  const isInline = bytes.length <= MAX_INLINE_BYTES;
  return {
    status: 200,
    body: {
      ...entryJson(hub.state, spot, entry),
      type: "file" as const,
      encoding: isInline ? "base64" : "none",
      content: isInline ? bytes.toString("base64").replace(/.{60}/g, "$&\n") : "",
    } satisfies Schemas["content-file"],
  };
}

function entryJson(state: ForgeState, { repository, ref }: Spot, entry: TreeEntry) {
  const kinds = { tree: "dir", commit: "submodule", blob: "file" } as const;
  const root = `${state.api}/repos/${nameOf(repository)}`;
  const path = entry.path.split("/").map(encodeURIComponent).join("/");
  const self = `${root}/contents/${path}?ref=${encodeURIComponent(ref)}`;
  const gitUrl = `${root}/git/${entry.type === "tree" ? "trees" : "blobs"}/${entry.sha}`;
  const page = `${state.web}/${nameOf(repository)}/${entry.type === "tree" ? "tree" : "blob"}/${ref}/${path}`;
  const raw = entry.type === "blob" ? `${state.web}/raw/${nameOf(repository)}/${ref}/${path}` : null;
  return {
    type: kinds[entry.type],
    size: entry.size ?? 0,
    name: entry.path.split("/").at(-1) ?? "",
    path: entry.path,
    sha: entry.sha,
    url: self,
    git_url: gitUrl,
    html_url: page,
    download_url: raw,
    _links: { self, git: gitUrl, html: page },
  } satisfies Schemas["content-directory"][number];
}
