import type { components } from "@octokit/openapi-types";
import type { FileChange } from "../git-diff.js";
import type { CommitRecord, Signature } from "../git-read.js";
import { findAccount, gitHubTime, nameOf, nodeId } from "../lookup.js";
import type { Account, ForgeState, Repository } from "../state.js";
import { accountJson } from "./account.js";

type Schemas = components["schemas"];

const UNSIGNED = {
  verified: false,
  reason: "unsigned",
  signature: null,
  payload: null,
  verified_at: null,
};

function signatureJson(signature: Signature) {
  return { name: signature.name, email: signature.email, date: gitHubTime(signature.date) };
}

/** The account that an e-mail address of a commit belongs to: `<id>+<login>@users.noreply.<host>`, or null. */
export function accountOfEmail(state: ForgeState, email: string): Account | null {
  const match = /^(\d+)\+(.+)@users\.noreply\./.exec(email);
  const account = match ? findAccount(state, match[2] ?? "") : null;
  return account && account.id === Number(match?.[1]) ? account : null;
}

/** The e-mail address by which commits are counted as an account's. */
export function noreplyEmail(state: ForgeState, account: Account): string {
  return `${account.id}+${account.login}@users.noreply.${new URL(state.web).hostname}`;
}

function parentsJson(state: ForgeState, repository: Repository, record: CommitRecord, kind: string) {
  return record.parents.map((sha) => ({
    sha,
    url: `${state.api}/repos/${nameOf(repository)}/${kind}/${sha}`,
    html_url: `${state.web}/${nameOf(repository)}/commit/${sha}`,
  }));
}

/** A commit with the accounts of its people. */
export function commitJson(state: ForgeState, repository: Repository, record: CommitRecord) {
  const root = `${state.api}/repos/${nameOf(repository)}`;
  const person = (signature: Signature) => {
    const account = accountOfEmail(state, signature.email);
    return account ? accountJson(state, account) : null;
  };
  return {
    sha: record.sha,
    node_id: nodeId("C", record.sha),
    commit: {
      author: signatureJson(record.author),
      committer: signatureJson(record.committer),
      message: record.message,
      tree: { sha: record.tree, url: `${root}/git/trees/${record.tree}` },
      url: `${root}/git/commits/${record.sha}`,
      comment_count: 0,
      verification: UNSIGNED,
    },
    url: `${root}/commits/${record.sha}`,
    html_url: `${state.web}/${nameOf(repository)}/commit/${record.sha}`,
    comments_url: `${root}/commits/${record.sha}/comments`,
    author: person(record.author),
    committer: person(record.committer),
    parents: parentsJson(state, repository, record, "commits"),
  } satisfies Schemas["commit"];
}

/** A commit as git's object. */
export function gitCommitJson(state: ForgeState, repository: Repository, record: CommitRecord) {
  const root = `${state.api}/repos/${nameOf(repository)}`;
  return {
    sha: record.sha,
    node_id: nodeId("C", record.sha),
    url: `${root}/git/commits/${record.sha}`,
    html_url: `${state.web}/${nameOf(repository)}/commit/${record.sha}`,
    author: signatureJson(record.author),
    committer: signatureJson(record.committer),
    tree: { sha: record.tree, url: `${root}/git/trees/${record.tree}` },
    message: record.message,
    parents: parentsJson(state, repository, record, "git/commits"),
    verification: UNSIGNED,
  } satisfies Schemas["git-commit"];
}

/** One changed file of a diff. */
export function changeJson(state: ForgeState, repository: Repository, change: FileChange, sha: string) {
  const path = change.path.split("/").map(encodeURIComponent).join("/");
  const page = `${state.web}/${nameOf(repository)}`;
  return {
    sha: change.sha,
    filename: change.path,
    status: change.status,
    additions: change.additions,
    deletions: change.deletions,
    changes: change.additions + change.deletions,
    blob_url: `${page}/blob/${sha}/${path}`,
    raw_url: `${page}/raw/${sha}/${path}`,
    contents_url: `${state.api}/repos/${nameOf(repository)}/contents/${path}?ref=${sha}`,
    ...(change.patch === null ? {} : { patch: change.patch }),
    ...(change.previousPath === null ? {} : { previous_filename: change.previousPath }),
  } satisfies Schemas["diff-entry"];
}

/** A ref. */
export function refJson(
  state: ForgeState,
  repository: Repository,
  ref: string,
  object: { sha: string; type: string },
) {
  const root = `${state.api}/repos/${nameOf(repository)}/git`;
  return {
    ref,
    node_id: nodeId("REF", `${repository.id}:${ref}`),
    url: `${root}/${ref.split("/").map(encodeURIComponent).join("/")}`,
    object: { ...object, url: `${root}/${object.type}s/${object.sha}` },
  } satisfies Schemas["git-ref"];
}
