import { z } from "zod";
import type { Ask } from "../orchestrator/index.js";

// `REQ-20261129-7K3M2P` has a date and no issue, `REQ-12` the number of its issue.
const REQUIREMENT = /(?:^|\/)REQ-(?:(\d{8}-[0-9A-Z]{6})|(\d+))(?=-|$)/;
const BLOCK = /<!-- accrue:start -->([\s\S]*?)<!-- accrue:end -->/;
const CLOSES = /\bcloses #(\d+)/i;

/** Reads the requirement that a branch of ours belongs to: its issue, or null for one without; undefined for other branches. */
export function issueOfBranch(branch: string): number | null | undefined {
  const found = REQUIREMENT.exec(branch);
  if (!found) return undefined;
  return found[2] === undefined ? null : Number(found[2]);
}

/** True when the text holds our marked block. */
export function hasBlock(body: string): boolean {
  return BLOCK.test(body);
}

/**
 * What is done one after the other: `host/owner/name#12`. A pull request of ours belongs to the issue of its requirement,
 * so that what is said in both places is done in order.
 */
export function groupOf(ask: Ask): string {
  const { host, owner, name } = ask.repository;
  const place = ask.thread && { ...ask.thread, headRef: ask.headRef };
  return `${host}/${owner}/${name}#${numberOf(place ?? { headRef: ask.headRef }) ?? ask.key}`;
}

interface Place {
  number?: number;
  isPull?: boolean;
  body?: string;
  headRef: string | null;
}

function numberOf(place: Place): number | null {
  const ofBranch = place.headRef === null ? null : issueOfBranch(place.headRef);
  if (ofBranch) return ofBranch;
  // Comments on a pull request do not tell its branch, but our block in its body tells the issue.
  const ofBody = place.isPull ? CLOSES.exec(BLOCK.exec(place.body ?? "")?.[1] ?? "")?.[1] : undefined;
  return ofBody === undefined ? (place.number ?? null) : Number(ofBody);
}

const Thread = z.object({ number: z.number(), body: z.string().nullish() });
const Grouped = z.object({
  repository: z.object({ full_name: z.string(), html_url: z.url() }),
  issue: Thread.extend({ pull_request: z.unknown().optional() }).optional().catch(undefined),
  pull_request: Thread.extend({ head: z.object({ ref: z.string() }) })
    .optional()
    .catch(undefined),
  check_run: z
    .object({
      check_suite: z.object({ head_branch: z.string().nullish() }).nullish(),
      pull_requests: z.array(z.object({ number: z.number() })).nullish(),
    })
    .optional()
    .catch(undefined),
});

/** The group of a delivery that was not read yet, whatever it is: as {@link groupOf}, or a wider one when it tells less. */
export function groupOfPayload(payload: unknown): string {
  const parsed = Grouped.safeParse(payload);
  if (!parsed.success) return "no repository";
  const { repository, issue, pull_request: pull, check_run: check } = parsed.data;
  const base = `${new URL(repository.html_url).host}/${repository.full_name}`;
  const number = numberOf({
    number: issue?.number ?? pull?.number ?? check?.pull_requests?.[0]?.number,
    isPull: pull !== undefined || issue?.pull_request != null,
    body: issue?.body ?? pull?.body ?? "",
    headRef: pull?.head.ref ?? check?.check_suite?.head_branch ?? null,
  });
  return number === null ? base : `${base}#${number}`;
}
