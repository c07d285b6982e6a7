import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FileLedger, openFileLedger, repository } from "./entries.js";

let file: FileLedger;
beforeEach(() => {
  file = openFileLedger();
});
afterEach(() => file.close());

const pack = {
  repository,
  requirement: "REQ-1",
  run: "run-1",
  phase: "implement",
  task: "T1",
  agent: "implementation-executor",
  at: "2026-11-29T12:00:00.000Z",
  hash: "a".repeat(64),
  tokens: 7_900,
  knowledgeTokens: 600,
  files: 12,
  asked: 5,
  askedLater: 2,
};

describe("context packs", () => {
  it("are added up with what agents asked for beyond them, narrowed like entries", () => {
    file.ledger.keepPack(pack);
    file.ledger.keepPack({
      ...pack,
      task: "T2",
      asked: 3,
      askedLater: 0,
      tokens: 100,
      knowledgeTokens: 50,
      files: 1,
    });
    file.ledger.keepPack({ ...pack, requirement: "REQ-2", run: "run-2" });
    file.restart();
    const sums = { packs: 2, tokens: 8_000, knowledgeTokens: 650, files: 13, asked: 8, askedLater: 2 };
    expect(file.ledger.packs({ requirement: "REQ-1" })).toEqual(sums);
    expect(file.ledger.report({ by: "task", requirement: "REQ-1" }).packs).toEqual(sums);
    expect(file.ledger.packs({ run: "run-3" })).toEqual({
      packs: 0,
      tokens: 0,
      knowledgeTokens: 0,
      files: 0,
      asked: 0,
      askedLater: 0,
    });
  });

  it("count once for an agent that does its task again after a crash", () => {
    file.ledger.keepPack(pack);
    file.ledger.keepPack({ ...pack, asked: 9, askedLater: 1 });
    expect(file.ledger.packs({})).toMatchObject({ packs: 1, asked: 9, askedLater: 1 });
  });

  it("say phase by phase what knowledge took of them", () => {
    file.ledger.keepPack({
      ...pack,
      phase: "requirement",
      at: "2026-11-29T11:00:00.000Z",
      knowledgeTokens: 40,
    });
    file.ledger.keepPack(pack);
    file.ledger.keepPack({ ...pack, task: "T2", knowledgeTokens: 400 });
    const phases = [
      { phase: "requirement", tokens: 40, packs: 1 },
      { phase: "implement", tokens: 1_000, packs: 2 },
    ];
    expect(file.ledger.knowledgeByPhase({ requirement: "REQ-1" })).toEqual(phases);
    expect(file.ledger.report({ by: "phase" }).knowledge).toEqual(phases);
  });
});
