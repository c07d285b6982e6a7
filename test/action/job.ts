// A workflow job for tests: an embedded GitHub whose job token speaks as github-actions, and the action run on its events.
import { sign } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ActionRun, runCompositeAction } from "../support/action-runner.js";
import { APP, type Stack, startStack } from "../support/stack.js";

/** The App that GitHub Actions' own token belongs to. */
const ACTIONS = { id: 15_368, slug: "github-actions", name: "GitHub Actions" };
const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));

export interface Job {
  stack: Stack;
  /** Runs the action on the newest event of this kind, as a workflow run would. */
  run(kind: string, options?: { inputs?: Record<string, string>; token?: string }): Promise<ActionRun>;
  close(): Promise<void>;
}

export async function openJob(): Promise<Job> {
  const stack = await startStack({ start: false, app: ACTIONS });
  const home = mkdtempSync(join(tmpdir(), "accrue-runner-"));
  chmodSync(home, 0o711);
  const token = await jobToken(stack);
  let runs = 0;
  return {
    stack,
    run: (kind, options = {}) => {
      const delivery = stack.forge.control
        .deliveries()
        .filter(({ event, action }) => [event, action].filter(Boolean).join(".") === kind)
        .at(-1);
      if (!delivery) throw new Error(`no event ${kind} happened`);
      // An event of a workflow run names no installation.
      const { installation: _, ...payload } = delivery.payload;
      return runCompositeAction(PACKAGE, home, {
        name: delivery.event,
        payload,
        token: options.token ?? token,
        apiUrl: stack.forge.apiUrl,
        runId: ++runs,
        // The embedded GitHub does not ask for pauses between writes.
        env: { ACCRUE_WRITE_SPACING_MS: "0" },
        inputs: { "anthropic-api-key": "scripted", "anthropic-base-url": stack.model.url, ...options.inputs },
      });
    },
    close: async () => {
      await stack.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function jobToken({ forge }: Stack): Promise<string> {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const now = Math.floor(Date.now() / 1000);
  const head = `${encode({ alg: "RS256", typ: "JWT" })}.${encode({ iat: now - 30, exp: now + 500, iss: ACTIONS.id })}`;
  const jwt = `${head}.${sign("RSA-SHA256", Buffer.from(head), APP.privateKey).toString("base64url")}`;
  const ask = async (method: string, path: string) => {
    const headers = { authorization: `Bearer ${jwt}`, "user-agent": "test" };
    const response = await fetch(`${forge.apiUrl}${path}`, { method, headers });
    return response.json();
  };
  const [installation] = (await ask("GET", "/app/installations")) as { id: number }[];
  if (!installation) throw new Error("the app is installed nowhere");
  const path = `/app/installations/${installation.id}/access_tokens`;
  return ((await ask("POST", path)) as { token: string }).token;
}
