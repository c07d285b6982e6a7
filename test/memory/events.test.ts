import { describe, expect, it } from "vitest";
import { type MemoryEvent, eventsPath, formatEvents, parseEvents } from "../../src/memory/index.js";

const events: MemoryEvent[] = [
  { v: 1, memory: "EXP-1", run: "R1", at: "2026-11-02T10:00:00.000Z", kind: "cited" },
  { v: 1, memory: "EXP-2", run: "R1", at: "2026-11-02T10:00:01.000Z", kind: "seen", text: "said\nagain" },
];

describe("events", () => {
  it("lie in one file a run, by month", () => {
    expect(eventsPath("R1", "2026-11-02T10:00:00Z")).toBe("context/events/2026-11/R1.jsonl");
    expect(() => eventsPath("../R1", "2026-11-02T10:00:00Z")).toThrow("No events file");
  });

  it("read back as they were written", () => {
    expect(parseEvents("a.jsonl", formatEvents(events))).toEqual({ events, problems: [] });
  });

  it("report a broken line where it is, and count the rest", () => {
    const [first = "", second = ""] = formatEvents(events).split("\n");
    const text = [first, "<<<<<<< HEAD", '{"v":2,"memory":"EXP-3"}', second.slice(0, 20), "", second].join(
      "\r\n",
    );
    const read = parseEvents("a.jsonl", text);
    expect(read.events).toEqual(events);
    expect(read.problems.map(({ line }) => line)).toEqual([2, 3, 4]);
  });
});
