import { readFile, writeFile } from "node:fs/promises";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readTranscript, type TranscriptLine } from "../../src/agent/index.js";
import { createHistory } from "../../src/agent/history.js";
import { repairTranscript } from "../../src/agent/transcript.js";
import { refuseIllegal } from "../../src/forge/model/refusals.js";
import { parseRequest } from "../../src/forge/model/request.js";
import { DONE, openAgentBench, READ, SUMMARY, TEXTS } from "../support/agent-bench.js";

let bench: Awaited<ReturnType<typeof openAgentBench>>;
beforeEach(async () => {
  bench = await openAgentBench();
});
afterEach(() => bench.close());

const TURNS = [
  {
    think: "Look first.",
    say: "Reading 读取.",
    call: [READ, { tool: "search", input: { pattern: "const" } }],
  },
  { say: "Hm." },
  { think: "Now.", call: [{ tool: "write_file", input: { path: "b.ts", content: "b" } }] },
  { call: [DONE], repeat: true },
];
const on = { spec: { resume: true } };
const linesOf = (content: Buffer) => content.toString("utf8").split("\n").slice(0, -1);

/** Leaves the transcript as it is after that many of its lines. */
async function keepLines(count: number): Promise<void> {
  const lines = linesOf(await readFile(bench.transcript)).slice(0, count);
  await writeFile(bench.transcript, `${lines.join("\n")}\n`);
}

describe("a transcript", () => {
  it("is read in order, without the line that a crash cut off", async () => {
    const { lines } = await bench.play(TURNS);
    expect(lines.map(({ type, n }) => [type, n])).toEqual(
      ["start", "answer", "results", "answer", "note", "answer", "results", "answer", "results", "end"].map(
        (type, n) => [type, n],
      ),
    );
    const whole = await readFile(bench.transcript);
    await writeFile(bench.transcript, whole.subarray(0, -20));
    expect(await readTranscript(bench.transcript)).toEqual(lines.slice(0, -1));
  });

  it("names file, line and fault when it cannot be read", async () => {
    await expect(readTranscript(bench.transcript)).rejects.toThrow(
      `There is no transcript ${bench.transcript}`,
    );
    await bench.play(TURNS);
    const [first, ...rest] = linesOf(await readFile(bench.transcript));
    for (const [bad, fault] of [
      ["{", "JSON"],
      ['{"type":"nonsense"}', "type"],
      ['{"type":"note","n":1,"at":"","turn":1,"text":5,"stop":null}', "text"],
    ]) {
      await writeFile(bench.transcript, [first, bad, ...rest, ""].join("\n"));
      const read = readTranscript(bench.transcript);
      await expect(read).rejects.toMatchObject({ code: "INPUT_INVALID" });
      await expect(read).rejects.toThrow(new RegExp(`t\\.jsonl, line 2 .*[\\s\\S]*${fault}`));
    }
  });

  it("cut at any byte is repaired, and what is left can be sent", async () => {
    await bench.play(TURNS);
    const whole = await readFile(bench.transcript);
    const lines = linesOf(whole);
    const position = fc.nat(whole.length);
    await fc.assert(
      fc.asyncProperty(position, fc.boolean(), async (at, isTorn) => {
        const torn = Buffer.concat([whole.subarray(0, at), Buffer.from(isTorn ? "\0\0\n\0" : "")]);
        await writeFile(bench.transcript, torn);
        const kept = await repairTranscript(bench.transcript);
        const text = await readFile(bench.transcript, "utf8");
        expect(text).toBe(
          lines
            .slice(0, kept.length)
            .map((line) => `${line}\n`)
            .join(""),
        );
        expect(whole.subarray(Buffer.byteLength(text), at).includes("\n")).toBe(false);
        const history = createHistory(TEXTS, 0);
        for (const line of kept) history.add(line);
        if (kept.length === 0) return;
        refuseIllegal(parseRequest({ model: "m", max_tokens: 1, messages: history.messages() }));
      }),
    );
  });
});

describe("a job that broke off", () => {
  it("reaches its goal, wherever the transcript was cut", async () => {
    await bench.play(TURNS);
    const whole = await readFile(bench.transcript);
    const ends = linesOf(whole).map(
      (_, at) => whole.length - Buffer.byteLength(linesOf(whole).slice(at).join("\n")) - 1,
    );
    for (const at of ends.flatMap((end) => [end, end + 1, end + 40]).slice(1)) {
      await writeFile(bench.transcript, whole.subarray(0, at));
      const { end, lines, statuses } = await bench.play(TURNS, on);
      expect(end).toMatchObject({ reason: "GOAL", output: { summary: "It works." } });
      expect(statuses.every((status) => status === 200)).toBe(true);
      expect(lines.at(-1)?.type).toBe("end");
      expect(lines.map(({ n }) => n)).toEqual(lines.map((_, at) => at));
    }
  });

  it("does not run a call again that nobody answered", async () => {
    await bench.play(TURNS);
    await keepLines(6);
    await bench.files.remove("b.ts");
    const { end, lines } = await bench.play(TURNS, on);
    expect(end).toMatchObject({ reason: "GOAL", turns: 4 });
    expect(await bench.files.read("b.ts")).toBeNull();
    expect(JSON.stringify(lines[7])).toContain(TEXTS["interrupted"]);
  });

  it("goes on with its count of turns and nudges", async () => {
    await bench.play([{ call: [READ] }, { say: "Hm." }, { say: "Well." }]);
    await keepLines(5);
    const { end, statuses } = await bench.play([{ call: [READ] }, { say: "Hm." }, { say: "Well." }], on);
    expect(end).toMatchObject({ reason: "NO_COMPLETE_TASK", turns: 3 });
    expect(statuses).toHaveLength(1);
    await keepLines(3);
    const { end: again } = await bench.play([{ call: [READ], repeat: true }], {
      spec: { resume: true, maxTurns: 1 },
    });
    expect(again).toMatchObject({ reason: "MAX_TURNS", turns: 1 });
  });

  it("goes on with what the loop guard has seen", async () => {
    await bench.play([{ call: [READ], repeat: true }], { spec: { maxTurns: 50 } });
    await keepLines(1 + 2 * 4);
    const { end } = await bench.play([{ call: [READ], repeat: true }], {
      spec: { resume: true, maxTurns: 50 },
    });
    expect(end).toMatchObject({ reason: "LOOP", turns: 10 });
  });

  it("has ended when its result had been taken; a result of the last chance is no success", async () => {
    const first = await bench.play(TURNS);
    await keepLines(first.lines.length - 1);
    const { end, statuses } = await bench.play(TURNS, on);
    expect(end).toMatchObject({ reason: "GOAL", output: { summary: "It works." }, turns: 4 });
    expect(statuses).toEqual([]);

    const late = [{ call: [READ] }, { call: [DONE] }];
    const short = { maxTurns: 1, transcript: `${bench.transcript}.late` };
    await bench.play(late, { spec: short });
    const written = await readFile(short.transcript, "utf8");
    await writeFile(short.transcript, written.slice(0, written.indexOf('{"type":"end"')));
    const again = await bench.play(late, { spec: { ...short, resume: true } });
    expect(again.end).toMatchObject({ reason: "MAX_TURNS", recovered: true, turns: 1 });
    expect(again.statuses).toEqual([]);
  });

  it("goes on after a stop from outside, but not after another end or for another task", async () => {
    const stop = new AbortController();
    const halt = { call: [{ tool: "run", input: { command: "sleep 20" } }] };
    const stopped = await bench.play([halt, { call: [DONE] }], {
      signal: stop.signal,
      deps: {
        onEvent: ({ type }) => {
          if (type === "tool") setTimeout(() => stop.abort(new Error("stop")), 50);
        },
      },
    });
    expect(stopped.end.reason).toBe("ABORTED");
    const { end, lines } = await bench.play([halt, { call: [DONE] }], on);
    expect(end).toMatchObject({ reason: "GOAL", turns: 2 });
    expect(lines.filter(({ type }) => type === "start")).toHaveLength(1);

    const after = await bench.play(TURNS, on);
    expect(after.end).toMatchObject({ reason: "GOAL", turns: 4 });
    expect(after.lines.filter(({ type }) => type === "start")).toHaveLength(2);
    await keepLines(after.lines.length - 3);
    const other = await bench.play(TURNS, { spec: { resume: true, task: "Something else." } });
    expect(other.lines.filter(({ type }) => type === "start")).toHaveLength(3);
  });

  it("keeps its thinking as it was, unless prompt or tools have changed", async () => {
    await bench.play(TURNS);
    await keepLines(7);
    const same = await bench.play(TURNS, on);
    const thoughts = same.lastMessages.flatMap(({ content }) =>
      content.filter(({ type }) => type === "thinking"),
    );
    expect(thoughts).toHaveLength(2);
    await keepLines(7);
    const changed = await bench.play(TURNS, { spec: { resume: true, system: "You are another." } });
    expect(changed.end.reason).toBe("GOAL");
    expect(JSON.stringify(changed.lastMessages)).not.toContain("thinking");
  });

  it("has its compressed conversation back, byte by byte", async () => {
    const echo = (words: string) => ({
      when: { notSeen: "SUMMARY-1" },
      call: [{ tool: "run", input: { command: `echo ${words}; seq 1000` } }],
    });
    const turns = [echo("one"), echo("two"), echo("three"), echo("four"), { say: "Hm." }, { call: [DONE] }];
    const setting = {
      scenarios: [{ name: "summary", when: SUMMARY, turns: [{ say: "SUMMARY-1", repeat: true }] }],
      spec: { tools: ["run"], compression: { at: 0.5, atTokens: 4_000, keep: 0.3 } },
    };
    const first = await bench.play(turns, setting);
    expect(first.lines.map(({ type }) => type)).toContain("compressed");
    const last = first.lines.findLast(({ type }) => type === "answer") as TranscriptLine;
    await keepLines(last.n);
    const again = await bench.play(turns, { ...setting, spec: { ...setting.spec, resume: true } });
    expect(again.end.reason).toBe("GOAL");
    expect(JSON.stringify(again.lastMessages)).toBe(JSON.stringify(first.lastMessages));
  });
});
