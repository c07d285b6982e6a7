import { languageOfFile } from "../languages.js";
import { decodeText } from "../decode-text.js";
import { extract } from "../extract/extract.js";
import { createGrammars } from "../extract/grammars.js";
import { reasonInSize, reasonInText } from "../reason-to-skip.js";
import type { FileFacts } from "../types.js";

/** One file's content to be read. The path says the language only. */
export interface ExtractRequest {
  path: string;
  bytes: Uint8Array;
}

/** What is kept of one content: its facts, ready to be stored, or why there are none. */
export interface Extracted {
  skipped: string | null;
  partial: string | null;
  /** Encoded {@link FileFacts}; null when it was skipped. */
  facts: string | null;
  /** Names that it defines, and names that it uses; each once. */
  defined: string[];
  used: string[];
  symbols: number;
  references: number;
}

/** Reads contents one after the other. */
export interface Extractor {
  /** Contract: never rejects for any content; a parser that breaks gives a partial file. */
  extract(request: ExtractRequest): Promise<Extracted>;
  close(): Promise<void>;
}

const NOTHING = { partial: null, facts: null, defined: [], used: [], symbols: 0, references: 0 };

/** What is kept of a content that could not be read at all. */
export function unreadable(reason: string): Extracted {
  return { ...NOTHING, skipped: reason };
}

/** Reads contents in this thread. */
export function createExtractor(now: () => number): Extractor {
  const grammars = createGrammars();
  return {
    extract: async ({ path, bytes }) => {
      const tooLarge = reasonInSize(bytes.byteLength);
      if (tooLarge !== null) return unreadable(tooLarge);
      const decoded = decodeText(bytes);
      if (decoded === null) return unreadable("binary");
      const tooOdd = reasonInText(decoded.text);
      if (tooOdd !== null) return unreadable(tooOdd);
      const language = languageOfFile(path, decoded.text);
      if (language === null) return unreadable("no language that the code map reads");
      const facts = extract(decoded.text, language, await grammars.load(language), now);
      return encoded({ ...facts, partial: facts.partial ?? decoded.problem });
    },
    close: () => Promise.resolve(),
  };
}

function encoded(facts: FileFacts): Extracted {
  return {
    skipped: null,
    partial: facts.partial,
    facts: JSON.stringify(facts),
    defined: [...new Set(facts.symbols.map(({ name }) => name))],
    used: [...new Set(facts.references.map(({ name }) => name))],
    symbols: facts.symbols.length,
    references: facts.references.length,
  };
}
