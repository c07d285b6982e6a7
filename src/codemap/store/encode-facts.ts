import type { FileFacts } from "../types.js";

type Value = string | number | boolean | null;
/** Many records of one shape: their keys, then all their values. */
type Table = { keys: string[]; values: (number | boolean | null)[] };
type Encoded = Omit<FileFacts, "symbols" | "references"> & {
  strings: string[];
  symbols: Table;
  references: Table;
};

/** Numbers in facts are never smaller; what is stands for a string. */
const LEAST = -1;

/** Writes facts as text of about a third of their JSON: each key and each string stands there once. */
export function encodeFacts(facts: FileFacts): string {
  const strings = new Map<string, number>();
  const numbered = (text: string) => {
    const present = strings.get(text);
    if (present !== undefined) return present;
    strings.set(text, strings.size);
    return strings.size - 1;
  };
  const table = (records: readonly object[]): Table => {
    const keys = Object.keys(records[0] ?? {});
    const values: Table["values"] = [];
    for (const record of records as Record<string, Value>[])
      for (const key of keys) {
        const value = record[key] ?? null;
        values.push(typeof value === "string" ? LEAST - 1 - numbered(value) : value);
      }
    return { keys, values };
  };
  const { symbols, references, ...rest } = facts;
  const tables = { symbols: table(symbols), references: table(references) };
  return JSON.stringify({ ...rest, strings: [...strings.keys()], ...tables } satisfies Encoded);
}

/** Reads what {@link encodeFacts} wrote. */
export function decodeFacts(encoded: string): FileFacts {
  const { strings, symbols, references, ...rest } = JSON.parse(encoded) as Encoded;
  const records = <T>({ keys, values }: Table): T[] => {
    const all: T[] = [];
    for (let at = 0; at < values.length; at += keys.length) {
      const record: Record<string, Value> = {};
      for (const [index, key] of keys.entries()) {
        const value = values[at + index] ?? null;
        record[key] = typeof value === "number" && value < LEAST ? (strings[LEAST - 1 - value] ?? "") : value;
      }
      all.push(record as T);
    }
    return all;
  };
  return { ...rest, symbols: records(symbols), references: records(references) };
}
