import { createHash } from "node:crypto";
import { readFile, readdir, stat } from "node:fs/promises";
import { LANGUAGES, grammarFile } from "../languages.js";

const COMPILED = new URL("../../../dist/codemap/", import.meta.url);
const QUERIES = new URL("../../../data/queries/", import.meta.url);
const CODE = ["languages.js", "decode-text.js", "store/encode-facts.js"];

/** Names what reads files: another text of a query or of the extractor, or another grammar, makes another version, so that no old facts stay. */
export async function extractorVersion(): Promise<string> {
  const files = [
    ...(await filesOf(QUERIES)),
    ...(await filesOf(new URL("extract/", COMPILED))).filter(({ pathname }) => pathname.endsWith(".js")),
    ...CODE.map((name) => new URL(name, COMPILED)),
  ];
  const hash = createHash("sha256");
  for (const text of await Promise.all(files.map((file) => readFile(file)))) hash.update(text).update("\0");
  for (const size of await Promise.all(LANGUAGES.map(grammarSize))) hash.update(`${size} `);
  return hash.digest("hex").slice(0, 12);
}

async function filesOf(folder: URL): Promise<URL[]> {
  return (await readdir(folder)).sort().map((name) => new URL(name, folder));
}

/** 0 where an optional grammar is not installed. */
async function grammarSize(language: (typeof LANGUAGES)[number]): Promise<number> {
  try {
    return (await stat(grammarFile(language))).size;
  } catch {
    return 0;
  }
}
