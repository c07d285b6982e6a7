import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AgentConfig } from "../../src/config/index.js";
import { openDatabase } from "../../src/db/index.js";
import { createGitHub } from "../../src/github/index.js";
import { createLedger } from "../../src/ledger/index.js";
import { type Ask, createGitHubDoors } from "../../src/orchestrator/index.js";
import { completeAndFold } from "../../src/orchestrator/fold.js";
import { createUlids } from "../../src/shared/index.js";
import { createWorkspaces } from "../../src/workspace/index.js";
import { APP } from "../support/app.js";
import { type FinishedRun, finishRuns, knowledgeOn, wrongOf } from "../support/finished-runs.js";
import { type Place, jobs, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, until } from "../support/stack.js";

const RUNS = 50;
/** All of them meet at each push, so that this is the dearest way to write. */
const PROCESSES = 12;
const LONG_MS = 900_000;
const RISKS = "context/rules/risk-rules.md";
const NEVER = new AbortController().signal;
const nothing = () => {};
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const clock = { now: () => Date.now() };

let stack: Stack;
let folder: string;
beforeAll(async () => {
  stack = await startTinyStack();
  folder = mkdtempSync(join(tmpdir(), "accrue-fifty-"));
  chmodSync(folder, 0o711);
});
afterAll(async () => {
  await stack.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A person writes a rule of their own into the file that every fold writes. */
async function editRules(place: Place, id: string): Promise<void> {
  const before = knowledgeOn(stack, place).get(RISKS) ?? "# Risk rules\n";
  const rule = `## ${id} Ask before ${id}\n\n- level: warn\n- keywords: release ${id}\n- alert: ask Maya\n`;
  await stack.forge.control.commit({
    repository: place.repository,
    branch: "main",
    files: { [RISKS]: `${before.trimEnd()}\n\n${rule}` },
    message: "A person's rule",
    login: "maya",
  });
}

const EDITS = ["R-PERS01", "R-PERS02", "R-PERS03"];

function expectWhole(place: Place, runs: readonly FinishedRun[]): void {
  const tree = knowledgeOn(stack, place);
  expect(wrongOf(tree, runs)).toEqual([]);
  expect(runs).toHaveLength(RUNS);
  for (const id of EDITS) expect(tree.get(RISKS)?.split(`## ${id} `)).toHaveLength(2);
}

describe("KN-51 KN-51b KN-53 KN-54 KN-56 KN-57: fifty runs that are merged at once", () => {
  it(
    "lose nothing on one server, while a person edits the same rule file",
    async () => {
      const place = await newPlace(stack, { files: { "README.md": "# x\n" } });
      const runs = await finishRuns(stack, place, { count: RUNS });
      for (const [index, { pull }] of runs.entries()) {
        await place.merge(pull);
        if (index % 20 === 5) await editRules(place, EDITS[Math.floor(index / 20)] ?? "");
      }
      await until(
        "all folds",
        async () => {
          const { waiting, running } = jobs(stack);
          if (waiting + running > 0) return false;
          return ![...knowledgeOn(stack, place).keys()].some((path) => path.includes("in-progress/"));
        },
        LONG_MS,
      );
      expectWhole(place, runs);
    },
    LONG_MS,
  );

  it(
    "lose nothing over twelve processes that know nothing of each other",
    async () => {
      const place = await newPlace(stack, { files: { "README.md": "# x\n" } });
      const runs = await finishRuns(stack, place, { count: PROCESSES });
      stack.forge.control.setWebhook(null);
      const merges: string[] = [];
      for (const { pull } of runs) {
        await place.merge(pull);
        const merged = (await place.as("maya", "GET", `/pulls/${pull}`)) as { merge_commit_sha: string };
        merges.push(merged.merge_commit_sha);
      }
      stack.forge.control.setWebhook(stack.webhookUrl);
      const processes = Array.from({ length: PROCESSES }, (_, index) => openProcess(`process-${index}`));
      const folds = runs.map((run, index) => processes[index]?.(place, run, merges[index] ?? ""));
      const edits = EDITS.map(async (id) => editRules(place, id).catch(nothing));
      await Promise.all([...folds, ...edits]);
      expect(wrongOf(knowledgeOn(stack, place), runs)).toEqual([]);
    },
    LONG_MS,
  );
});

/** A fold as another server, or a workflow job, would do it: with a mirror of its own. */
function openProcess(name: string): (place: Place, run: FinishedRun, sha: string) => Promise<unknown> {
  const workspaces = createWorkspaces(
    { clock },
    {
      data: join(folder, name),
      path: process.env["PATH"] ?? "",
      sandbox: { level: "none", uid: 65534, network: [] },
      nodePath: process.execPath,
      uid: process.getuid?.() ?? 0,
    },
  );
  const access = { kind: "app" as const, appId: APP.id, privateKey: APP.privateKey };
  const github = createGitHub(
    { clock, log },
    { baseUrl: stack.forge.apiUrl, auth: access, writeSpacingMs: 0 },
  );
  const doorsOf = createGitHubDoors({ github, clock, log }, { statusIntervalMs: 0 });
  const newId = createUlids(clock);
  const ledger = createLedger(openDatabase(":memory:"));
  const installation = stack.forge.control
    .deliveries()
    .map(({ payload }) => (payload as { installation?: { id: number } }).installation?.id)
    .find((id) => id !== undefined);
  return async (place, { requirement, pull, branch }, sha) => {
    const [owner = "", repository = ""] = place.repository.split("/");
    const ask: Ask = {
      intent: { kind: "continue", text: "", merged: true },
      repository: { host: new URL(stack.forge.url).host, owner, name: repository },
      installation: installation ?? null,
      defaultBranch: "main",
      actor: null,
      thread: null,
      comment: null,
      headRef: branch,
      key: `${name}-${pull}`,
      at: new Date().toISOString(),
    };
    const doors = await doorsOf(ask);
    const settings = AgentConfig.parse({});
    const merged = { sha, pull, by: "maya" };
    const shared = { kind: "none" as const };
    const input = { ask, doors, settings, language: "en" as const, requirement, merged, ticked: [], shared };
    return completeAndFold(input, { clock, newId, log, ledger, workspaces: () => workspaces }, NEVER);
  };
}
