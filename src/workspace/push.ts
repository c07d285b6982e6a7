import { AccrueError } from "../shared/index.js";
import type { Repository } from "./repository.js";
import type { PushResult } from "./types.js";

type Refusal = Extract<PushResult, { kind: "refused" }>;
type Outcome = Extract<PushResult, { kind: "pushed" | "refused" }>;

/** What a server says when it does not take a push, and what that means for people. The first match counts. */
const REFUSALS: readonly { reason: string; words: RegExp; advice: string }[] = [
  {
    reason: "workflow-permission",
    words:
      /without [`']?workflows?[`']? (permission|scope)|refusing to allow .{0,40} to create or update workflow/i,
    advice:
      "it contains a change of a workflow file that the app may not make. Give the app the permission to write workflows, or bring the branch up to date with its base.",
  },
  {
    reason: "too-large",
    words: /GH001|exceeds GitHub's file size limit|file size limit of|larger than the maximum/i,
    advice: "a file is larger than the server takes. Keep it out of the repository or use Git LFS.",
  },
  {
    reason: "private-email",
    words: /GH007|would publish a private email/i,
    advice: "a commit would publish a private email address. Change that account's setting.",
  },
  {
    reason: "secret",
    words: /push protection|GITHUB PUSH PROTECTION|GH009/i,
    advice: "it seems to contain a secret. Remove the secret from the commits.",
  },
  {
    reason: "rules",
    words: /GH013|repository rule violations/i,
    advice:
      "a rule of the repository forbids it. Let the app bypass the rule, or use a branch name it allows.",
  },
  {
    reason: "protected",
    words: /GH006|protected branch/i,
    advice: "the branch is protected. Let the app push to it, or use another branch.",
  },
  {
    reason: "checked-out",
    words: /refusing to update checked out branch/i,
    advice: "the branch is checked out there. Switch that checkout to another branch.",
  },
  {
    reason: "archived",
    words: /was archived|is archived|read-only/i,
    advice: "the repository is archived or read-only.",
  },
  {
    reason: "gone",
    words: /repository .{0,200}not found|does not appear to be a git repository|returned error: 404/i,
    advice: "the repository is gone, or the app may not see it. Check that the app is still installed there.",
  },
  {
    reason: "denied",
    words:
      /returned error: 40[13]|permission to .{0,200} denied|write access to repository not granted|authentication failed|could not read username/i,
    advice: "the app may not write here. It needs the permission `contents: write`.",
  },
  {
    reason: "stale",
    words: /fetch first|non-fast-forward|stale info|cannot lock ref|reference already exists/i,
    advice: "somebody else moved the branch meanwhile. Nothing of theirs was changed.",
  },
  {
    reason: "declined",
    words: /\[remote rejected\]|hook declined/i,
    advice: "the server declined it.",
  },
];
/** How much of the server's own words a message keeps. */
const WORDS_LIMIT = 1000;
// A person's own repository may name a folder of hooks, which would override ours: its hooks are not for our pushes.
const WITHOUT_HOOKS = "--receive-pack=git -c core.hooksPath=/dev/null receive-pack";

/**
 * Pushes one commit to one branch, never by force. Git's lease makes the server refuse when the branch is not what it is pushed
 * `onto`: "new" is no branch yet, a commit id is its tip, so that a branch that a person moved stays and one that a person deleted
 * is not made again; "any" asks for a fast-forward only.
 * Contract: a commit id is an ancestor of `sha`.
 */
export async function pushCommit(
  repository: Repository,
  input: { sha: string; branch: string; onto: string },
  signal: AbortSignal,
): Promise<Outcome> {
  await repository.checkBranchName(input.branch);
  const target = `refs/heads/${input.branch}`;
  const { url } = repository.remote;
  const isLocal = url.startsWith("/");
  if (isLocal && (await isCheckedOut(repository, target, signal))) {
    return refusal("checked-out", input.branch, "");
  }
  const isNew = input.onto === "new";
  const lease = input.onto === "any" ? [] : [`--force-with-lease=${target}:${isNew ? "" : input.onto}`];
  const switches = [
    "--porcelain",
    "--no-verify",
    "--progress",
    ...lease,
    ...(isLocal ? [WITHOUT_HOOKS] : []),
  ];
  const args = ["push", ...switches, "--end-of-options", url, `${input.sha}:${target}`];
  const result = await repository.remoteAttempt(args, signal);
  const pushed: Outcome = { kind: "pushed", branch: input.branch, sha: input.sha };
  if (result.exitCode === 0) {
    await repository.git(["update-ref", `refs/remotes/origin/${input.branch}`, input.sha]);
    return pushed;
  }
  const words = `${result.stdout}\n${result.stderr}`;
  const found = REFUSALS.find((candidate) => candidate.words.test(words));
  if (!found) {
    const message = `Pushing ${input.branch} failed: ${serverWords(words)}. Try again.`;
    throw new AccrueError("GIT_FAILED", message, { retryable: true });
  }
  if (found.reason !== "stale" || !isNew) return refusal(found.reason, input.branch, words);
  // A push that arrived before a crash is not somebody else's branch.
  const listed = await repository.remoteGit(["ls-remote", "--end-of-options", url, target], signal);
  return listed.startsWith(`${input.sha}\t`) ? pushed : existing(input.branch);
}

/** What a caller gets when a branch that it wanted to continue is no longer there. */
export function goneBranch(branch: string): Refusal {
  const message = `The branch ${branch} was deleted meanwhile, so it was not made again. The commits are kept in the mirror.`;
  return { kind: "refused", reason: "gone", message };
}

function existing(branch: string): Refusal {
  const message = `The branch ${branch} exists already and is not ours. Choose another name.`;
  return { kind: "refused", reason: "exists", message };
}

function refusal(reason: string, branch: string, words: string): Refusal {
  const advice = REFUSALS.find((candidate) => candidate.reason === reason)?.advice ?? "";
  const quoted = serverWords(words);
  const message = `The push to ${branch} was refused: ${advice}${quoted ? ` The server said: ${quoted}` : ""}`;
  return { kind: "refused", reason, message };
}

/** The server's lines, else git's own verdict. */
function serverWords(words: string): string {
  const lines = words.split(/[\r\n]+/).map((line) => line.trim());
  const remote = lines.filter((line) => line.startsWith("remote:")).map((line) => line.slice(7).trim());
  const verdict = lines.filter((line) => /^(!|error:|fatal:)/.test(line));
  const said = remote.some((line) => line && !/^(Resolving|Counting|Compressing|Total)/.test(line))
    ? remote
    : verdict;
  return said.filter(Boolean).join(" ").slice(0, WORDS_LIMIT);
}

/** True when a worktree of the local repository stands on the branch: a push would pull the ground from under a person. */
async function isCheckedOut(repository: Repository, ref: string, signal: AbortSignal): Promise<boolean> {
  const folder = repository.remote.url;
  const listed = await repository.git(["worktree", "list", "--porcelain", "-z"], {
    folder,
    gitDir: undefined,
    signal,
  });
  return listed.split("\0\0").some((worktree) => {
    const lines = worktree.split("\0");
    return lines.includes(`branch ${ref}`) && !lines.includes("bare");
  });
}
