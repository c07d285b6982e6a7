import { execFile } from "node:child_process";
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startForge, type Forge, type ForgeApp, type ForgeOptions } from "../../src/forge/index.js";

const run = promisify(execFile);
const SECRET = "a secret of the test";
const KEYS = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

/** The App as the tests register it. */
export const APP: ForgeApp = {
  id: 42,
  clientId: "Iv1.0123456789abcdef",
  slug: "accrue",
  name: "Accrue",
  owner: "acme",
  privateKey: KEYS.privateKey,
  webhookSecret: SECRET,
  permissions: {
    checks: "write",
    contents: "write",
    issues: "write",
    metadata: "read",
    pull_requests: "write",
    statuses: "write",
  },
  events: [
    "check_run",
    "check_suite",
    "create",
    "delete",
    "issue_comment",
    "issues",
    "pull_request",
    "pull_request_review",
    "pull_request_review_comment",
    "push",
    "repository",
  ],
};

/** What `JSON.parse` gives: a test looks at the parts that it names. */
export type Json = ReturnType<typeof JSON.parse>;

/** The answer to one request. */
export interface Reply {
  status: number;
  headers: Headers;
  json: Json;
  text: string;
}

export interface Ask {
  token?: string | undefined;
  body?: unknown;
  accept?: string;
  headers?: Record<string, string>;
}

/** A webhook as the listener got it. */
export interface Received {
  event: string;
  guid: string;
  headers: Record<string, string | string[] | undefined>;
  payload: Json;
  isSigned: boolean;
}

export interface World {
  forge: Forge;
  folder: string;
  /** Milliseconds; tests move it. */
  time: { now: number };
  ask(method: string, path: string, ask?: Ask): Promise<Reply>;
  jwt(claims?: Record<string, unknown>): string;
  installation: number;
  /** An installation token of the App. */
  bot: string;
  /** The token of `lee`, who may write. */
  lee: string;
  /** The token of `outsider`, who may read. */
  outsider: string;
  received: Received[];
  /** Waits for all webhooks, and puts what was received into the order in which it was sent. */
  settle(): Promise<void>;
  /** `event.action` of all webhooks since the last call, once they are all answered. */
  events(): Promise<string[]>;
  git(folder: string, ...commandLine: string[]): Promise<string>;
  /** Clone address with a token in it. */
  remote(token: string, repository?: string): string;
  close(): Promise<void>;
}

/** Starts a forge with acme/shop, its people, the App installed, and a listener for its webhooks. */
export async function startWorld(options: Partial<ForgeOptions> = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "accrue-forge-"));
  const time = { now: options.clock?.now() ?? Date.parse("2026-03-01T12:00:00Z") };
  const forge = await startForge({
    root: join(folder, "repositories"),
    clock: { now: () => time.now },
    app: APP,
    logFile: process.env.ACCRUE_FORGE_LOG ?? null,
    searchPath: process.env.PATH ?? "",
    ...options,
  });
  const received: Received[] = [];
  const listener = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const { headers } = request;
      received.push({
        event: String(headers["x-github-event"]),
        guid: String(headers["x-github-delivery"]),
        headers,
        payload: JSON.parse(body.toString("utf8")),
        isSigned:
          headers["x-hub-signature-256"] ===
            `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}` &&
          headers["x-hub-signature"] === `sha1=${createHmac("sha1", SECRET).update(body).digest("hex")}`,
      });
      response.writeHead(202).end("taken");
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  const { control } = forge;
  control.setWebhook(
    `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/api/github/webhooks`,
  );
  control.addUser("acme", { type: "Organization" });
  const lee = control.addUser("lee").token;
  const outsider = control.addUser("outsider").token;
  await control.addRepository({
    owner: "acme",
    name: "shop",
    files: { "README.md": "# Shop\n", "src/a.ts": "export const a = 1;\n" },
    collaborators: { lee: "write", tri: "triage" },
  });
  const installation = control.install("acme");

  const jwt = (claims: Record<string, unknown> = {}) => {
    const now = Math.floor(time.now / 1000);
    const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
    const head = `${encode({ alg: "RS256", typ: "JWT" })}.${encode({ iat: now - 30, exp: now + 540, iss: APP.id, ...claims })}`;
    return `${head}.${sign("RSA-SHA256", Buffer.from(head), KEYS.privateKey).toString("base64url")}`;
  };
  const ask = async (method: string, path: string, { token, body, accept, headers }: Ask = {}) => {
    const answer = await fetch(`${forge.apiUrl}${path}`, {
      method,
      headers: {
        "user-agent": "test",
        ...(token === undefined ? {} : { authorization: `token ${token}` }),
        ...(accept === undefined ? {} : { accept }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json") && text !== "";
    return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : null };
  };
  const settle = async () => {
    await control.settle();
    const sent = control.deliveries().map(({ guid }) => guid);
    received.sort((a, b) => sent.indexOf(a.guid) - sent.indexOf(b.guid));
  };
  const minted = await ask("POST", `/app/installations/${installation}/access_tokens`, { token: jwt() });
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: "t",
    GIT_AUTHOR_EMAIL: "t@example.com",
    GIT_COMMITTER_NAME: "t",
    GIT_COMMITTER_EMAIL: "t@example.com",
  };
  return {
    forge,
    folder,
    time,
    ask,
    jwt,
    installation,
    bot: minted.json.token as string,
    lee,
    outsider,
    received,
    settle,
    async events() {
      await settle();
      return received
        .splice(0)
        .map(({ event, payload }) => (payload.action === undefined ? event : `${event}.${payload.action}`));
    },
    async git(where, ...commandLine) {
      const { stdout } = await run("git", commandLine, { cwd: where, env: environment });
      return stdout;
    },
    remote: (token, repository = "acme/shop") =>
      `${forge.url.replace("//", `//x-access-token:${token}@`)}/${repository}.git`,
    async close() {
      await forge.close();
      await new Promise((resolve) => listener.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Opens an issue as a person and gives its number. */
export async function openIssue(world: World, title = "Add CSV export", token = world.lee): Promise<number> {
  const { json } = await world.ask("POST", "/repos/acme/shop/issues", {
    token,
    body: { title, body: "As a user I want CSV." },
  });
  return json.number as number;
}

/** Pushes a branch with one commit and opens a pull request as the App; gives its number. */
export async function openPull(
  world: World,
  more: { branch?: string; body?: string; draft?: boolean; files?: Record<string, string | null> } = {},
): Promise<number> {
  const branch = more.branch ?? "agent/REQ-1-csv";
  await world.forge.control.commit({
    repository: "acme/shop",
    branch,
    files: more.files ?? { "src/b.ts": "export const b = 2;\n" },
    message: "Add b",
    login: "lee",
  });
  const { json } = await world.ask("POST", "/repos/acme/shop/pulls", {
    token: world.bot,
    body: { title: "Add b", head: branch, base: "main", body: more.body ?? "", draft: more.draft ?? false },
  });
  return json.number as number;
}
