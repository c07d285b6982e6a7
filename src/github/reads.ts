import { isAccrueError, messageOf } from "../shared/index.js";
import { accountOf } from "./accounts.js";
import type { Door } from "./door.js";
import { attempt, hasStatus, isPassing } from "./errors.js";
import type { GitHubPort, Permission } from "./types.js";

const PERMISSIONS: readonly string[] = [
  "admin",
  "maintain",
  "write",
  "triage",
  "read",
  "none",
] satisfies Permission[];

/** What is read about a repository: its branch, issues, files, and who may do what. */
export function createReads(door: Door): Pick<GitHubPort, "about" | "permission" | "issue" | "readFile"> {
  const { octokit, repo } = door;
  return {
    about: () =>
      attempt("read the repository", async () => {
        const { data: json } = await octokit.rest.repos.get(repo);
        return {
          defaultBranch: json.default_branch,
          description: json.description ?? "",
          isArchived: json.archived,
          isFork: json.fork,
        };
      }),
    permission: (login) =>
      attempt(`read the permission of ${login}`, async () => {
        try {
          const { data: answer } = await octokit.rest.repos.getCollaboratorPermissionLevel({
            ...repo,
            username: login,
          });
          // A custom role has a name of its own; `permission` then holds the role it is based on.
          return permissionOf(answer.role_name) ?? permissionOf(answer.permission) ?? "none";
        } catch (error) {
          // Passing trouble is no answer: the job is tried again later. Every other answer is a no.
          if (isPassing(error)) throw error;
          door.log.warn(
            { ...repo, login, said: messageOf(error) },
            "GitHub did not tell a permission: taken as none",
          );
          return "none";
        }
      }),
    issue: (number) =>
      attempt(`read #${number}`, async () => {
        const { data: json } = await octokit.rest.issues.get({ ...repo, issue_number: number });
        return {
          number: json.number,
          title: json.title,
          body: json.body ?? "",
          state: json.state === "open" ? "open" : "closed",
          isPull: json.pull_request != null,
          locked: json.locked,
          labels: json.labels.flatMap((label) => (typeof label === "string" ? label : (label.name ?? []))),
          author: accountOf(json.user),
          url: json.html_url,
        };
      }),
    readFile: (path, ref) => attempt(`read ${path} at ${ref}`, () => readFile(door, path, ref)),
  };
}

function permissionOf(name: string | undefined): Permission | null {
  return name !== undefined && PERMISSIONS.includes(name) ? (name as Permission) : null;
}

async function readFile({ octokit, repo }: Door, path: string, ref: string): Promise<string | null> {
  try {
    const { data: json } = await octokit.rest.repos.getContent({ ...repo, path, ref });
    if (Array.isArray(json) || json.type !== "file") return null;
    if (json.encoding === "base64") return Buffer.from(json.content, "base64").toString("utf8");
    // Above a megabyte GitHub leaves the content out unless it is asked for the bytes alone.
    const raw = await octokit.rest.repos.getContent({ ...repo, path, ref, mediaType: { format: "raw" } });
    const text: unknown = raw.data;
    return typeof text === "string" ? text : null;
  } catch (error) {
    if (hasStatus(error, 404) || isAccrueError(error, "GITHUB_MISSING")) return null;
    throw error;
  }
}
