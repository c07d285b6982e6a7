import type { Code } from "../context/index.js";
import type { GitHubPort } from "../github/index.js";
import type { RepositoryRef } from "../shared/index.js";
import type { ValidateConfig, Validation } from "../validator/index.js";
import type { SetupConfig, SetupResult, Workspace } from "../workspace/index.js";
import { type FailureLog, createFailureLog } from "./failure-log.js";
import type { Finding } from "./review-findings.js";

/** What was observed in a repository that a requirement changes. */
export interface Observations {
  /** What its commands and checks showed, and what was done about it. */
  readonly failures: FailureLog;
  setup: SetupResult | null;
  baseline: Validation | null;
  /** What its own checks said of the result. */
  checked: Validation | null;
  /** What reviewers found in it and nobody put right. */
  findings: Finding[];
}

/** One repository that a requirement changes: its checkout, its code, and what was observed there. */
export interface Site extends Observations {
  /** Its name among the configured services, joined where it is several; empty for the requirement's own repository. */
  readonly service: string;
  readonly repository: RepositoryRef;
  /** How this repository is set up and checked. */
  readonly settings: { validate: ValidateConfig; setup: SetupConfig };
  readonly workspace: Workspace;
  readonly code: Code;
  /** What its `AGENTS.md` tells agents. */
  readonly instructions: string;
}

/** The repository of a service that a requirement changes beside its own. */
export interface ServiceSite extends Site {
  /** The configured services that lie in it and that the plan names: one repository is one site. */
  readonly names: readonly string[];
  /** Globs of the files that they are; empty: all of them. */
  readonly paths: readonly string[];
  readonly port: GitHubPort;
  /** The branch that its commits are on. */
  branch: string;
  pull: number | null;
}

/** A requirement's own repository with those of the services that it changes. */
export interface Sites extends Site {
  readonly services: ServiceSite[];
}

/** A repository of which nothing was observed yet. */
export function unobserved(): Observations {
  return { failures: createFailureLog(), setup: null, baseline: null, checked: null, findings: [] };
}

/** All repositories that a run changes, the requirement's own first. */
export function sitesOf(run: Sites): Site[] {
  return [run, ...run.services];
}

/** The site of a task: that of the service which it names, else the requirement's own repository. */
export function siteOf(run: Sites, { service }: { service?: string }): Site {
  return run.services.find(({ names }) => names.includes(service ?? "")) ?? run;
}

/** A repository's name as people write it. */
export function fullName({ owner, name }: RepositoryRef): string {
  return `${owner}/${name}`;
}
