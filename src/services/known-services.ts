import { type Tree, parseNote } from "../knowledge/index.js";
import { plain } from "./lines.js";
import type { KnownService } from "./read-links.js";
import type { Fact } from "./types.js";

const DOCUMENT = /^context\/tech\/services\/(?<name>[^/]+)\.md$/;
const MAX_NOTES = 4;

/** The services that a tree has documents of, and those of other names that are only configured. */
export function servicesIn(tree: Tree, configured: readonly string[]): KnownService[] {
  const documented = [...tree].flatMap(([path, document]) => {
    const name = DOCUMENT.exec(path)?.groups?.["name"];
    return name === undefined ? [] : [{ name, document, path }];
  });
  const others = configured
    .filter((name) => documented.every((one) => one.name !== name))
    .map((name) => ({ name, document: "", path: "" }));
  return [...documented, ...others].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Notes of experience that name a service, as pitfalls with where they stand. */
export function notesOn(tree: Tree, service: string): Fact[] {
  const name = service.toLowerCase();
  return [...tree]
    .filter(([path]) => path.startsWith("context/experience/") && path.endsWith(".md"))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => ({ path, note: parseNote(path, text).note }))
    .filter(({ note }) => note.status === "active" && note.raw.toLowerCase().includes(name))
    .slice(0, MAX_NOTES)
    .map(({ path, note }) => ({ text: `${plain(note.title)} (${note.id})`, pointer: path }));
}
