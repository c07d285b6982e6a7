import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { renderBill } from "../ledger/index.js";
import type { Language, RepositoryRef } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import type { Ask } from "./intent.js";
import type { Doors, EngineDeps, Settings } from "./types.js";

/** The mirror of an ask's repository, up to date. */
export function openMirror(
  deps: Pick<EngineDeps, "workspaces">,
  of: { ask: Ask; doors: Doors; settings: Settings },
  signal: AbortSignal,
): Promise<Mirror> {
  const { remote, identity } = of.doors;
  const { repository } = of.ask;
  return deps.workspaces(of.settings.sandbox).mirror({ repository, remote, identity }, signal);
}

/** Folder of a run's transcripts and full tool outputs, outside of its checkout. */
export async function runFolder(deps: EngineDeps, run: string): Promise<string> {
  const folder = join(deps.data, "transcripts", run);
  await mkdir(join(folder, "outputs"), { recursive: true, mode: 0o700 });
  return folder;
}

/** Folder of what a requirement's agents note for whoever goes on with their work, also in a later run. */
export async function handOverFolder(
  deps: EngineDeps,
  of: { ask: Ask; requirement: string },
): Promise<string> {
  const { host, owner, name } = of.ask.repository;
  const folder = join(deps.data, "hand-over", host, owner, name, of.requirement);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** The bill of a requirement as Markdown; empty while it has cost nothing. */
export function billText(
  deps: EngineDeps,
  of: { requirement: string; language: Language; budgetUsd: number | null; repository: RepositoryRef },
): string {
  const { requirement, language, budgetUsd, repository } = of;
  const bill = deps.ledger.bill({ repository, requirement });
  if (bill.totals.calls === 0) return "";
  const similar = deps.ledger
    .similar({ repository, requirement })
    .map(({ requirement: id, costNanoUsd }) => ({ requirement: id, usd: costNanoUsd / 1e9 }));
  return renderBill(bill, { language, budgetUsd, similar, links: { requirement: null, trace: null } });
}
