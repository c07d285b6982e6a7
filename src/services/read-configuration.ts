import type { Tree } from "../knowledge/index.js";
import { filesLike, linesOf } from "./lines.js";
import { isCode } from "./pick-files.js";
import type { Fact } from "./types.js";

const SAMPLE = /^(?:export\s+)?(?<name>[A-Z][A-Z0-9_]+)\s*=/;
const READ =
  /(?:process\.env(?:\.|\[["'])|os\.environ(?:\.get\(|\[)\s*["']|os\.getenv\(\s*["']|os\.(?:Getenv|LookupEnv)\(\s*"|System\.getenv\(\s*"|env::var\(\s*"|Environment\.GetEnvironmentVariable\(\s*"|\bgetenv\(\s*["'])(?<name>[A-Z][A-Z0-9_]+)/g;
const SETTINGS =
  /^(?:(?:config|conf|etc|src\/main\/resources)\/|(?:application|config|settings)[\w.-]*\.)[\w.-]*(?:ya?ml|json|toml|properties|ini)$/i;
/** Sections and keys of a file's first level. */
const KEY = /^(?:\[(?<section>[\w.-]+)\]|(?<key>[A-Za-z][\w.-]*)\s*[:=]|  ?"(?<json>[\w-]+)"\s*:)/;
const MAX_KEYS = 12;

/** Names of variables and settings, never a value. */
export function readConfiguration(files: Tree): Fact[] {
  return [...variables(files), ...settings(files)];
}

/** Variables of the environment: those that a sample file lists, then those that only code reads. */
export function variables(files: Tree): Fact[] {
  const found = new Map<string, string>();
  const add = (name: string, pointer: string) => {
    if (!found.has(name)) found.set(name, pointer);
  };
  for (const [path, text] of filesLike(files, /(?:^|\/)\.env\.(?:example|sample)$/))
    for (const line of linesOf(text)) {
      const name = SAMPLE.exec(line.text)?.groups?.["name"];
      if (name) add(name, `${path}:${line.number}`);
    }
  for (const [path, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1)))
    if (isCode(path))
      for (const line of linesOf(text))
        for (const { groups } of line.text.matchAll(READ))
          add(groups?.["name"] ?? "", `${path}:${line.number}`);
  return [...found].map(([text, pointer]) => ({ text, pointer }));
}

function settings(files: Tree): Fact[] {
  const listed = filesLike(files, SETTINGS).filter(([path]) => !/openapi|swagger/i.test(path));
  return listed.flatMap(([path, text]) => {
    const keys = linesOf(text).flatMap((line) => {
      const { section, key, json } = KEY.exec(line.text)?.groups ?? {};
      const name = section ?? key ?? json;
      return name === undefined ? [] : [{ name: name.split(".", 1)[0] ?? name, number: line.number }];
    });
    const names = [...new Set(keys.map(({ name }) => name))];
    const [first] = keys;
    if (!first) return [];
    const more = names.length > MAX_KEYS ? ", …" : "";
    const file = path.split("/").at(-1) ?? path;
    return [
      { text: `${file}: ${names.slice(0, MAX_KEYS).join(", ")}${more}`, pointer: `${path}:${first.number}` },
    ];
  });
}
