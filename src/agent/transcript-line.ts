import { z } from "zod";
import type { Block } from "../model/index.js";
import { COMPRESSION_STATUSES, END_REASONS } from "./types.js";

const Block: z.ZodType<Block> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
  z.object({ type: z.literal("redacted_thinking"), data: z.string() }),
  z.object({
    type: z.literal("tool_use"),
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
  z.object({
    type: z.literal("tool_result"),
    tool_use_id: z.string(),
    content: z.string(),
    is_error: z.boolean().optional(),
  }),
]);

const Result = z.object({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.string(),
  is_error: z.boolean().optional(),
});

const Usage = z.object({ input: z.int(), cacheRead: z.int(), cacheWrite: z.int(), output: z.int() });
const Reason = z.enum(END_REASONS);
const turn = z.int().nonnegative();

/** Position within its job, from 0, and ISO time. */
const stamp = { n: z.int().nonnegative(), at: z.string() };

/** One line of a transcript. A job begins with `start`; a file can hold several jobs, one after the other. */
export const TranscriptLine = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("start"),
    ...stamp,
    agent: z.string(),
    phase: z.string(),
    /** Id of the task, or the phase's name. */
    taskId: z.string(),
    system: z.string(),
    task: z.string(),
    tools: z.array(z.string()),
  }),
  z.object({
    type: z.literal("answer"),
    ...stamp,
    turn,
    content: z.array(Block),
    stopReason: z.string(),
    usage: Usage,
    model: z.string(),
    costNanoUsd: z.number().nullable(),
    /** Why the arguments of a call could not be used, by the call's id. */
    problems: z.record(z.string(), z.string()),
  }),
  z.object({ type: z.literal("results"), ...stamp, turn, content: z.array(Result) }),
  z.object({
    type: z.literal("note"),
    ...stamp,
    turn,
    text: z.string(),
    /** Set on the note that begins the last chance: why the agent has to end. */
    stop: z.object({ reason: Reason, message: z.string() }).nullable(),
  }),
  z.object({
    type: z.literal("compressed"),
    ...stamp,
    turn,
    status: z.enum(COMPRESSION_STATUSES),
    before: z.int(),
    after: z.int(),
    /** Results that were moved to files: their line, the call's id, and what stands there now. */
    pruned: z.array(z.object({ n: z.int(), id: z.string(), content: z.string() })),
    /** What replaces all lines before `keepFrom`; both are null when only results were moved. */
    summary: z.string().nullable(),
    keepFrom: z.int().nullable(),
    /** The agent's own notes at that time. */
    handOver: z.string(),
    /** For people: why there is no summary. */
    problem: z.string(),
  }),
  z.object({
    type: z.literal("resumed"),
    ...stamp,
    turn,
    /** True when prompt or tools are not those of before: earlier thinking cannot be sent back. */
    isEdited: z.boolean(),
  }),
  z.object({
    type: z.literal("end"),
    ...stamp,
    reason: Reason,
    recovered: z.boolean(),
    message: z.string(),
    output: z.unknown(),
  }),
]);

/** See the schema of the same name. */
export type TranscriptLine = z.infer<typeof TranscriptLine>;

/** The line of one type. */
export type LineOf<Type extends TranscriptLine["type"]> = Extract<TranscriptLine, { type: Type }>;

/** A line before it is written: without its position and time. */
export type LineBody = TranscriptLine extends infer Line
  ? Line extends TranscriptLine
    ? Omit<Line, "n" | "at">
    : never
  : never;
