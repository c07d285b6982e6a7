import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdit, type Conversation, type Entry } from "../../src/agent/conversation.js";
import { findCut } from "../../src/agent/cut.js";
import { createMessages, toMessages } from "../../src/agent/messages.js";
import { refuseIllegal } from "../../src/forge/model/refusals.js";
import { parseRequest } from "../../src/forge/model/request.js";
import type { Block, Message } from "../../src/model/index.js";
import { TEXTS } from "../support/agent-bench.js";

const text = (words: string): Block => ({ type: "text", text: words });
const call = (id: string): Block => ({ type: "tool_use", id, name: "read_file", input: { path: id } });
const result = (id: string, content = `of ${id}`): Block => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});
const thinking = (words: string): Block => ({ type: "thinking", thinking: words, signature: `sig ${words}` });

function conversationOf(entries: readonly Omit<Entry, "n">[], task = "Do it."): Conversation {
  return { task, handOver: "", summary: "", entries: entries.map((entry, n) => ({ n, ...entry })) };
}
const send = (conversation: Conversation) => toMessages(conversation, TEXTS);
const sent = (...entries: Omit<Entry, "n">[]) => send(conversationOf(entries));

/** As strict as the real API. */
function isLegal(messages: Message[]): boolean {
  refuseIllegal(parseRequest({ model: "m", max_tokens: 1, messages }));
  return messages.every(({ role }, at) => role === (at % 2 === 0 ? "user" : "assistant"));
}
const blocksOf = (messages: Message[]) =>
  messages.flatMap(({ role, content }) => content.map((block) => JSON.stringify([role, block])));

const words = fc.constantFrom("a", "Then this.", "", " \n", "\u200b", "\ud800", "好的");
const ids = fc.constantFrom("t1", "t2", "t3", "t4");
const anyBlock = fc.oneof(
  words.map(text),
  words.map(thinking),
  words.map((data): Block => ({ type: "redacted_thinking", data })),
  ids.map(call),
  fc.tuple(ids, words).map(([id, content]) => result(id, content)),
);
const anyEntry = fc.oneof(
  fc.record({
    type: fc.constant("answer" as const),
    content: fc.array(anyBlock, { maxLength: 5 }),
    model: fc.constantFrom("m1", "m1", "m2"),
  }),
  fc.record({ type: fc.constant("results" as const), content: fc.array(anyBlock, { maxLength: 5 }) }),
  fc.record({ type: fc.constant("note" as const), content: fc.array(words.map(text), { maxLength: 2 }) }),
);
/** Whatever a file can hold, in any order. */
const anyHistory = fc.array(anyEntry, { maxLength: 24 }).map((entries) => conversationOf(entries));
/** What a loop writes: each answer is followed by the results of its calls, or by a note. */
const loopHistory = fc
  .array(
    fc.tuple(
      fc.nat(3),
      fc.string({ maxLength: 300 }).map((end) => `x${end}`),
      fc.boolean(),
    ),
    { maxLength: 20 },
  )
  .map((turns) =>
    conversationOf(
      turns.flatMap(([calls, content, isNoted], turn): Omit<Entry, "n">[] => {
        const own = Array.from({ length: calls }, (_, at) => `c${turn}_${at}`);
        const answer = [thinking(`of ${turn}`), text(`Turn ${turn}`), ...own.map(call)];
        const note: Omit<Entry, "n"> = { type: "note", content: [text("Go on.")] };
        return [
          { type: "answer", content: answer, model: "m1" },
          ...(calls > 0 ? [{ type: "results" as const, content: own.map((id) => result(id, content)) }] : []),
          ...(calls === 0 || isNoted ? [note] : []),
        ];
      }),
    ),
  );

describe("what is sent, whatever was said", () => {
  it("is legal", () => {
    fc.assert(fc.property(anyHistory, (conversation) => isLegal(send(conversation))));
  });

  it("answers every call once, in order, and nothing else", () => {
    fc.assert(
      fc.property(anyHistory, (conversation) => {
        const blocks = send(conversation).flatMap(({ content }) => content);
        const asked = blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
        const given = blocks.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));
        expect(given).toEqual(asked);
        expect(new Set(asked).size).toBe(asked.length);
      }),
    );
  });

  it("begins with the bytes of the turn before", () => {
    fc.assert(
      fc.property(anyHistory, (conversation) => {
        const { entries } = conversation;
        const all = blocksOf(send(conversation));
        for (const [at, { type }] of entries.entries()) {
          if (type !== "answer") continue;
          const before = blocksOf(send({ ...conversation, entries: entries.slice(0, at) }));
          expect(all.slice(0, before.length)).toEqual(before);
        }
      }),
    );
  });

  it("is the same built at once or turn by turn", () => {
    fc.assert(
      fc.property(anyHistory, (conversation) => {
        const messages = createMessages({ ...conversation, entries: [] }, TEXTS);
        for (const entry of conversation.entries) {
          if (entry.type === "answer") messages.built();
          messages.add(entry);
        }
        expect(messages.built()).toEqual(send(conversation));
      }),
    );
  });

  it("RT-37: holds all that a loop has heard, thinking byte for byte and in its order", () => {
    fc.assert(
      fc.property(loopHistory, (conversation) => {
        const given = conversation.entries.flatMap(({ content }) => content);
        const blocks = send(conversation).flatMap(({ content }) => content);
        for (const kept of ["thinking", "tool_use", "tool_result"]) {
          const isKept = ({ type }: Block) => type === kept;
          expect(blocks.filter(isKept)).toEqual(given.filter(isKept));
        }
      }),
    );
  });

  it("RT-31, RT-38: is legal after a cut, without thinking, with the task as it was and the newest as they were", () => {
    const keep = fc.double({ min: 0.05, max: 0.9, noNaN: true });
    fc.assert(
      fc.property(loopHistory, keep, (conversation, keep) => {
        const { entries } = conversation;
        const cut = findCut(entries, keep);
        if (cut === null) return;
        expect(entries[cut]?.type).not.toBe("results");
        const keepFrom = entries[cut]!.n;
        const edited = applyEdit(conversation, { pruned: [], keepFrom, summary: "S", handOver: "H" });
        const messages = send(edited);
        expect(isLegal(messages)).toBe(true);
        expect(JSON.stringify(messages)).not.toContain("signature");
        expect(messages[0]?.content.slice(0, 3)).toEqual([
          text("Do it."),
          text(`${TEXTS["hand-over"]}\n\nH`),
          text(`${TEXTS["summary"]}\n\nS`),
        ]);
        const tail = blocksOf(send({ ...conversation, entries: entries.slice(cut) })).slice(1);
        const noThinking = tail.filter((block) => !block.includes('"thinking"'));
        expect(blocksOf(messages).slice(3)).toEqual(noThinking);
      }),
    );
  });
});

describe("a message", () => {
  it("RT-40: has no blank text, and answers without anything are no messages", () => {
    const messages = sent(
      { type: "answer", content: [text("\n"), call("a")] },
      { type: "results", content: [result("a")] },
      { type: "answer", content: [text(" ")] },
      { type: "note", content: [text("Go on.")] },
    );
    expect(messages.slice(1).map(({ content }) => content)).toEqual([
      [call("a")],
      [result("a"), text("Go on.")],
    ]);
  });

  it("RT-41, RT-32: says with visible characters that there is nothing", () => {
    const messages = send(
      conversationOf(
        [
          { type: "answer", content: [call("a")] },
          { type: "results", content: [result("a", " \u200b\n")] },
        ],
        " ",
      ),
    );
    expect(messages[0]?.content).toEqual([text("(empty)")]);
    expect(messages[2]?.content).toEqual([result("a", "(no output)")]);
  });

  it("RT-34: has the same text for every result that is missing", () => {
    const messages = sent(
      { type: "answer", content: [call("a"), call("b"), call("c")] },
      { type: "results", content: [result("c"), result("a"), result("a"), result("stray")] },
    );
    const missing = { ...result("b", TEXTS["not-answered"]), is_error: true };
    expect(messages[2]?.content).toEqual([result("a"), missing, result("c")]);
  });

  it("never ends with thinking, and keeps none without its signature", () => {
    const messages = sent({
      type: "answer",
      content: [{ type: "thinking", thinking: "x", signature: "" }, text("Done."), thinking("more")],
    });
    expect(messages[1]?.content).toEqual([text("Done.")]);
  });

  it("names who wrote it, and takes no thinking from another model into it", () => {
    const messages = sent(
      { type: "answer", content: [thinking("1"), text("one")], model: "m1" },
      { type: "answer", content: [thinking("2"), text("two")], model: "m2" },
    );
    expect(messages[1]).toEqual({
      role: "assistant",
      model: "m1",
      content: [thinking("1"), text("one"), text("two")],
    });
  });
});
