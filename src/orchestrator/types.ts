import type { Code, CodePlace } from "../context/index.js";
import type { GitHubPort } from "../github/index.js";
import type { Follow, Tree, TreeMemory } from "../knowledge/index.js";
import type { Attribution, Ledger } from "../ledger/index.js";
import type { MemoryEvent, MemoryOptions } from "../memory/index.js";
import type { Model, ModelConfig } from "../model/index.js";
import type { Criterion, PlannedTask, RequirementEvent } from "../requirements/index.js";
import type { Clock, Language, Outcome, RepositoryRef } from "../shared/index.js";
import type { Skills } from "../skills/index.js";
import type { McpOptions, McpServers, Registry, TodoItem, ToolContext, ToolOptions } from "../tools/index.js";
import type { Baselines, Validation, ValidateConfig } from "../validator/index.js";
import type { Identity, Remote, SandboxConfig, SetupConfig, Workspaces } from "../workspace/index.js";
import type { GateView, ShownGate } from "./gate.js";
import type { Ask } from "./intent.js";
import type { RunOptions } from "./options.js";
import type { Proved } from "./proof/judge.js";
import type { Finding } from "./review-findings.js";
import type { ServiceSite, Sites } from "./site.js";
import type { Links } from "./texts/words.js";

/** A repository's whole configuration as the engine uses it; `config` makes it. */
export interface Settings extends RunOptions {
  model: ModelConfig;
  memory: MemoryOptions;
  mcp: McpOptions;
  tools: ToolOptions;
  validate: ValidateConfig;
  setup: SetupConfig;
  sandbox: SandboxConfig;
}

/** A line of the log, for operators. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** A phase's or task's state as shown: ○ waiting, ⏳ active, ✅ done, ⏸ paused, ❌ failed. */
export type Mark = "waiting" | "active" | "done" | "paused" | "failed";

/** What a person sees of a run while it goes on. */
export interface Board {
  requirement: string;
  run: string;
  language: Language;
  title: string;
  /** First line: where things stand. */
  headline: string;
  mark: Mark;
  branch: string | null;
  base: string;
  rows: { phase: "requirement" | "design" | "implement" | "validate"; mark: Mark; result: string }[];
  tasks: { id: string; title: string; mark: Mark }[];
  /** The list that the agent at work keeps for itself. */
  todo: readonly TodoItem[];
  activity: string;
  reminders: Reminder[];
  notices: string[];
  pull: number | null;
  /** What else is changed in repositories of services. */
  services: { name: string; repository: string; branch: string; url: string; pull: number | null }[];
  /** What a person is asked to approve; null while nobody is. */
  gate: GateView | null;
  spentNanoUsd: number;
  /** What the requirement may cost, as people read it. */
  budget: string;
  elapsedMs: number;
}

/** What earlier work says about this requirement. */
export interface Reminder {
  id: string;
  level: "info" | "warn" | "high" | "block";
  text: string;
  /** File that says it, and the branch that holds it, or its address in another repository; null when no file does. */
  place: { branch: string; path: string } | { address: string } | null;
  /** True while what it says waits to be merged. */
  isPending: boolean;
}

/** What became of a run. */
export interface RunEnd {
  outcome: Outcome;
  /** `finished`, or why not: a person is needed (`paused`), it was stopped, or it failed. */
  state: "finished" | "paused" | "stopped" | "failed";
  reason: string;
  requirement: string;
  run: string;
  branch: string | null;
  pull: number | null;
  tasks: { id: string; title: string; done: boolean }[];
  /** What a person is asked to approve, and since when. */
  gate?: ShownGate;
}

/** Everything that publishing shows. */
export interface Publication {
  title: string;
  headSha: string;
  summary: string;
  validation: Validation;
  evidence: LocatedEvidence[];
  findings: Finding[];
  changedFiles: string[];
  /** What is published in repositories of services beside it. */
  services: ServicePublication[];
  /** Null when nothing that changed is on the code map. */
  reach: Reach | null;
  /** True when the pull request is to leave its draft by itself. */
  isReady: boolean;
}

/** What publishing shows in a service's repository. */
export interface ServicePublication {
  site: ServiceSite;
  headSha: string;
  validation: Validation;
  changedFiles: string[];
  links: Links;
}

/** What a change can break. */
export interface Reach {
  /** How many definitions use what changed, directly or not. */
  definitions: number;
  /** Files that hold them, without those that changed. */
  files: string[];
  tests: string[];
  /** The same files as Mermaid. */
  drawing: string;
}

/** Per acceptance criterion: what was observed. `not-run` when nothing speaks for it. */
export interface Evidence {
  id: string;
  text: string;
  outcome: Outcome;
  evidence: string;
  /** The service in whose repository the evidence lies; absent: the requirement's own. */
  service?: string;
}

/** Evidence with the address of where it lies; null where there is none. */
export interface LocatedEvidence extends Evidence {
  url: string | null;
}

/** Where a run shows itself and publishes: GitHub, or a terminal. Every call is idempotent. */
export interface Front {
  acknowledge(): Promise<void>;
  /** `urgent` writes at once; otherwise calls close together are folded into one. */
  show(board: Board, urgent: boolean): Promise<void>;
  /** Gives the pull request's number, or null without GitHub. */
  publish(run: Run, publication: Publication): Promise<number | null>;
  bill(run: Run): Promise<void>;
  /** Tells people something that they have to know while it goes on; once for a key. Contract: never rejects. */
  alert(key: string, text: string): Promise<void>;
  /** Shows what others have to do, with boxes to tick. */
  showParts(run: Run): Promise<void>;
  /** Shows on the branch's head that a person is asked for something, with buttons to give it. */
  askPerson(run: Run, needs: "approval" | "budget", text: string): Promise<void>;
  /** Leaves nothing in progress that this run will not finish. */
  abandon(run: Run, reason: string): Promise<void>;
}

/** The doors to one repository that an ask came from. */
export interface Doors {
  port: GitHubPort | null;
  remote: Remote;
  /** What knowledge that several repositories share calls it, where that is not its owner and name. */
  knownAs?: string;
  identity: Identity;
  /** Login that our commits, comments and events carry. */
  self: string;
  /** Asks a person on the spot; null where nobody can answer. */
  askPerson: ToolContext["askPerson"];
  front: (run: { ask: Ask; language: Language; settings: Settings; requirement: string }) => Front;
}

/** A checkout of a repository whose code is to be known. */
export interface CheckoutOf extends Omit<CodePlace, "database"> {
  repository: RepositoryRef;
}

/** A repository whose memories are to be known. */
export interface MemoryOf {
  repository: RepositoryRef;
  options: MemoryOptions;
  /** Told what people should know about it. */
  warn(message: string): void;
  /** Where the code has now what memories name. */
  follow?: Follow;
}

/** What the engine is made of; `compose.ts` puts it together. */
export interface EngineDeps {
  clock: Clock;
  newId(): string;
  log: Log;
  /** Data folder: mirrors, checkouts, transcripts, caches. */
  data: string;
  ledger: Ledger;
  skills: Skills;
  /** What a repository begins with, as it ships. */
  scaffold: Tree;
  registry: Registry;
  model(settings: Settings): Model;
  /** Starts the MCP servers that a repository may use. */
  servers(mcp: McpOptions, signal: AbortSignal): Promise<McpServers>;
  /** A person's own skills and commands; empty on a server. */
  userFiles: ReadonlyMap<string, string>;
  workspaces(sandbox: SandboxConfig): Workspaces;
  /** Opens what is known of a checkout's code. */
  openCode(checkout: CheckoutOf): Promise<Code>;
  /** Opens what is remembered of a repository. */
  openMemory(of: MemoryOf, signal: AbortSignal): Promise<TreeMemory>;
  baselines: Baselines;
  /** True where a queue lets us come back to look for a 👍 while a person is asked to approve something: GitHub sends no event for it. */
  watchesReactions: boolean;
  doors(ask: Ask): Promise<Doors>;
  settings(ask: Ask, doors: Doors): Promise<Settings>;
}

/** What the agents of a run can use besides what ships: the same from its first call to its last. */
export interface Toolbox extends Pick<McpServers, "commands" | "roles"> {
  registry: Registry;
  /** Names of those tools of servers and of the repository that may change something. */
  writing: readonly string[];
  /** Contract: call it when the run ends, however it ends. */
  close(): Promise<void>;
}

/** One run while it goes on, and the repository that it is of. Phases fill it in; nothing else holds state. */
export interface Run extends Sites {
  readonly id: string;
  readonly ask: Ask;
  readonly requirement: string;
  readonly settings: Settings;
  readonly language: Language;
  readonly doors: Doors;
  readonly front: Front;
  readonly deps: EngineDeps;
  readonly startedMs: number;
  /** What the person asks for, as it was at the event. */
  readonly title: string;
  readonly text: string;
  readonly board: Board;
  /** What is remembered of the repository; asked about `knowledge`. */
  readonly memory: TreeMemory;
  /** What agents are told here: the repository's own over the shipped. */
  readonly skills: Skills;
  /** Null until the run is prepared. */
  toolbox: Toolbox | null;
  /** Files and commands that the person's words bring in, ready for a prompt. */
  brought: string;
  readonly slug: string;
  events: RequirementEvent[];
  /** Knowledge of base, branch and unfolded deposits. */
  knowledge: Tree;
  /** Which branch holds a file of `knowledge` that is not on the base. */
  readonly elsewhere: ReadonlyMap<string, string>;
  /** Addresses of what only the shared repository has of `knowledge`: files, and rules as `path#R-…`; empty where there is no GitHub. */
  readonly shared: ReadonlyMap<string, string>;
  /** Ids of notes and rules that agents were shown, by phase. */
  readonly shown: Map<string, string[]>;
  /** What its agents answered, as JSON: who cites a memory used it. */
  readonly said: string[];
  /** How it used memories: what its events file says. */
  readonly memoryEvents: MemoryEvent[];
  draft: { title: string; criteria: Criterion[] } | null;
  /** `requirement.md` and `design.md` as they stand in the checkout. */
  documents: { requirement: string; design: string; summary: string };
  tasks: PlannedTask[];
  evidence: Evidence[];
  /** What all repositories' checks together said of the result. */
  validation: Validation | null;
  /** What was observed of the test or rule that a small request asked for. */
  proof: Proved | null;
  /** When its branch was last pushed, in milliseconds. */
  pushedMs: number;
  attribution(phase: string, task: string, agent: string): Omit<Attribution, "callType">;
}
