import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { formatMemory } from "../../knowledge/index.js";
import {
  type Judgement,
  MEMORY_TYPES,
  type Memory,
  eventsPath,
  findSecrets,
  foldedId,
  formatEvents,
} from "../../memory/index.js";
import { AccrueError, isoTime, randomBase32, visibleText } from "../../shared/index.js";
import { readJsonLines } from "../json-lines.js";
import type { OpenMemories } from "../open-memories.js";
import type { AddQuestion } from "../memory-question.js";
import { EXIT } from "../output.js";
import type { CommandEnd } from "../program.js";
import { readNamed, worded } from "../typed.js";

const MAX_TITLE = 80;
const ID = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,79}$/u;

/** A memory as it is handed in; one line of a batch has these keys. */
const Draft = z.strictObject({
  id: z.string().optional(),
  type: z.enum(MEMORY_TYPES).default("fact"),
  title: z.string().default(""),
  content: z.string().min(1),
  tags: z.array(z.string()).default([]),
  files: z.array(z.string()).default([]),
  symbols: z.array(z.string()).default([]),
  source: z.enum(["task", "bug", "pattern", "user"]).default("user"),
  date: z.iso.date().optional(),
  pinned: z.boolean().default(false),
  supersedes: z.array(z.string()).default([]),
});
type Draft = z.infer<typeof Draft>;

/** What became of a memory; a batch prints one such line each. */
interface Added {
  id: string;
  action: Judgement["action"];
  target: string | null;
  similarity: number;
  reason: string;
  /** Under which id it is kept; null when nothing new is. */
  memory: string | null;
  /** The file that was written; null when none was. */
  path: string | null;
}

/** Keeps memories: decides about each, and writes its file or the event that it was said again. */
export async function addCommand(memories: OpenMemories, question: AddQuestion): Promise<CommandEnd> {
  const { batch } = question;
  if (batch === null) return addOne(memories, question);
  const lines = readJsonLines(await readNamed(batch), batch, Draft);
  const run = memories.newId();
  const added: Added[] = [];
  for (const { value, number } of lines) {
    const label = value.id ?? String(number);
    added.push(await add(memories, { draft: value, label, run, question }));
  }
  return { json: added, text: added.map((one) => JSON.stringify(one)).join("\n"), status: EXIT.done };
}

async function addOne(memories: OpenMemories, question: AddQuestion): Promise<CommandEnd> {
  if (question.asIs)
    throw new AccrueError("INPUT_INVALID", "--as-is keeps the ids of a batch: name one with --batch.");
  const draft = Draft.parse({
    type: question.type,
    title: question.title ?? "",
    content: worded(question.text),
    tags: question.tag,
    files: question.file,
    symbols: question.symbol,
    pinned: question.pin,
    supersedes: question.supersedes,
  });
  const added = await add(memories, { draft, label: "", run: memories.newId(), question });
  const { id: _, ...json } = added;
  const status = added.action === "refused" ? EXIT.failed : EXIT.done;
  return { json: { id: added.memory, ...json }, text: sentence(added, question.dryRun), status };
}

interface Adding {
  draft: Draft;
  /** What the answer calls it. */
  label: string;
  run: string;
  question: AddQuestion;
}

async function add(memories: OpenMemories, adding: Adding): Promise<Added> {
  const { question, label } = adding;
  const memory = memoryOf(memories, adding);
  const refusal = refusalOf(memory);
  const judged = refusal === null ? await decide(memories, memory, question.asIs) : refused(refusal);
  const { action, target, similarity, reason } = judged;
  const answer: Added = {
    id: label,
    action,
    target,
    similarity: Number(similarity.toFixed(4)),
    reason,
    memory: action === "created" || action === "conflict" ? memory.id : target,
    path: null,
  };
  if (action === "refused" || question.dryRun)
    return question.dryRun ? { ...answer, memory: target } : answer;
  if (action === "touched")
    return { ...answer, path: await touch(memories, { target: target ?? "", memory, run: adding.run }) };
  // As it is, an id that is taken is not taken over.
  if (action === "conflict" && question.asIs) return { ...answer, memory: null };
  const conflicting = target === null ? memory : { ...memory, conflictsWith: [target] };
  const path = await writeNew(memories, conflicting);
  await memories.store.add([{ ...conflicting, path }], memories.signal);
  return { ...answer, path };
}

function refused(reason: string): Judgement {
  return { action: "refused", target: null, similarity: 0, reason };
}

/** As it is, only an id that is taken is looked at. */
async function decide({ store, signal }: OpenMemories, memory: Memory, isAsIs: boolean): Promise<Judgement> {
  if (!isAsIs) return store.judge(memory, signal);
  const known = store.get(memory.id);
  if (known === null)
    return { action: "created", target: null, similarity: 0, reason: "kept as it is", related: [] };
  const target = known.memory.id;
  return known.memory.text.trim() === memory.text.trim()
    ? { action: "touched", target, similarity: 1, reason: `${target} is there already` }
    : {
        action: "conflict",
        target,
        similarity: 0,
        reason: `${target} is there with another text: it is not overwritten`,
      };
}

/** What must not be kept, whatever it says; null when nothing speaks against it. */
function refusalOf(memory: Memory): string | null {
  if (memory.text === "") return "it says nothing that people can see";
  if (!ID.test(memory.id))
    return `"${memory.id}" cannot be an id: letters, digits, dots, dashes and underscores, at most 80`;
  const [title] = findSecrets(memory.title);
  const [secret] = findSecrets([memory.text, ...memory.tags, ...memory.files, ...memory.symbols].join("\n"));
  const found = secret ?? title;
  if (found === undefined) return null;
  const where = secret === undefined ? "in its title" : `at line ${found.line}, column ${found.column}`;
  return `it holds a secret (${found.kind}) ${where}: git keeps it for ever, so write where it is kept instead, and change it if it was shared`;
}

function memoryOf({ clock }: OpenMemories, { draft, question }: Adding): Memory {
  const text = visibleText(draft.content).trim();
  const title = visibleText(draft.title).replace(/\s+/g, " ").trim() || titleOf(text);
  const { type, source, tags, files, symbols, supersedes } = draft;
  return {
    id: question.asIs && draft.id !== undefined ? draft.id : `EXP-${randomBase32(8)}`,
    type,
    title,
    text,
    path: "",
    created: draft.date ?? isoTime(clock.now()).slice(0, 10),
    source,
    tags,
    files,
    symbols,
    isPinned: draft.pinned,
    isPending: false,
    isRetired: false,
    supersedes,
    conflictsWith: [],
  };
}

/** The first sentence. */
function titleOf(text: string): string {
  const line = text.split("\n")[0] ?? "";
  const sentence = /^.*?(?=[。！？；]|[.!?;](?:\s|$))/u.exec(line)?.[0] || line;
  return sentence.length <= MAX_TITLE
    ? sentence
    : sentence
        .slice(0, MAX_TITLE)
        .replace(/[\ud800-\udbff]$/, "")
        .trimEnd();
}

/** Contract: never writes over a file. */
async function writeNew({ root }: OpenMemories, memory: Memory): Promise<string> {
  const { path, text } = formatMemory(memory);
  await mkdir(dirname(join(root, path)), { recursive: true });
  try {
    await writeFile(join(root, path), text, { flag: "wx" });
  } catch (error) {
    const cure = "it is not overwritten; choose another id or title";
    if (error instanceof Error && "code" in error && error.code === "EEXIST")
      throw new AccrueError("INPUT_INVALID", `${path} is there already: ${cure}.`, { cause: error });
    throw error;
  }
  return path;
}

async function touch(
  { root, clock, read }: OpenMemories,
  { target, memory, run }: { target: string; memory: Memory; run: string },
): Promise<string | null> {
  const at = isoTime(clock.now());
  const event = { v: 1, memory: target, run, at, kind: "seen", text: memory.text } as const;
  const isKnown = read.events.some(
    (known) =>
      known.kind === "seen" && foldedId(known.memory) === foldedId(target) && known.text === memory.text,
  );
  // The very same words need no second line.
  if (isKnown) return null;
  const path = eventsPath(run, at);
  await mkdir(dirname(join(root, path)), { recursive: true });
  await appendFile(join(root, path), formatEvents([event]));
  return path;
}

function sentence({ action, target, reason, memory, path }: Added, isDryRun: boolean): string {
  const would = isDryRun ? "would be " : "";
  switch (action) {
    case "created":
      return isDryRun ? `It would be created: ${reason}.` : `${memory} is created in ${path}.`;
    case "touched":
      return `${target} ${would}touched: ${reason}.${path === null ? "" : ` The new wording is kept in ${path}.`}`;
    case "conflict":
      return isDryRun
        ? `It would contradict ${target}: ${reason}.`
        : `${memory} is created in ${path} and contradicts ${target}: ${reason}. Both are kept; retire the wrong one with accrue memory forget.`;
    case "refused":
      break;
  }
  return `It is refused: ${reason}.`;
}
