import { z } from "zod";
import {
  type DepositInput,
  type RecordedRemark,
  type RemarkBasis,
  type Tree,
  type TreeMemory,
  recordRemark,
} from "../../knowledge/index.js";
import { eventsPath, formatEvents } from "../../memory/index.js";
import { isAccrueError } from "../../shared/index.js";
import { readJsonLines } from "../json-lines.js";
import { EXIT } from "../output.js";
import type { CommandEnd } from "../program.js";
import { readNamed, worded } from "../typed.js";

/** One line of a batch. */
const Line = z.strictObject({ id: z.string().optional(), text: z.string() });

/** What is remembered: a text, or a file of JSON lines in its place. */
export interface RememberQuestion {
  text: string;
  batch: string | null;
}

/** Where and by whom it is said. */
export interface RememberScene {
  tree: Tree;
  memory: TreeMemory;
  signal: AbortSignal;
  /** All but the words. */
  input: Omit<DepositInput, "text" | "language">;
  languageOf(text: string): DepositInput["language"];
}

/** Records what a person said as deposits: gives the files to write and the answer. A batch goes on after what is refused. */
export async function rememberCommand(
  scene: RememberScene,
  question: RememberQuestion,
): Promise<{ end: CommandEnd; writes: Map<string, string> }> {
  const made: RecordedRemark[] = [];
  // What one line records is known to the next.
  const tree = new Map(scene.tree);
  const record = async (text: string) => {
    const one = await recordOne({ ...scene, tree: new Map(tree) }, text);
    for (const [path, written] of one.writes) tree.set(path, written);
    made.push(one);
    return one;
  };
  const end =
    question.batch === null
      ? ended(await record(worded(question.text)))
      : await answerLines(question.batch, record);
  const writes = new Map(made.flatMap((one) => [...one.writes]));
  const { run, at } = scene.input;
  const events = made.flatMap(({ repeated }) =>
    repeated.map((one) => ({ v: 1, ...one, run, at, kind: "seen" }) as const),
  );
  if (events.length > 0) writes.set(eventsPath(run, at), formatEvents(events));
  return { end, writes };
}

function recordOne({ tree, memory, signal, input, languageOf }: RememberScene, text: string) {
  const basis: RemarkBasis = {
    tree,
    lessons: null,
    injected: [],
    judge: (one) => memory.judge(tree, one, signal),
  };
  return recordRemark({ ...input, text, language: languageOf(text) }, basis);
}

async function answerLines(
  batch: string,
  record: (text: string) => Promise<RecordedRemark>,
): Promise<CommandEnd> {
  const answers: ({ id: string } & ReturnType<typeof answerOf>)[] = [];
  for (const { value, number } of readJsonLines(await readNamed(batch), batch, Line)) {
    const id = value.id ?? String(number);
    try {
      answers.push({ id, ...answerOf(await record(value.text)) });
    } catch (error) {
      if (!isAccrueError(error, "INPUT_INVALID")) throw error;
      answers.push({ id, ...refused(error.message) });
    }
  }
  const text = answers.map((answer) => JSON.stringify(answer)).join("\n");
  return { json: answers, text, status: EXIT.done };
}

function refused(reason: string) {
  const nothing = { recorded: [], skipped: [], contradictions: [] };
  return { note: null, rules: [], action: "refused", ...nothing, reason };
}

function answerOf({ recorded, skipped, secrets, contradictions }: RecordedRemark) {
  if (secrets.length > 0) return refused(secretReason(secrets));
  const [first] = recorded;
  return {
    note: first?.note ?? skipped[0]?.known ?? null,
    rules: recorded.flatMap(({ rules }) => rules.map(({ id }) => id)),
    action: contradictions.length > 0 ? "conflict" : first ? "created" : "known",
    recorded,
    skipped,
    contradictions: contradictions.map(({ id, note }) => ({ id, note })),
    reason: "",
  };
}

function ended(made: RecordedRemark): CommandEnd {
  const json = answerOf(made);
  const isRefused = json.action === "refused";
  return {
    json,
    text: isRefused ? `It is refused: ${json.reason}` : told(made),
    status: isRefused ? EXIT.failed : EXIT.done,
  };
}

function secretReason(kinds: readonly string[]): string {
  return `it holds a secret (${kinds.join(", ")}): git keeps it for ever, so write where it is kept instead, and change it if it was shared.`;
}

function told({ recorded, skipped, contradictions }: RecordedRemark): string {
  const lines = recorded.flatMap(({ note, title, path, target, rules, review }) => [
    `  ${note}  ${title}`,
    ...rules.map(({ id, kind, level, title: about }) => `  ${id}  ${kind}, ${level}: ${about}`),
    ...review.map((reason) => `  needs review: ${reason}`),
    `  in ${path}, later in ${target}; undo: delete ${path}`,
  ]);
  const against = contradictions.map(
    ({ id, said, note }) =>
      `  ${note} contradicts ${id}: "${said.replace(/\s+/g, " ")}". Both are kept; retire the wrong one with accrue memory forget.`,
  );
  const left = skipped.map(
    ({ title, reason, known }) => `  not recorded: ${title}: ${reason}${known === null ? "" : ` (${known})`}`,
  );
  const next = recorded.length === 0 ? [] : ["  Commit it: what is merged is filed, and shown to every run."];
  return [...lines, ...against, ...left, ...next].join("\n");
}
