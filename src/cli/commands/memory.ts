import { statSync } from "node:fs";
import { z } from "zod";
import { MEMORY_TYPES, type Recalled, type RecallQuery } from "../../memory/index.js";
import { AccrueError, clipEnd } from "../../shared/index.js";
import { readJsonLines } from "../json-lines.js";
import type { OpenMemories } from "../open-memories.js";
import type { MemoryQuestion, RecallQuestion } from "../memory-question.js";
import { EXIT } from "../output.js";
import type { CommandEnd } from "../program.js";
import { readNamed, worded } from "../typed.js";

const TEXT_SHOWN = 160;
const LIST_SHOWN = 50;

/** One line of a batch of questions. */
const Wish = z.strictObject({
  id: z.string().optional(),
  text: z.string().min(1),
  limit: z.int().min(1).max(1000).optional(),
  types: z.array(z.enum(MEMORY_TYPES)).optional(),
  under: z.string().optional(),
  files: z.array(z.string()).optional(),
  symbols: z.array(z.string()).optional(),
  cold: z.boolean().optional(),
  floor: z.number().optional(),
});

/** Answers what only looks at memories. */
export async function memoryCommand(
  memories: OpenMemories,
  question: Exclude<MemoryQuestion, { about: "add" | "forget" }>,
): Promise<CommandEnd> {
  switch (question.about) {
    case "recall":
      return question.batch === null
        ? recallOne(memories, question)
        : recallBatch(memories, question, question.batch);
    case "list":
      return list(memories, question);
    case "show":
      return show(memories, question.id);
    case "rebuild":
      return rebuilt(memories);
    case "stats":
      break;
  }
  return stats(memories);
}

async function recallOne(
  { store, signal, read }: OpenMemories,
  question: RecallQuestion,
): Promise<CommandEnd> {
  const results = await store.recall({ ...queryOf(question), text: worded(question.text) }, signal);
  const nothing =
    read.memories.length === 0
      ? "Nothing is remembered yet: accrue memory add -- <what is to be remembered>"
      : "Nothing fits. Try other words, or --cold.";
  const lines = results.flatMap((one) => [
    `${one.score.toFixed(3)}  ${one.memory.id}  ${marks(one)}${clipped(one.memory.title, TEXT_SHOWN)}`,
    ...(one.memory.text.startsWith(one.memory.title) && one.memory.text.length <= one.memory.title.length + 1
      ? []
      : [`       ${clipped(one.memory.text, TEXT_SHOWN)}`]),
    `       ${one.memory.path} (${one.why})`,
  ]);
  const text = results.length === 0 ? nothing : lines.join("\n");
  return { json: { results: results.map(resultJson) }, text, status: EXIT.done };
}

async function recallBatch(
  { store, signal }: OpenMemories,
  question: RecallQuestion,
  file: string,
): Promise<CommandEnd> {
  const answers: object[] = [];
  for (const { value, number } of readJsonLines(await readNamed(file), file, Wish)) {
    const { id = String(number), ...own } = value;
    const given = Object.fromEntries(Object.entries(own).filter(([, wish]) => wish !== undefined));
    const results = await store.recall({ ...queryOf(question), ...given, text: value.text }, signal);
    answers.push({ id, results: results.map(resultJson) });
  }
  const text = answers.map((answer) => JSON.stringify(answer)).join("\n");
  return { json: answers, text, status: EXIT.done };
}

function queryOf({ limit, type, file, symbol, under, cold }: RecallQuestion): Omit<RecallQuery, "text"> {
  return {
    types: type,
    files: file,
    symbols: symbol,
    cold,
    ...(limit === null ? {} : { limit }),
    ...(under === null ? {} : { under }),
  };
}

function list({ store }: OpenMemories, question: MemoryQuestion & { about: "list" }): CommandEnd {
  const { type, state, limit } = question;
  const all = store.list({ ...(type && { type }), ...(state && { state }) });
  const shown = all.slice(0, limit ?? all.length);
  const lines = all
    .slice(0, limit ?? LIST_SHOWN)
    .map(
      (one) =>
        `${one.memory.id}  ${one.memory.type.padEnd(8)}  ${marks(one)}${clipped(one.memory.title, TEXT_SHOWN)}`,
    );
  const more = all.length - lines.length;
  const nothing = all.length === 0 ? ["There are none."] : [];
  const rest = more > 0 ? [`… ${more} more: --limit ${all.length}`] : [];
  return {
    json: { memories: shown.map(briefJson), total: all.length },
    text: [...lines, ...nothing, ...rest].join("\n"),
    status: EXIT.done,
  };
}

function show({ store }: OpenMemories, id: string): CommandEnd {
  const found = requireMemory(store.get(id), id);
  const { memory } = found;
  const facts: [string, string][] = [
    ["type", memory.type],
    ["state", `${found.state}, weight ${found.weight.toFixed(2)}`],
    ["file", memory.path],
    ["created", memory.created],
    ["about", [...memory.files, ...memory.symbols].join(", ")],
    ["tags", memory.tags.join(", ")],
    ["supersedes", memory.supersedes.join(", ")],
    ["contradicts", found.conflictsWith.join(", ")],
  ];
  const lines = facts
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name.padEnd(11)} ${value}`);
  return {
    json: fullJson(found),
    text: [`${memory.id}  ${memory.title}`, ...lines, "", memory.text].join("\n"),
    status: EXIT.done,
  };
}

function rebuilt({ refreshed, read, cache }: OpenMemories): CommandEnd {
  const { memories, embedded, ms } = refreshed;
  const { problems } = read;
  const json = { memories, embedded, ms, problems, database: cache.file };
  const wrong = problems.map(({ file, line, message }) => `${file}:${line}: ${message}`);
  return {
    json,
    text: [`${memories} memories, ${embedded} embedded, ${ms} ms.`, ...wrong].join("\n"),
    status: EXIT.done,
  };
}

function stats({ store, read, cache }: OpenMemories): CommandEnd {
  const all = store.list();
  const countBy = (key: (one: Recalled) => string) => {
    const counts: Record<string, number> = {};
    for (const one of all) counts[key(one)] = (counts[key(one)] ?? 0) + 1;
    return counts;
  };
  const json = {
    memories: all.length,
    types: countBy(({ memory }) => memory.type),
    states: countBy(({ state }) => state),
    pinned: all.filter(({ memory }) => memory.isPinned).length,
    pending: all.filter(({ memory }) => memory.isPending).length,
    conflicts: conflictPairs(all),
    events: read.events.length,
    problems: read.problems,
    embedder: cache.embedder,
    width: cache.width,
    vectors: cache.vectors,
    database: cache.file,
    bytes: statSync(cache.file).size,
  };
  const said = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(", ");
  const lines = [
    `${all.length} memories${all.length > 0 ? `: ${said(json.types)}; ${said(json.states)}` : ""}`,
    `${json.pinned} pinned, ${json.pending} pending, ${json.events} events`,
    ...json.conflicts.map(
      ([a, b]) => `${a} and ${b} contradict each other: retire one with accrue memory forget`,
    ),
    ...read.problems.map(({ file, line, message }) => `${file}:${line}: ${message}`),
    `${cache.embedder}, compared by ${cache.vectors}, cached in ${cache.file}`,
  ];
  return { json, text: lines.join("\n"), status: EXIT.done };
}

function conflictPairs(all: readonly Recalled[]): [string, string][] {
  return all
    .filter(({ state }) => state === "active" || state === "cold")
    .flatMap(({ memory, conflictsWith }) =>
      conflictsWith.filter((id) => memory.id < id).map((id): [string, string] => [memory.id, id]),
    );
}

/** Throws `INPUT_INVALID` where there is no such memory. */
export function requireMemory(found: Recalled | null, id: string): Recalled {
  if (found !== null) return found;
  throw new AccrueError("INPUT_INVALID", `There is no memory ${id}: accrue memory list shows them.`);
}

function resultJson(one: Recalled): object {
  return { ...briefJson(one), score: Number(one.score.toFixed(6)), why: one.why, text: one.memory.text };
}

function briefJson({ memory, state, weight, conflictsWith }: Recalled): object {
  const { id, type, title, path, created, isPinned, isPending } = memory;
  const alive = { state, weight: Number(weight.toFixed(3)), pinned: isPinned, pending: isPending };
  return { id, type, title, path, created, ...alive, conflicts: conflictsWith };
}

function fullJson(one: Recalled): object {
  const { text, source, tags, files, symbols, supersedes } = one.memory;
  return { ...briefJson(one), text, source, tags, files, symbols, supersedes };
}

/** What a reader has to know before the title. */
function marks({ memory, state, conflictsWith }: Recalled): string {
  const words = [
    memory.isPending ? "pending" : "",
    state === "active" ? "" : state,
    conflictsWith.length > 0 ? `contradicts ${conflictsWith.join(", ")}` : "",
  ].filter(Boolean);
  return words.length > 0 ? `[${words.join("; ")}] ` : "";
}

function clipped(text: string, length: number): string {
  return clipEnd(text.replace(/\s+/g, " ").trim(), length);
}
