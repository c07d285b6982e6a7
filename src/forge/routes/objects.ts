import type { components } from "@octokit/openapi-types";
import { z } from "zod";
import { actorOf, openRepository } from "../access.js";
import { findObject, readBlob, readCommits, readTree, type TreeEntry } from "../git-read.js";
import { writeBlob, writeCommit, writeTree } from "../git-write.js";
import type { Hub } from "../hub.js";
import { gitCommitJson } from "../json/commit.js";
import { signatureOf } from "../merging.js";
import { invalid, notFound, unprocessable } from "../refusal.js";
import { bodyOf, textOf, type Answer, type Call, type Route } from "../router.js";
import { nameOf, nodeId } from "../lookup.js";
import type { ForgeState, Repository } from "../state.js";

type Schemas = components["schemas"];

const NewBlob = z.object({ content: z.string(), encoding: z.enum(["utf-8", "base64"]).default("utf-8") });

const NewTree = z.object({
  tree: z.array(
    z.object({
      path: z.string().min(1),
      mode: z.enum(["100644", "100755", "040000", "160000", "120000"]),
      type: z.enum(["blob", "tree", "commit"]).optional(),
      sha: z.string().nullish(),
      content: z.string().optional(),
    }),
  ),
  base_tree: z.string().optional(),
});

const Person = z.object({
  name: z.string(),
  email: z.string(),
  date: z.iso.datetime({ offset: true }).optional(),
});

const NewCommit = z.object({
  message: z.string(),
  tree: z.string(),
  parents: z.array(z.string()).default([]),
  author: Person.optional(),
  committer: Person.optional(),
});

const GIT = "/repos/{owner}/{repo}/git";

/** Git objects: blobs, trees and commits, read and written one by one. */
export function objectRoutes(hub: Hub): Route[] {
  const { state, git } = hub;
  const open = async (call: Call, name: string, type: string) => {
    const repository = openRepository(state, call, { permission: "contents", level: "read" });
    const object = await findObject(git, repository.path, `${textOf(call, name)}^{${type}}`);
    if (!object) throw notFound();
    return { repository, sha: object.sha };
  };
  return [
    {
      method: "GET",
      template: `${GIT}/blobs/{file_sha}`,
      async serve(call) {
        const { repository, sha } = await open(call, "file_sha", "blob");
        const bytes = await readBlob(git, repository.path, sha);
        return { status: 200, body: blobJson(state, repository, sha, bytes) };
      },
    },
    {
      method: "GET",
      template: `${GIT}/trees/{+tree_sha}`,
      async serve(call) {
        const { repository, sha } = await open(call, "tree_sha", "tree");
        const isDeep = call.url.searchParams.has("recursive");
        const entries = await readTree(git, repository.path, sha, isDeep);
        return { status: 200, body: treeJson(state, repository, sha, entries ?? []) };
      },
    },
    {
      method: "GET",
      template: `${GIT}/commits/{commit_sha}`,
      async serve(call) {
        const { repository, sha } = await open(call, "commit_sha", "commit");
        const [commit] = await readCommits(git, repository.path, [sha]);
        if (!commit) throw notFound();
        return { status: 200, body: gitCommitJson(state, repository, commit) };
      },
    },
    { method: "POST", template: `${GIT}/blobs`, serve: (call) => createBlob(hub, call) },
    { method: "POST", template: `${GIT}/trees`, serve: (call) => createTree(hub, call) },
    { method: "POST", template: `${GIT}/commits`, serve: (call) => createCommit(hub, call) },
  ];
}

function blobJson(state: ForgeState, repository: Repository, sha: string, bytes: Buffer) {
  return {
    sha,
    node_id: nodeId("B", sha),
    size: bytes.length,
    url: `${state.api}/repos/${nameOf(repository)}/git/blobs/${sha}`,
    content: bytes.toString("base64"),
    encoding: "base64",
  } satisfies Schemas["blob"];
}

function treeJson(state: ForgeState, repository: Repository, sha: string, entries: TreeEntry[]) {
  const root = `${state.api}/repos/${nameOf(repository)}/git`;
  return {
    sha,
    url: `${root}/trees/${sha}`,
    truncated: false,
    tree: entries.map((entry) => ({
      path: entry.path,
      mode: entry.mode,
      type: entry.type,
      sha: entry.sha,
      url: `${root}/${entry.type}s/${entry.sha}`,
      ...(entry.size === null ? {} : { size: entry.size }),
    })),
  } satisfies Schemas["git-tree"];
}

function openToWrite(hub: Hub, call: Call): Repository {
  return openRepository(hub.state, call, { permission: "contents", level: "write" });
}

async function createBlob(hub: Hub, call: Call): Promise<Answer> {
  const repository = openToWrite(hub, call);
  const { content, encoding } = bodyOf(call, NewBlob, "Blob");
  const bytes = Buffer.from(content, encoding === "base64" ? "base64" : "utf8");
  const sha = await writeBlob(hub.git, repository.path, bytes);
  const url = `${hub.state.api}/repos/${nameOf(repository)}/git/blobs/${sha}`;
  return { status: 201, body: { sha, url } satisfies Schemas["short-blob"] };
}

async function createTree(hub: Hub, call: Call): Promise<Answer> {
  const repository = openToWrite(hub, call);
  const wish = bodyOf(call, NewTree, "Tree");
  const base =
    wish.base_tree === undefined ? null : await demandTree(hub, repository, wish.base_tree, "base_tree");
  const entries: { path: string; mode: string; sha: string | null }[] = [];
  for (const { path, mode, sha, content } of wish.tree) {
    if (content !== undefined) {
      entries.push({ path, mode, sha: await writeBlob(hub.git, repository.path, content) });
    } else {
      if (sha && !(await findObject(hub.git, repository.path, sha)))
        throw unprocessable(`tree.sha ${sha} is not a valid ${mode === "040000" ? "tree" : "blob"}`);
      if (sha === undefined) throw invalid("Tree", "sha", "missing_field");
      entries.push({ path, mode, sha });
    }
  }
  const tree = await writeTree(hub.git, repository.path, base, entries);
  const listed = await readTree(hub.git, repository.path, tree, false);
  return { status: 201, body: treeJson(hub.state, repository, tree, listed ?? []) };
}

async function demandTree(
  hub: Hub,
  repository: Repository,
  revision: string,
  field: string,
): Promise<string> {
  const tree = await findObject(hub.git, repository.path, `${revision}^{tree}`);
  if (!tree) throw unprocessable(`${field} ${revision} is not a valid tree oid`);
  return tree.sha;
}

async function createCommit(hub: Hub, call: Call): Promise<Answer> {
  const repository = openToWrite(hub, call);
  const wish = bodyOf(call, NewCommit, "Commit");
  const tree = await demandTree(hub, repository, wish.tree, "Tree SHA");
  for (const parent of wish.parents)
    if (!(await findObject(hub.git, repository.path, `${parent}^{commit}`)))
      throw unprocessable("Parent SHA does not exist or is not a commit object");
  const own = signatureOf(hub, actorOf(hub.state, call));
  const person = (wished: z.infer<typeof Person> | undefined) =>
    wished
      ? { ...wished, date: wished.date === undefined ? hub.clock.now() : Date.parse(wished.date) }
      : undefined;
  const author = person(wish.author) ?? own;
  const sha = await writeCommit(hub.git, repository.path, {
    tree,
    parents: wish.parents,
    message: wish.message,
    author,
    committer: person(wish.committer) ?? author,
  });
  const [commit] = await readCommits(hub.git, repository.path, [sha]);
  return { status: 201, body: commit && gitCommitJson(hub.state, repository, commit) };
}
