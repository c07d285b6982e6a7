import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { allows, atLeast, reaches, roleIn } from "./access.js";
import { findToken, isSuspended } from "./auth.js";
import { readRefs } from "./git-read.js";
import type { Hub } from "./hub.js";
import { afterPush, changedRefs } from "./pushes.js";
import { accountOf, findRepository, inTurn, nameOf } from "./lookup.js";
import type { Account, Repository, Token } from "./state.js";

const MAX_HEAD_BYTES = 64 * 1024;
const GIT_PATH = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/;

/** A request of git's smart HTTP protocol. */
interface GitRequest {
  repository: Repository;
  suffix: string;
  query: string;
  actor: Account | null;
  /** What the pre-receive hook must know of the pusher. */
  limits: Record<string, string>;
}

/** What git shows the person whom it refuses. */
interface GitRefusal {
  status: 401 | 403 | 404;
  message: string;
}

/** Serves clone, fetch and push through git's own server. Gives false for what is no request of git. */
export function createGitHttp(hub: Hub) {
  return async function serveGit(
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> {
    const match = GIT_PATH.exec(url.pathname);
    if (!match) return false;
    const [, owner = "", name = "", suffix = ""] = match;
    const service = suffix === "info/refs" ? url.searchParams.get("service") : suffix;
    const isPush = service === "git-receive-pack";
    const found = admit(hub, { fullName: `${owner}/${name}`, isPush }, request.headers.authorization);
    if ("status" in found) {
      request.resume();
      refuse(response, found);
      return true;
    }
    const asked: GitRequest = { ...found, suffix, query: url.search.slice(1) };
    if (suffix === "git-receive-pack") await push(hub, asked, request, response);
    else await runBackend(hub, asked, request, response);
    return true;
  };
}

function refuse(response: ServerResponse, { status, message }: GitRefusal): void {
  const headers = status === 401 ? { "www-authenticate": 'Basic realm="GitHub"' } : {};
  response.writeHead(status, { ...headers, "content-type": "text/plain" }).end(`${message}\n`);
}

const UNKNOWN: GitRefusal = { status: 404, message: "Repository not found." };
const NO_ONE: GitRefusal = { status: 401, message: "Repository not found." };

function admit(
  hub: Hub,
  asked: { fullName: string; isPush: boolean },
  header: string | undefined,
): Omit<GitRequest, "suffix" | "query"> | GitRefusal {
  const { state } = hub;
  const repository = findRepository(state, asked.fullName);
  const password = passwordOf(header);
  if (password === null) {
    const isOpen = repository && !repository.isPrivate && !asked.isPush;
    return isOpen ? { repository, actor: null, limits: {} } : NO_ONE;
  }
  const token = findToken(state, hub.clock, password);
  if (!token) return { status: 401, message: "Invalid username or token." };
  if (!repository || !reaches(state, token, repository)) return UNKNOWN;
  const actor = accountOf(state, token.kind === "user" ? token.accountId : state.app.botId);
  const denied: GitRefusal = {
    status: 403,
    message: `Permission to ${nameOf(repository)}.git denied to ${actor.login}.`,
  };
  if (!mayEnter(hub, token, repository, asked.isPush))
    return token.kind === "user"
      ? denied
      : { status: 403, message: "Write access to repository not granted." };
  if (asked.isPush && repository.archived)
    return { status: 403, message: "This repository was archived so it is read-only." };
  return { repository, actor, limits: limitsOf(token, repository) };
}

function passwordOf(header: string | undefined): string | null {
  const match = /^basic\s+(\S+)$/i.exec(header ?? "");
  if (!match) return null;
  const text = Buffer.from(match[1] ?? "", "base64").toString("utf8");
  return text.slice(text.indexOf(":") + 1);
}

function mayEnter(hub: Hub, token: Token, repository: Repository, isPush: boolean): boolean {
  if (token.kind === "user") {
    const role = roleIn(repository, accountOf(hub.state, token.accountId));
    return atLeast(role, isPush ? "write" : "read");
  }
  if (isSuspended(hub.state, token.installationId)) return false;
  return allows(token.permissions, ["contents"], isPush ? "write" : "read");
}

function limitsOf(token: Token, repository: Repository): Record<string, string> {
  if (token.kind === "user") return {};
  const refs = [...repository.protectedBranches].map((branch) => `refs/heads/${branch}`);
  return {
    FORGE_PROTECTED_REFS: refs.join("\n"),
    ...(token.permissions.workflows === "write" ? {} : { FORGE_WITHOUT_WORKFLOWS: "1" }),
  };
}

async function push(
  hub: Hub,
  asked: GitRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { repository, actor } = asked;
  await inTurn(repository, async () => {
    const before = await readRefs(hub.git, repository.path);
    await runBackend(hub, asked, request, response);
    const changes = changedRefs(before, await readRefs(hub.git, repository.path));
    if (actor && changes.length > 0) await afterPush(hub, repository, actor, changes);
  });
}

function environmentOf(asked: GitRequest, request: IncomingMessage): Record<string, string> {
  const { headers } = request;
  const from = (name: string, value: string | string[] | undefined) =>
    typeof value === "string" ? { [name]: value } : {};
  return {
    ...asked.limits,
    GIT_PROJECT_ROOT: asked.repository.path,
    GIT_HTTP_EXPORT_ALL: "1",
    PATH_INFO: `/${asked.suffix}`,
    REQUEST_METHOD: request.method ?? "GET",
    QUERY_STRING: asked.query,
    REMOTE_USER: asked.actor?.login ?? "",
    REMOTE_ADDR: request.socket.remoteAddress ?? "",
    ...from("CONTENT_TYPE", headers["content-type"]),
    // Without a length the backend reads to the end: so it is for chunked bodies.
    ...from("CONTENT_LENGTH", headers["content-length"]),
    ...from("HTTP_CONTENT_ENCODING", headers["content-encoding"]),
    ...from("GIT_PROTOCOL", headers["git-protocol"]),
  };
}

function runBackend(
  hub: Hub,
  asked: GitRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { child, end } = hub.git.serve(["http-backend"], environmentOf(asked, request));
  // The backend may stop reading early; its answer says why.
  child.stdin.on("error", () => undefined);
  child.stderr.resume();
  request.pipe(child.stdin);
  // A client that goes away in the middle never finishes its request, and its answer never ends.
  const gone = () => {
    if (response.writableFinished) return;
    end();
    // Whoever waits for room in it waits for ever, and the process for whoever reads.
    child.stdout.unpipe(response);
    child.stdout.resume();
  };
  forwardAnswer(child, response);
  if (response.destroyed) gone();
  else response.on("close", gone);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => {
      if (response.destroyed) {
        resolve();
        return;
      }
      response.once("close", resolve);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
}

/** Turns the CGI head into an HTTP one, then lets the rest flow. */
function forwardAnswer(child: ChildProcessWithoutNullStreams, response: ServerResponse): void {
  let head = Buffer.alloc(0);
  const onBytes = (chunk: Buffer) => {
    if (response.destroyed) return;
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) {
      if (head.length > MAX_HEAD_BYTES) child.kill();
      return;
    }
    child.stdout.off("data", onBytes);
    writeHead(response, head.subarray(0, end).toString("latin1"));
    response.write(head.subarray(end + 4));
    child.stdout.pipe(response, { end: false });
  };
  child.stdout.on("data", onBytes);
}

function writeHead(response: ServerResponse, head: string): void {
  let status = 200;
  for (const line of head.split("\r\n")) {
    const at = line.indexOf(":");
    const name = line.slice(0, at);
    const value = line.slice(at + 1).trim();
    if (/^status$/i.test(name)) status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status);
}
