import type { Clock } from "../shared/index.js";
import type { ForgeRole } from "./role.js";
import type { ForgeState } from "./state.js";

/** The GitHub App that the forge knows: what a person would have registered on GitHub. */
export interface ForgeApp {
  id: number;
  clientId: string;
  slug: string;
  name: string;
  /** Login of the account that owns the App. */
  owner: string;
  /** PEM; the forge checks the App's tokens against its public half. */
  privateKey: string;
  webhookSecret: string;
  permissions: Record<string, "read" | "write">;
  events: string[];
}

/** A page for a browser: whoever builds it reads the state, and gives null for an address that it does not know. */
export type ForgePages = (path: string, state: ForgeState) => Promise<ForgePage | null>;

/** What a browser gets. */
export interface ForgePage {
  status: number;
  html: string;
}

/** What the forge is started with. */
export interface ForgeOptions {
  /** Folder in which the bare repositories are made. */
  root: string;
  clock: Clock;
  app: ForgeApp;
  /** Default: 127.0.0.1. */
  host?: string;
  /** Default: 0, any free port. */
  port?: number;
  /** File that gets one JSON line per exchange and webhook. */
  logFile?: string | null;
  pages?: ForgePages;
  /** Where `git` and `sh` are looked for, in the form of `PATH`. Default: the usual system folders. */
  searchPath?: string;
}

/** One attempt to deliver one webhook. */
export interface ForgeDelivery {
  id: number;
  /** `X-GitHub-Delivery`: a redelivery carries the same. */
  guid: string;
  event: string;
  action: string | null;
  repository: string | null;
  redelivery: boolean;
  /** 0 while unanswered, when nobody listens, or when no webhook address is set. */
  statusCode: number;
  /** `OK`, or why not, in GitHub's words. */
  status: string;
  payload: Record<string, unknown>;
}

/** Makes the next matching requests go wrong, whatever they ask for. */
export interface FaultRule {
  method?: string;
  /** Tested against the path without `/api/v3` and query; git and GraphQL requests match by their whole path. */
  path: RegExp;
  /** How many requests it hits. Default: 1. */
  times?: number;
  /** Without it, the request goes on (after the delay). */
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  delayMs?: number;
  /** Closes the connection without an answer. */
  drop?: boolean;
}

/** One answered request, for whoever watches. */
export interface ForgeExchange {
  method: string;
  path: string;
  status: number;
}

/**
 * What no route of GitHub offers: seeding, a person's acts in the browser, faults, and what was delivered. Kept apart from
 * GitHub's routes, so that the same tests can be pointed at a real server.
 * Contract: repositories are named `owner/name`; unknown names reject with `INPUT_INVALID`.
 */
export interface ForgeControl {
  /** Adds an account, or finds it; the token is a person's own, with all that the person may do. */
  addUser(
    login: string,
    options?: { type?: "User" | "Bot" | "Organization"; token?: string },
  ): { id: number; token: string };
  /** Makes a ghost: what it wrote stays, without a user. */
  deleteUser(login: string): void;
  /** Without `files` the repository has no commit at all. */
  addRepository(input: NewRepository): Promise<{ id: number; path: string }>;
  /** A person's fork, with the name and branches of the original. */
  addFork(input: { repository: string; owner: string }): Promise<{ id: number; path: string }>;
  /** A person's push of one commit, with its webhooks. `null` removes a file; `from` is where a new branch starts. */
  commit(input: NewCommit): Promise<string>;
  /** Installs the App on all repositories of an account, or on some of them (`owner/name`); gives the installation's id. */
  install(owner: string, selected?: readonly string[]): number;
  /** Gives an installation more repositories, as its owner does in the App's settings. */
  addToInstallation(installation: number, repositories: readonly string[]): void;
  suspend(installation: number, suspended: boolean): void;
  /** Where the App's webhooks go; null: they are logged and not sent. */
  setWebhook(url: string | null): void;
  /** From now on the App may not push to or move this branch; people may. */
  protectBranch(repository: string, branch: string): void;
  archive(repository: string, archived: boolean): void;
  lockIssue(repository: string, number: number, locked: boolean): void;
  /** A person presses a button of a check run: `rerequest`, or one of the run's own actions. */
  pressCheck(input: { repository: string; checkRun: number; login: string; button: string }): void;
  fault(rule: FaultRule): void;
  /** Every installation token that it gave out and that was not revoked, so that a test can look where it must not be. */
  installationTokens(): string[];
  /** Every attempt so far, oldest first. */
  deliveries(): ForgeDelivery[];
  /** Sends a delivery again, under its GUID. */
  redeliver(id: number): Promise<void>;
  /** Resolves when every webhook sent so far was answered or given up. */
  settle(): Promise<void>;
  /** Tells of each answered request; gives the function that ends it. */
  watch(listener: (exchange: ForgeExchange) => void): () => void;
}

/** What a new repository holds. */
export interface NewRepository {
  owner: string;
  name: string;
  description?: string;
  files?: Record<string, string>;
  /** Default: main. */
  defaultBranch?: string;
  /** Default: false. */
  private?: boolean;
  collaborators?: Record<string, ForgeRole>;
}

/** One commit of a person. */
export interface NewCommit {
  repository: string;
  branch: string;
  files: Record<string, string | null>;
  message: string;
  login: string;
  from?: string;
}

/** A running stand-in for a GitHub Enterprise Server on loopback. */
export interface Forge {
  url: string;
  /** `url` + `/api/v3`. */
  apiUrl: string;
  control: ForgeControl;
  close(): Promise<void>;
}
