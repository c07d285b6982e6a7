import { fileURLToPath } from "node:url";
import { readTextFolder } from "./read-folder.js";

/** What a repository begins with, as it ships, by the paths it gets there: the scaffold, and the rule files. */
export function readScaffold(rules: URL): ReadonlyMap<string, string> {
  const below = (folder: string, target: string) =>
    [...readTextFolder(fileURLToPath(rules), folder)].map(([path, text]): [string, string] => [
      target + path.slice(folder.length + 1),
      text,
    ]);
  return new Map([...below("scaffold", ""), ...below("experience", "context/rules/")]);
}
