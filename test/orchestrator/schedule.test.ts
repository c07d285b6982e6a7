import { describe, expect, it } from "vitest";
import { schedule } from "../../src/orchestrator/schedule.js";
import type { Halt } from "../../src/orchestrator/ends.js";
import type { PlannedTask } from "../../src/requirements/index.js";

const task = (id: string, after: string[] = []): PlannedTask => ({
  id,
  title: id,
  kind: "feature",
  criteria: [],
  files: [],
  after,
  done: false,
  evidence: [],
});
const NEVER = new AbortController().signal;
const halt: Halt = { state: "failed", outcome: "failed", reason: "it broke" };

/** Tasks that end when the test lets them. */
function stage(tasks: PlannedTask[], atOnce = 3) {
  const open = new Map<string, { end(how?: Halt): void; fail(error: Error): void; signal: AbortSignal }>();
  const alone: string[] = [];
  const result = schedule(
    {
      tasks,
      atOnce,
      work: (one, isAlone, signal) => {
        if (isAlone) alone.push(one.id);
        return new Promise((resolve, reject) => {
          open.set(one.id, {
            signal,
            end: (how) => {
              open.delete(one.id);
              one.done = !how;
              resolve(how ?? null);
            },
            fail: (error) => {
              open.delete(one.id);
              reject(error);
            },
          });
        });
      },
    },
    NEVER,
  );
  const running = async () => {
    await new Promise((soon) => setImmediate(soon));
    return [...open.keys()].sort().join(" ");
  };
  return { result, open, alone, running };
}

describe("a schedule", () => {
  it("does independent tasks side by side, others as soon as what they need is done", async () => {
    const { open, running, result, alone } = stage([
      task("A"),
      task("B"),
      task("C", ["A"]),
      task("D", ["A", "B"]),
      task("E", ["D"]),
    ]);
    expect(await running()).toBe("A B");
    open.get("A")?.end();
    expect(await running()).toBe("B C");
    open.get("B")?.end();
    expect(await running()).toBe("C D");
    open.get("C")?.end();
    open.get("D")?.end();
    expect(await running()).toBe("E");
    open.get("E")?.end();
    expect(await result).toBe(null);
    expect(alone).toEqual(["E"]);
  });

  it("never does more at once than it may", async () => {
    const { open, running, result } = stage([task("A"), task("B"), task("C")], 2);
    expect(await running()).toBe("A B");
    open.get("B")?.end();
    expect(await running()).toBe("A C");
    open.get("A")?.end();
    open.get("C")?.end();
    expect(await result).toBe(null);
  });

  it("begins nothing new after a halt, and brings to an end what has begun", async () => {
    const { open, running, result } = stage([task("A"), task("B"), task("C"), task("D")], 2);
    expect(await running()).toBe("A B");
    open.get("A")?.end(halt);
    expect(await running()).toBe("B");
    open.get("B")?.end();
    expect(await result).toEqual(halt);
  });

  it("stops the others when one breaks, and says why once they have ended", async () => {
    const { open, running, result } = stage([task("A"), task("B")]);
    expect(await running()).toBe("A B");
    const other = open.get("B");
    open.get("A")?.fail(new Error("lost the lease"));
    expect(await running()).toBe("B");
    expect(other?.signal.aborted).toBe(true);
    other?.fail(new Error("aborted"));
    await expect(result).rejects.toThrow("lost the lease");
  });
});
