import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AgentConfig } from "../../src/config/index.js";
import { openDatabase } from "../../src/db/index.js";
import { createLedger } from "../../src/ledger/index.js";
import type { EngineDeps } from "../../src/orchestrator/index.js";
import { fileShared } from "../../src/orchestrator/file-shared.js";
import type { Remark } from "../../src/orchestrator/remark.js";
import { remember } from "../../src/orchestrator/remember.js";
import type { Scene } from "../../src/orchestrator/scene.js";
import type { SharedPlace } from "../../src/orchestrator/shared-place.js";
import { AccrueError } from "../../src/shared/index.js";
import type { Mirror } from "../../src/workspace/index.js";
import { depositFile, depositOfRun } from "../support/finished-runs.js";
import { type Fixture, makeFixture, personGit, remoteFile, remoteTip } from "../workspace/fixture.js";

const AT = "2026-11-30T10:00:00.000Z";
const OWN = "acme/shop";

/** A service, and the repository that it shares with others. */
let home: Fixture;
let common: Fixture;
beforeEach(() => {
  home = makeFixture();
  common = makeFixture();
});
afterEach(() => {
  home.close();
  common.close();
});

const log = { info: () => {}, warn: () => {}, error: () => {} };
const clock = { now: () => 1_700_000_000_000 };
const deps = () =>
  ({
    ledger: createLedger(openDatabase(":memory:")),
    clock,
    log,
    openMemory: () => Promise.reject(new AccrueError("DATABASE_FAILED", "no memory here")),
  }) as Partial<EngineDeps> as EngineDeps;

function sceneOf(of: Fixture, name: string, attempt = 1, port: unknown = null): Scene {
  const { remote, identity } = of.mirrorInput();
  return {
    ask: {
      intent: { kind: "remember", text: "", into: "knowledge" },
      repository: { host: "example.org", owner: "acme", name },
      installation: null,
      defaultBranch: "main",
      actor: { id: 1, login: "lee", type: "User" },
      thread: null,
      comment: null,
      headRef: null,
      key: "delivery-1",
      at: AT,
    },
    doors: { port, remote, identity, self: "bot", askPerson: null } as unknown as Scene["doors"],
    settings: AgentConfig.parse({ knowledge: { depositor: "rules" } }),
    language: "en",
    requirement: null,
    attempt,
    signal: of.signal,
  };
}

const mirrorOf = (of: Fixture) => of.workspaces.mirror(of.mirrorInput(), of.signal);

async function sharedPlace(attempt = 1, port: unknown = null): Promise<SharedPlace> {
  const scene = sceneOf(common, "knowledge", attempt, port);
  return { name: "acme/knowledge", scene, mirror: await mirrorOf(common) };
}

const filesOn = (branch: string) =>
  personGit(common.remote, "ls-tree", "-r", "--name-only", branch, "context/").split("\n").filter(Boolean);
const commitsOn = (range: string) => personGit(common.remote, "rev-list", "--count", range).trim();

describe("a remark for several services", () => {
  const remark: Remark = {
    kind: "said",
    text: "Never log a token in `src/log.ts`",
    by: "lee",
    source: "https://example.org/1",
    trust: "bot",
    place: null,
    paths: [],
    fixed: null,
  };
  const say = async (attempt: number) =>
    remember(
      sceneOf(home, "shop", attempt),
      { remark, mirror: await mirrorOf(home), shared: await sharedPlace(attempt) },
      deps(),
    );

  it("is written once for a delivery, and the answer says it as the service reads it", async () => {
    const first = await say(1);
    const tip = remoteTip(common, "agent/knowledge");
    const again = await say(2);
    expect(again.made.recorded).toEqual(first.made.recorded);
    expect(again.made.deposits.map(({ rules }) => rules)).toEqual(
      first.made.deposits.map(({ rules }) => rules),
    );
    expect(first.made.deposits[0]?.rules[0]?.paths).toEqual(["src/log.ts"]);
    expect([remoteTip(common, "agent/knowledge"), remoteTip(home, "agent/knowledge")]).toEqual([tip, null]);
    const [path = ""] = filesOn("agent/knowledge");
    expect(remoteFile(common, "agent/knowledge", path)).toContain("- paths: `acme/shop:src/log.ts`");
  });

  it("that the service itself knows is not written there", async () => {
    const known = depositOfRun(1);
    const note = { ...known.note, solution: remark.text };
    home.commit(depositFile({ ...known, note }));
    const { made } = await say(1);
    expect(made.skipped).toMatchObject([{ code: "known", known: note.id }]);
    expect(remoteTip(common, "agent/knowledge")).toBeNull();
  });
});

describe("what a merge brought", () => {
  const learnt = (...numbers: number[]) => ({
    tree: new Map(numbers.flatMap((number) => Object.entries(depositFile(depositOfRun(number))))),
    own: OWN,
    language: "en" as const,
  });
  const file = async (place: SharedPlace, ...numbers: number[]) =>
    fileShared({ kind: "open", place }, learnt(...numbers), { clock, log });

  it("is filed once, also where a crash came before it was gone at home and a person has edited it since", async () => {
    const filed = await file(await sharedPlace(), 1);
    expect(filed).toMatchObject({ name: "acme/knowledge", waitsIn: null, reason: "" });
    expect([...filed.paths]).toEqual([depositOfRun(1).note.file]);
    const note = "context/experience/lesson-of-run-1-EXP-RVN00001.md";
    const text = remoteFile(common, "main", note);
    expect(text).toContain("Call `acme/shop:openModule1` of `acme/shop:src/m1.js` before anything else.");
    personGit(common.person, "pull", "-q", "origin", "main");
    common.commit({ [note]: text.replace("before anything else", "first of all") });
    const tip = remoteTip(common, "main");
    expect((await file(await sharedPlace(2), 1)).paths).toEqual(filed.paths);
    expect(remoteTip(common, "main")).toBe(tip);
    await file(await sharedPlace(2), 1, 2);
    expect(remoteFile(common, "main", note)).toContain("first of all");
    expect(filesOn("main").filter((path) => path.includes("EXP-RVN"))).toHaveLength(2);
    expect(filesOn("main").filter((path) => path.includes("deposits/"))).toEqual([]);
  });

  it("is computed anew where others file at the same moment", async () => {
    const other = await common.again().mirror(common.mirrorInput(), common.signal);
    await Promise.all([
      file(await sharedPlace(), 1, 2),
      file({ ...(await sharedPlace()), mirror: other }, 3, 4),
    ]);
    expect(filesOn("main").filter((path) => path.startsWith("context/experience/"))).toHaveLength(4);
    expect(remoteFile(common, "main", "context/rules/risk-rules.md").match(/^## R-/gm)).toHaveLength(4);
  });

  it("stays at home with a reason where it cannot be written, and where its text needs a person", async () => {
    const closed = { kind: "closed", name: "acme/knowledge", reason: "not installed" } as const;
    expect(await fileShared(closed, learnt(1), { clock, log })).toMatchObject({
      paths: new Set(),
      reason: "not installed",
    });
    const place = await sharedPlace();
    const refused = { kind: "refused", reason: "denied", message: "the app may not write here" } as const;
    const mirror: Mirror = { ...place.mirror, push: () => Promise.resolve(refused) };
    expect(await file({ ...place, mirror }, 1)).toMatchObject({
      paths: new Set(),
      reason: "the app may not write here",
    });
    const broken = depositFile(depositOfRun(1));
    const tree = new Map(Object.entries(broken).map(([path, text]) => [path, `${text}\n- level: hihg\n`]));
    const filed = await fileShared({ kind: "open", place }, { ...learnt(), tree }, { clock, log });
    expect([filed.paths.size, commitsOn("main")]).toEqual([0, "1"]);
  });

  it("stays beside a document of the service that it brings up", async () => {
    const DOCUMENT = "context/tech/services/wallet.md";
    const deposit = depositOfRun(1);
    const rules = deposit.rules.map((rule) => ({ ...rule, kind: "context" as const, load: [DOCUMENT] }));
    const files = Object.entries(depositFile({ ...deposit, rules }));
    const filedBeside = async (...others: [string, string][]) => {
      const tree = new Map([...files, ...others]);
      const home = { kind: "open" as const, place: await sharedPlace() };
      return (await fileShared(home, { ...learnt(), tree }, { clock, log })).paths.size;
    };
    expect([await filedBeside([DOCUMENT, "# wallet\n"]), await filedBeside()]).toEqual([0, 1]);
  });

  it("waits in the standing pull request of a protected base, which is opened also after a crash between", async () => {
    let opened = 0;
    const port = {
      findPull: () => Promise.resolve(null),
      lastPull: () => Promise.resolve(null),
      openPull: () => {
        opened += 1;
        return opened === 1 ? Promise.reject(new Error("killed")) : Promise.resolve({ number: 7 });
      },
    };
    const guarded = async (attempt: number) => {
      const place = await sharedPlace(attempt, port);
      const refused = { kind: "refused", reason: "protected", message: "GH006" } as const;
      const push: Mirror["push"] = (input, signal) =>
        input.branch === "main" ? Promise.resolve(refused) : place.mirror.push(input, signal);
      return { ...place, mirror: { ...place.mirror, push } };
    };
    await expect(file(await guarded(1), 1)).rejects.toThrow("killed");
    expect(await file(await guarded(2), 1)).toMatchObject({ waitsIn: 7, reason: "" });
    expect([commitsOn("main"), commitsOn("main..agent/knowledge")]).toEqual(["1", "1"]);
    expect(filesOn("agent/knowledge")).toEqual([depositOfRun(1).note.file]);
  });
});
