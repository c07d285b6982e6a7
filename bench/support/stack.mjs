// The real server beside the two doubles, for benches: the embedded GitHub with one repository and a person, and a model.
import { fork } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startForge } from "../../dist/forge/index.js";

const OWNER = "acme";
const RUN_LIMIT_MS = 180_000;
const clock = { now: () => Date.now() };

function newApp() {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  return {
    id: 4242,
    clientId: "Iv1.bench",
    slug: "accrue",
    name: "Accrue",
    owner: OWNER,
    privateKey,
    webhookSecret: "a-secret-of-the-bench",
    permissions: {
      metadata: "read",
      contents: "write",
      issues: "write",
      pull_requests: "write",
      checks: "write",
    },
    events: ["issues", "issue_comment", "pull_request", "check_run"],
  };
}

function environment({ app, forge, modelUrl, data }) {
  return {
    PATH: process.env.PATH,
    APP_ID: String(app.id),
    PRIVATE_KEY: app.privateKey,
    WEBHOOK_SECRET: app.webhookSecret,
    GHE_HOST: new URL(forge.url).host,
    GHE_PROTOCOL: "http",
    ACCRUE_DATA: data,
    HOST: "127.0.0.1",
    PORT: "0",
    ANTHROPIC_API_KEY: "scripted",
    ANTHROPIC_BASE_URL: modelUrl,
    ACCRUE_WRITE_SPACING_MS: "0",
    ACCRUE_SANDBOX: "as-configured",
    LOG_LEVEL: "warn",
  };
}

/** Starts everything; `modelUrl` is where the server asks its model. */
export async function startStack({ modelUrl, name, files }) {
  const folder = mkdtempSync(join(tmpdir(), "accrue-bench-"));
  chmodSync(folder, 0o711);
  const app = newApp();
  const forge = await startForge({ root: join(folder, "git"), app, clock, logFile: null });
  forge.control.addUser(OWNER, { type: "Organization" });
  const { token } = forge.control.addUser("maya");
  await forge.control.addRepository({ owner: OWNER, name, collaborators: { maya: "write" }, files });
  forge.control.install(OWNER);

  const started = performance.now();
  const env = environment({ app, forge, modelUrl, data: join(folder, "data") });
  const server = fork(fileURLToPath(new URL("../../dist/server.js", import.meta.url)), [], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env,
  });
  const pids = { listener: server.pid };
  const url = await new Promise((resolve, reject) => {
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    server.on("message", (message) => {
      if (message.worker) pids.worker = message.worker;
      if (message.url) resolve(`${message.url}/api/github/webhooks`);
    });
  });
  const startMs = performance.now() - started;
  forge.control.setWebhook(url);

  const call = async (method, path, body) => {
    const response = await fetch(`${forge.apiUrl}/repos/${OWNER}/${name}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        "user-agent": "bench",
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} gave ${response.status}: ${await response.text()}`);
    return response.json();
  };
  return {
    forge,
    url,
    secret: app.webhookSecret,
    startMs,
    pids,
    call,
    /** Makes a draft one that can be merged. */
    ready: async (id) => {
      const query = `mutation { markPullRequestReadyForReview(input: { pullRequestId: "${id}" }) { clientMutationId } }`;
      await fetch(`${forge.url}/api/graphql`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "user-agent": "bench",
          "content-type": "application/json",
        },
        body: JSON.stringify({ query }),
      });
    },
    close: async () => {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGTERM");
      await ended;
      await forge.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Opens an issue with the label that starts a run, and waits until its status comment says how it ended. */
export async function workOn(stack, title, body) {
  const { number } = await stack.call("POST", "/issues", { title, body });
  await stack.call("POST", `/issues/${number}/labels`, { labels: ["agent"] });
  const end = performance.now() + RUN_LIMIT_MS;
  for (;;) {
    const comments = await stack.call("GET", `/issues/${number}/comments?per_page=100`);
    const status = comments.find((comment) => comment.body.includes("<!-- accrue:status"))?.body ?? "";
    if (/^✅/mu.test(status)) return number;
    if (/^[❌⏸]/mu.test(status)) throw new Error(`#${number} was not done: ${status}`);
    if (performance.now() > end) throw new Error(`#${number} did not end in ${RUN_LIMIT_MS} ms: ${status}`);
    await delay(100);
  }
}
