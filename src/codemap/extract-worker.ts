import { parentPort } from "node:worker_threads";
import { isAccrueError, messageOf } from "../shared/index.js";
import { decodeText } from "./decode-text.js";
import { extract } from "./extract/extract.js";
import { createGrammars } from "./extract/grammars.js";
import { languageOfFile } from "./languages.js";
import { encodeFacts } from "./store/encode-facts.js";
import type { ExtractJob, Extracted, WorkerMessage } from "./store/messages.js";

const grammars = createGrammars();
const loaded = new Set<string>();
let last: Promise<void> = Promise.resolve();

function say(message: WorkerMessage): void {
  parentPort?.postMessage(message, []);
}

async function answer(job: ExtractJob): Promise<void> {
  try {
    say({ kind: "extracted", extracted: await read(job) });
  } catch (error) {
    const reason = messageOf(error);
    if (isAccrueError(error)) say({ kind: "unreadable", reason });
    else say({ kind: "broken", reason: `the parser failed: ${reason}`, isPassing: false });
  }
}

async function read({ path, bytes }: ExtractJob): Promise<Extracted> {
  const { text, doubt } = decodeText(bytes);
  const language = languageOfFile(path, text);
  if (!language) throw new Error(`no language reads ${path}`);
  if (!loaded.has(language.name)) say({ kind: "loading" });
  const grammar = await grammars.load(language);
  loaded.add(language.name);
  const found = extract(text, language, grammar, () => performance.now());
  const partial = [doubt, found.partial].filter(Boolean).join("; ") || null;
  return {
    language: language.name,
    partial,
    encoded: encodeFacts({ ...found, partial }),
    symbols: found.symbols.length,
    references: found.references.length,
    defined: [...new Set(found.symbols.map(({ name }) => name))],
    used: [...new Set(found.references.map(({ name }) => name))],
  };
}

parentPort?.on("message", (job: ExtractJob) => {
  last = last.then(() => answer(job));
});
