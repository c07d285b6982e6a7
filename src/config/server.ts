import { z } from "zod";
import { ANTHROPIC, type ModelConfig } from "../model/index.js";
import { AccrueError } from "../shared/index.js";
import { type OperatorFile, readOperatorFile } from "./operator.js";

const text = z.string().trim().min(1);
const port = z.coerce.number().int().min(0).max(65535);

/** The server's settings. They come from the environment only, since they hold secrets and say where this machine keeps things. */
export const ServerEnv = z.object({
  APP_ID: z.coerce
    .number()
    .int()
    .positive()
    .describe("Id of the GitHub App; without it the server does not start."),
  PRIVATE_KEY: text
    .transform((key) => key.replaceAll("\\n", "\n"))
    .describe(
      "The App's private key (PEM); line breaks may be written as \\n. Without it the server does not start.",
    ),
  WEBHOOK_SECRET: text.describe(
    "Secret of the App's webhook; two, separated by a comma, while it is rotated. Without it the server does not start.",
  ),
  GHE_HOST: text
    .optional()
    .describe("Host of a GitHub Enterprise Server, with its port; without it github.com."),
  GHE_PROTOCOL: z.enum(["https", "http"]).default("https").describe("Protocol of GHE_HOST."),
  ACCRUE_DATA: text.default("/var/lib/accrue").describe("Data folder: database, mirrors, checkouts."),
  HOST: text.default("0.0.0.0").describe("Address that the listener binds to."),
  PORT: port.default(3000).describe("Port that the listener binds to."),
  ACCRUE_WORKERS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(2)
    .describe("Requirements worked on at the same time."),
  ANTHROPIC_API_KEY: text
    .optional()
    .describe("Key of the model's API; without it a run ends with MODEL_KEY_MISSING."),
  ANTHROPIC_BASE_URL: z
    .url()
    .optional()
    .describe("Address of the model's API, for a gateway; without it Anthropic's."),
  ACCRUE_WRITE_SPACING_MS: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      "Pause between two writes to GitHub; without it GitHub's advice: 1 s, 3 s where people are notified.",
    ),
  ACCRUE_SANDBOX: z
    .enum(["box", "as-configured"])
    .default("box")
    .describe(
      "box: commands always run in the box and reach no private address; as-configured: a repository may switch it off with sandbox.level: none, and list private addresses.",
    ),
  ACCRUE_OFFER_INIT: z
    .enum(["true", "false"])
    .default("true")
    .describe(
      "false: repositories that the App is given are not offered the scaffold of `accrue init` as a pull request.",
    ),
  ACCRUE_SERVER_FILE: text
    .optional()
    .describe(
      "Path of accrue.server.yml, whose `mcp` names the MCP servers that repositories may use; without it they get none.",
    ),
  ACCRUE_GRACE_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(20_000)
    .describe(
      "How long running work may go on when the server is stopped; afterwards it is taken up again at the next start.",
    ),
  ACCRUE_WATCH_MS: z.coerce
    .number()
    .int()
    .min(50)
    .default(60_000)
    .describe(
      "How often a 👍 is looked for while a person is asked to approve something; without it every minute.",
    ),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("How much is logged."),
});

/** See the schema of the same name. */
export type ServerEnv = z.infer<typeof ServerEnv>;

/** The server's settings, with what its operator's file says. */
export type ServerSettings = ServerEnv & { operator: OperatorFile };

/** The server's settings from the environment. Throws `CONFIG_MISSING` with every variable that is missing or wrong. */
export function readServerEnv(env: Readonly<Record<string, string | undefined>>): ServerSettings {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );
  const result = ServerEnv.safeParse(given);
  if (result.success) {
    return { ...result.data, operator: readOperatorFile(result.data.ACCRUE_SERVER_FILE) };
  }
  const problems = result.error.issues.map((issue) => {
    const name = String(issue.path[0] ?? "");
    return `${name}: ${given[name] === undefined ? "is not set" : issue.message}`;
  });
  throw new AccrueError(
    "CONFIG_MISSING",
    `The server cannot start. ${problems.join("; ")}. See docs/configuration.md for each variable.`,
  );
}

/** Address of GitHub's REST API for these settings. */
export function apiUrl(env: Pick<ServerEnv, "GHE_HOST" | "GHE_PROTOCOL">): string {
  return env.GHE_HOST ? `${env.GHE_PROTOCOL}://${env.GHE_HOST}/api/v3` : "https://api.github.com";
}

/** How the listener takes deliveries. */
export function listenerOptions(env: ServerEnv): {
  appId: number;
  privateKey: string;
  webhookSecrets: string[];
  port: number;
  host: string;
  baseUrl: string;
} {
  return {
    appId: env.APP_ID,
    privateKey: env.PRIVATE_KEY,
    webhookSecrets: env.WEBHOOK_SECRET.split(",").map((secret) => secret.trim()),
    port: env.PORT,
    host: env.HOST,
    baseUrl: apiUrl(env),
  };
}

/** How much the worker does at once, how often it looks, and what it does unasked. */
export function workerOptions(env: ServerEnv): {
  runSlots: number;
  graceMs: number;
  watchMs: number;
  isOffered: boolean;
} {
  return {
    runSlots: env.ACCRUE_WORKERS,
    graceMs: env.ACCRUE_GRACE_MS,
    watchMs: env.ACCRUE_WATCH_MS,
    isOffered: env.ACCRUE_OFFER_INIT === "true",
  };
}

/** GitHub as the App that the server is. */
export function appAccess(env: ServerEnv): GitHubAccess {
  const auth = { kind: "app" as const, appId: env.APP_ID, privateKey: env.PRIVATE_KEY };
  return { baseUrl: apiUrl(env), auth, writeSpacingMs: env.ACCRUE_WRITE_SPACING_MS ?? null };
}

/** Which GitHub to talk to, and as whom. */
export interface GitHubAccess {
  baseUrl: string;
  auth: { kind: "app"; appId: number; privateKey: string } | { kind: "token"; token: string };
  /** Pause between two writes; null: GitHub's advice. */
  writeSpacingMs: number | null;
}

/** GitHub for one command or workflow step: the App's credentials, else a token; null when there is neither. */
export function gitHubAccess(env: Readonly<Record<string, string | undefined>>): GitHubAccess | null {
  const protocol = env["GHE_PROTOCOL"] === "http" ? "http" : "https";
  const baseUrl =
    env["GITHUB_API_URL"] || apiUrl({ GHE_HOST: env["GHE_HOST"] || undefined, GHE_PROTOCOL: protocol });
  const { APP_ID, PRIVATE_KEY, GITHUB_TOKEN, ACCRUE_WRITE_SPACING_MS: spacing } = env;
  const writeSpacingMs = spacing ? Number(spacing) : null;
  if (APP_ID && PRIVATE_KEY) {
    const auth = {
      kind: "app" as const,
      appId: Number(APP_ID),
      privateKey: PRIVATE_KEY.replaceAll("\\n", "\n"),
    };
    return { baseUrl, auth, writeSpacingMs };
  }
  return GITHUB_TOKEN ? { baseUrl, auth: { kind: "token", token: GITHUB_TOKEN }, writeSpacingMs } : null;
}

/** The same; throws `CONFIG_MISSING` when there is neither. */
export function requireGitHubAccess(env: Readonly<Record<string, string | undefined>>): GitHubAccess {
  const access = gitHubAccess(env);
  if (access) return access;
  throw new AccrueError(
    "CONFIG_MISSING",
    "There are no credentials for GitHub: set GITHUB_TOKEN, or APP_ID and PRIVATE_KEY.",
  );
}

/** Key and address of the model's API for one command. */
export interface ModelAccess {
  key: string;
  url: string | undefined;
}

/**
 * How a command asks a model: an address that was typed needs no key, nor does a repository that begins at endpoints of its own.
 * Throws when there is no key, or the address is none.
 */
export function requireModelAccess(
  env: Readonly<Record<string, string | undefined>>,
  typed: string | null,
  { planner, executor, validator }: ModelConfig,
): ModelAccess {
  const url = typed ?? (env["ANTHROPIC_BASE_URL"] || undefined);
  if (url !== undefined && !z.url({ protocol: /^https?$/ }).safeParse(url).success) {
    const source = typed === null ? "ANTHROPIC_BASE_URL" : "--model-url";
    throw new AccrueError(
      "INPUT_INVALID",
      `"${url}" is no address of a model: ${source} looks like https://host/path.`,
    );
  }
  const key = env["ANTHROPIC_API_KEY"] || (typed === null ? "" : "none");
  const first = [planner, executor, validator].map((tier) => (typeof tier === "string" ? tier : tier[0]));
  if (key || !first.some((model) => model?.startsWith(`${ANTHROPIC}/`))) return { key, url };
  const cure = "set ANTHROPIC_API_KEY, or name a gateway with --model-url; `accrue demo` needs neither";
  throw new AccrueError("MODEL_KEY_MISSING", `There is no key to ask a model with: ${cure}.`);
}
