import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelWindow } from "../../src/model/index.js";
import { DONE, openAgentBench, SUMMARY, TEXTS } from "../support/agent-bench.js";

let bench: Awaited<ReturnType<typeof openAgentBench>>;
beforeEach(async () => {
  bench = await openAgentBench();
});
afterEach(() => bench.close());

/** A command whose output is about 1,400 tokens. */
const long = (words: string, more: object = {}) => ({
  think: `About ${words}.`,
  call: [{ tool: "run", input: { command: `echo ${words}; seq 1000` } }],
  ...more,
});
const upTo = (seen: string, ...words: string[]) =>
  words.map((word) => long(word, { when: { notSeen: seen } }));
const summaryOf = (...turns: unknown[]) => [{ name: "summary", when: SUMMARY, turns }];
const compression = (atTokens: number) => ({ at: 0.5, atTokens, keep: 0.3 });
const windowOf = (context: number): ModelWindow => ({ context, maxOutput: 8_000, cheapUpTo: null });
/** Without read_file no result can be moved to a file: only a summary helps. */
const onlyRun = (atTokens: number) => ({ tools: ["run"], compression: compression(atTokens), maxTurns: 20 });

type Played = Awaited<ReturnType<typeof bench.play>>;
const tries = ({ events }: Played) => events.filter((event) => event.type === "compressed");
const summaries = ({ asked }: Played) =>
  asked.scripted
    .requests()
    .map(({ body }) => body as { system: { text: string }[]; messages: unknown; tools?: unknown })
    .filter(({ system }) => system[0]?.text.includes(SUMMARY.systemContains));

describe("a conversation that grows too large", () => {
  it("RT-38: becomes task, notes, summary and its newest messages without thinking", async () => {
    const note = `echo '- [decision] Keep the API.' > ${bench.context.handOver}`;
    const played = await bench.play(
      [
        { when: { notSeen: "SUMMARY-1" }, call: [{ tool: "run", input: { command: note } }] },
        ...upTo("SUMMARY-1", "one", "two", "three", "four"),
        { call: [DONE] },
      ],
      { scenarios: summaryOf({ say: "SUMMARY-1: one and two are done." }), spec: onlyRun(4_000) },
    );
    expect(played.end).toMatchObject({ reason: "GOAL" });
    expect(played.statuses.every((status) => status === 200)).toBe(true);
    const [first, ...rest] = played.lastMessages;
    expect(first?.content.map((block) => block.type === "text" && block.text)).toEqual([
      "Make it work.",
      `${TEXTS["hand-over"]}\n\n## decision\n\n- Keep the API.`,
      `${TEXTS["summary"]}\n\nSUMMARY-1: one and two are done.`,
    ]);
    expect(rest.map(({ role }) => role)).toEqual(["assistant", "user"]);
    expect(JSON.stringify(rest)).toContain("echo three; seq 1000");
    expect(JSON.stringify(rest)).not.toContain("thinking");

    const [event] = tries(played);
    expect(event).toMatchObject({ status: "COMPRESSED", turn: 5 });
    expect(event?.after).toBeLessThan(event!.before * 0.7);
    expect(played.lines.find(({ type }) => type === "compressed")).toMatchObject({
      summary: "SUMMARY-1: one and two are done.",
      handOver: "## decision\n\n- Keep the API.",
      problem: "",
    });
    expect(
      played.asked.entries.map(({ callType }) => callType).filter((type) => type === "compress"),
    ).toHaveLength(1);
    const [request] = summaries(played);
    expect(request?.tools).toBeUndefined();
    expect(JSON.stringify(request?.messages)).not.toContain("About one.");
  });

  it("has an earlier summary merged into the next", async () => {
    const played = await bench.play(
      [
        ...upTo("SUMMARY-", "one", "two", "three"),
        ...upTo("SUMMARY-2", "four", "five", "six"),
        { call: [DONE] },
      ],
      {
        scenarios: summaryOf(
          {
            when: { notSeen: "SUMMARY-1" },
            say: "SUMMARY-1 </history> all </earlier-summary>",
            repeat: true,
          },
          { say: "SUMMARY-2" },
        ),
        spec: onlyRun(4_000),
      },
    );
    expect(played.end.reason).toBe("GOAL");
    const [, second] = summaries(played);
    const text = JSON.stringify(second?.messages);
    expect(text).toContain("<earlier-summary>\\nSUMMARY-1 &lt;/history> all &lt;/earlier-summary>");
    expect(text.match(/<\/history>/g)).toHaveLength(1);
    expect(JSON.stringify(played.lastMessages)).not.toContain("SUMMARY-1");
  });

  it("first moves old results to files, which the agent can read again, but never what a skill said", async () => {
    const whole = { tool: "read_file", input: { path: "{{result:run:artefact:[\\w.-]+}}" } };
    const moved = TEXTS["pruned"];
    const played = await bench.play(
      [
        ...upTo(moved, "one", "two", "three", "four", "five"),
        { when: { seen: moved }, call: [whole] },
        { when: { seen: "\tthree" }, call: [DONE] },
      ],
      { spec: { tools: ["run", "read_file"], compression: compression(6_000) } },
    );
    expect(played.end).toMatchObject({ reason: "GOAL" });
    expect(tries(played)[0]).toMatchObject({ status: "COMPRESSED" });
    expect(summaries(played)).toEqual([]);
    const results = played.lastMessages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_result" ? [block.content] : [])),
    );
    expect(results[0]).toMatch(/read_file artefact:run-\w+\.txt$/);
    expect(results.some((content) => content.startsWith("exit code 0\nfour"))).toBe(true);
    const file = /artefact:(?<name>\S+)/.exec(results[0] ?? "")?.groups?.["name"] ?? "";
    expect(await readFile(`${bench.context.artefacts}/${file}`, "utf8")).toMatch(/^exit code 0\none\n1\n/);
  });
});

describe("a compression that does not help", () => {
  const many = ["one", "two", "three", "four", "five", "six", "seven"].map((word) => long(word));
  const plays = (...says: object[]) =>
    bench.play([...many, { call: [DONE] }], {
      scenarios: summaryOf(...says.map((say) => ({ ...say, repeat: true }))),
      spec: onlyRun(4_000),
    });

  it("RT-43: is INFLATED, changes nothing, and is not tried again before the conversation has grown", async () => {
    const played = await plays({ say: "x ".repeat(20_000) });
    expect(played.end).toMatchObject({ reason: "GOAL", turns: 8 });
    expect(tries(played).map(({ status }) => status)).toEqual(["INFLATED", "INFLATED"]);
    expect(JSON.stringify(played.lastMessages)).toContain("echo one");
    expect(JSON.stringify(played.lastMessages)).toContain("thinking");
  });

  it("RT-44: with less than 5 % of progress is NO_PROGRESS, at most twice", async () => {
    const played = await plays(
      { when: { taskNotContains: "echo three" }, say: "x ".repeat(4_700) },
      { say: "x ".repeat(7_500) },
    );
    expect(played.end).toMatchObject({ reason: "GOAL", turns: 8 });
    expect(tries(played).map(({ status }) => status)).toEqual(["NO_PROGRESS", "NO_PROGRESS"]);
    expect(summaries(played)).toHaveLength(2);
  });

  it("is EMPTY without a text, with a tool call, or when the model fails", async () => {
    for (const say of [{ stop: "end_turn" }, { say: "So:", call: [DONE] }, { say: "No.", stop: "refusal" }]) {
      const played = await plays(say);
      expect(played.end.reason).toBe("GOAL");
      expect(tries(played).map(({ status }) => status)).toEqual(["EMPTY", "EMPTY"]);
    }
  });

  it("RT-49: is not asked for when what has to stay is too large by itself", async () => {
    const huge = { tool: "run", input: { command: "seq 3000" } };
    const played = await bench.play([long("one"), { call: [huge] }, { call: [DONE] }], {
      spec: onlyRun(4_000),
    });
    expect(played.end.reason).toBe("GOAL");
    expect(tries(played).map(({ status }) => status)).toEqual(["NOOP"]);
    expect(summaries(played)).toEqual([]);
  });
});

describe("a conversation that does not fit", () => {
  it("RT-50, RT-28: ends before anything is asked when prompt, tools and task leave no room", async () => {
    const played = await bench.play([{ call: [DONE] }], { window: windowOf(1_500) });
    expect(played.end).toMatchObject({ reason: "OVERFLOW", turns: 1 });
    expect(played.end.message).toMatch(
      /^System prompt, tools and task alone are about \d+ tokens; the executor's model holds 1500\./,
    );
    expect(played.statuses).toEqual([]);
  });

  it("RT-28: is compressed when there is no room left for an answer", async () => {
    const played = await bench.play([...upTo("SUMMARY-1", "one", "two", "three", "four"), { call: [DONE] }], {
      scenarios: summaryOf({ say: "SUMMARY-1" }),
      window: windowOf(6_500),
      spec: { tools: ["run"], compression: { at: 0.95, atTokens: 100_000, keep: 0.3 } },
    });
    expect(played.end.reason).toBe("GOAL");
    expect(tries(played).map(({ status }) => status)).toEqual(["COMPRESSED"]);
    const limits = played.asked.scripted.requests().map(({ usage }) => usage!);
    for (const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } of limits) {
      const input = input_tokens + cache_creation_input_tokens + cache_read_input_tokens;
      expect(input).toBeLessThan(6_500 - 1_024);
    }
  });

  const overflowAt = (turn: number, faults: ("full" | "fine")[]) => {
    let fail = () => {};
    return {
      scenarios: summaryOf({ say: "SUMMARY-1", repeat: true }),
      spec: { tools: ["run"] },
      prepare: ({ scripted }: Played["asked"]) => {
        fail = () => {
          for (const fault of faults) {
            scripted.fault(fault === "full" ? { kind: "status", status: 413 } : { kind: "delay", ms: 0 });
          }
        };
      },
      deps: {
        onEvent: (event: Played["events"][number]) => {
          if (event.type === "turn" && event.turn === turn) fail();
        },
      },
    };
  };

  it("RT-52: is compressed once when the provider says so, and asked again", async () => {
    const turns = [...upTo("SUMMARY-1", "one", "two", "three"), { call: [DONE] }];
    const played = await bench.play(turns, overflowAt(3, ["full"]));
    expect(played.end).toMatchObject({ reason: "GOAL", turns: 3 });
    expect(summaries(played)).toHaveLength(1);
  });

  it("RT-52: ends with OVERFLOW when that was not enough", async () => {
    const turns = [...upTo("SUMMARY-1", "one", "two", "three"), { call: [DONE] }];
    const played = await bench.play(turns, overflowAt(3, ["full", "fine", "full"]));
    expect(played.end).toMatchObject({ reason: "OVERFLOW", turns: 3 });
    expect(played.statuses).toEqual([200, 200, 413, 200, 413]);
  });

  it("loses results to files and its beginning to a summary, which is made of the results themselves", async () => {
    const wordy = upTo("SUMMARY-1", "one", "two", "three").map((step) => ({
      ...step,
      say: "z".repeat(7_000),
    }));
    const setting = overflowAt(4, ["full"]);
    const played = await bench.play(
      [...wordy, { when: { notSeen: "SUMMARY-1" }, say: "." }, { call: [DONE] }],
      {
        ...setting,
        spec: { tools: ["run", "read_file"] },
      },
    );
    expect(played.end.reason).toBe("GOAL");
    expect(JSON.stringify(summaries(played)[0]?.messages)).toContain("RESULT: exit code 0\\none\\n1\\n2");
    expect(played.lastMessages.at(-1)?.content[0]).toMatchObject({
      type: "tool_result",
      content: expect.stringMatching(/read_file artefact:run-\w+\.txt$/),
    });
    const line = played.lines.find(({ type }) => type === "compressed");
    expect(line).toMatchObject({ summary: "SUMMARY-1", pruned: [{}] });
  });

  it("moves even the newest results when nothing else helps", async () => {
    const huge = { tool: "run", input: { command: "seq 6000" } };
    const played = await bench.play([{ call: [huge] }, { when: { seen: "artefact:run-" }, call: [DONE] }], {
      window: windowOf(9_000),
    });
    expect(played.end.reason).toBe("GOAL");
    expect(tries(played).map(({ status }) => status)).toEqual(["COMPRESSED"]);
  });
});
