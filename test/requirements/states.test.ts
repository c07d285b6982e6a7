import { describe, expect, it } from "vitest";
import {
  costEvent,
  eventPath,
  foldState,
  formatEvent,
  parseEvents,
  phaseOf,
  stateEvent,
  TRANSITIONS,
  type RequirementEvent,
  type State,
} from "../../src/requirements/index.js";

let count = 0;
const BASE = { req: "REQ-12", run: "01JB8ZK3QH6X9M4T7V2C5D8E0G", actor: "accrue[bot]" };
function step(from: State | null, to: State): RequirementEvent {
  count += 1;
  const id = `01JB8ZK3QH6X9M4T7V2C${String(count).padStart(6, "0")}`;
  const at = new Date(Date.UTC(2026, 10, 29, 0, count)).toISOString();
  return stateEvent({
    ...BASE,
    id,
    at,
    from,
    to,
    ...(to === "completed" ? { evidence: "AC-1: test.ts:3" } : {}),
  });
}
const path = (...states: State[]) => states.map((to, index) => step(states[index - 1] ?? null, to));
const WHOLE: State[] = [
  "opened",
  "clarified",
  "designed",
  "approved",
  "implementing",
  "in-review",
  "verifying",
  "completed",
];

describe("states", () => {
  it("go the whole way from opened to completed", () => {
    const events = path(...WHOLE);
    expect(foldState(events)).toEqual({
      state: "completed",
      since: events.at(-1)?.at,
      phase: "complete",
      problems: [],
    });
    expect(foldState(events.toReversed())).toEqual(foldState(events));
    expect(WHOLE.map(phaseOf)).toEqual([
      "requirement",
      "requirement",
      "design",
      "design",
      "implement",
      "validate",
      "validate",
      "complete",
    ]);
  });

  it("are all reachable and all have a way on", () => {
    const states = Object.keys(TRANSITIONS) as State[];
    const reached = new Set<State>(["opened"]);
    for (const state of reached) for (const next of TRANSITIONS[state]) reached.add(next);
    expect([...reached].sort()).toEqual(states.sort());
    expect(states.filter((state) => TRANSITIONS[state].length === 0)).toEqual([]);
    expect(states.filter((state) => TRANSITIONS[state].includes("opened"))).toEqual(["blocked", "paused"]);
  });

  it("refuse a change that the table does not list, and name what is possible", () => {
    const event = { ...BASE, id: "01JB8ZK3QH6X9M4T7V2C000000", at: "2026-11-29T00:00:00Z" };
    expect(() => stateEvent({ ...event, from: "opened", to: "completed" })).toThrow(
      expect.objectContaining({
        code: "REQUIREMENT_TRANSITION",
        message: expect.stringContaining("clarified, changed, blocked") as string,
      }),
    );
    expect(() => stateEvent({ ...event, from: null, to: "designed" })).toThrow("can become opened");
  });

  it("need evidence to be completed", () => {
    const event = { ...BASE, id: "01JB8ZK3QH6X9M4T7V2C000000", at: "2026-11-29T00:00:00Z" };
    const done = { ...event, from: "verifying", to: "completed" } as const;
    expect(() => stateEvent({ ...done, evidence: " " })).toThrow("without evidence");
    expect(stateEvent({ ...done, evidence: "AC-1: a.test.ts:3" }).to).toBe("completed");
  });

  it("are contested when two events leave one state, until both meet again", () => {
    const events = [
      ...path("opened", "clarified"),
      step("clarified", "designed"),
      step("clarified", "paused"),
    ];
    const contested = foldState(events);
    expect(contested).toMatchObject({ state: "contested", since: events.at(-1)?.at });
    expect(contested.problems).toEqual([
      expect.stringMatching(/both leave clarified: for designed and for paused/),
    ]);
    expect(foldState([...events, step("paused", "designed")])).toMatchObject({
      state: "designed",
      phase: "design",
    });
  });

  it("are not contested by the same change made twice", () => {
    const events = [...path("opened", "clarified"), step("opened", "clarified")];
    expect(foldState(events)).toMatchObject({ state: "clarified", problems: [] });
  });

  it("may come back to where they were", () => {
    const loop: State[] = [...WHOLE.slice(0, 6), "implementing", "in-review", "implementing"];
    expect(foldState(path(...loop))).toMatchObject({ state: "implementing", problems: [] });
  });

  it("keep the phase of the work while it is paused", () => {
    const events = path("opened", "clarified", "designed", "approved", "implementing", "paused");
    expect(foldState(events)).toMatchObject({ state: "paused", phase: "implement" });
    expect(phaseOf("contested")).toBe("requirement");
  });

  it("leave out an event that does not fit, and say which", () => {
    const odd = { ...step("opened", "clarified"), to: "completed" } as RequirementEvent;
    const stray = step("in-review", "verifying");
    const { state, problems } = foldState([...path("opened"), odd, stray]);
    expect(state).toBe("opened");
    expect(problems).toEqual([
      expect.stringContaining("to completed, which is not allowed"),
      expect.stringContaining("leaves in-review, where the requirement never was"),
    ]);
    expect(foldState([]).problems).toEqual(["There is no event that opens the requirement."]);
  });
});

describe("event files", () => {
  const cost = costEvent({
    ...BASE,
    id: "01JB8ZK3QH6X9M4T7V2C5D8E0F",
    at: "2026-11-29T10:04:05Z",
    rows: [
      {
        phase: "design",
        call_type: "plan",
        model: "m",
        calls: 2,
        input: 10,
        cache_read: 5,
        cache_write: 0,
        output: 3,
        micro_usd: 12.125,
      },
    ],
  });

  it("are read back as they were written, in the order of their ids", () => {
    const events = [...path("opened", "clarified"), cost];
    const tree = new Map(events.toReversed().map((event) => [eventPath(event), formatEvent(event)]));
    tree.set("requirements/events/REQ-1/01JB8ZK3QH6X9M4T7V2C5D8E0F-state.json", "not ours");
    expect(eventPath(cost)).toBe("requirements/events/REQ-12/01JB8ZK3QH6X9M4T7V2C5D8E0F-cost.json");
    expect(parseEvents(tree, "REQ-12")).toEqual({ events, problems: [] });
  });

  it.each([
    ["no JSON", "{", "JSON"],
    ["conflict markers", `<<<<<<< HEAD\n${formatEvent(cost)}`, "JSON"],
    ["a newer version", formatEvent({ ...cost, v: 2 } as unknown as RequirementEvent), "v: "],
    ["an unknown state", formatEvent(cost).replace('"cost"', '"state"'), "to: "],
    ["another requirement", formatEvent({ ...cost, req: "REQ-13" }), "move it there"],
    ["a negative count", formatEvent(cost).replace('"calls":2', '"calls":-2'), "rows.0.calls"],
  ])("with %s are named and left out (KN-54)", (_name, text, reason) => {
    const good = step(null, "opened");
    const file = eventPath(cost);
    const { events, problems } = parseEvents(
      new Map([
        [eventPath(good), formatEvent(good)],
        [file, text],
      ]),
      "REQ-12",
    );
    expect(events).toEqual([good]);
    expect(problems).toEqual([{ file, message: expect.stringContaining(reason) as string }]);
  });
});
