import { type Language, languageOf } from "../shared/index.js";
import { INDEX_PATH, formatContextIndex } from "./context-index.js";
import { readLibrary } from "./library.js";
import { type StackFact, MANIFESTS, formatStack, stackFacts } from "./stack-facts.js";
import type { Tree } from "./types.js";

/** What a person says of the repository when it begins. */
export interface ScaffoldInput {
  name: string;
  /** What it is for, in a sentence. */
  position: string;
  services: readonly string[];
  language: Language;
}

/** What beginning writes, and what was there and stays. */
export interface Scaffold {
  writes: Map<string, string>;
  created: string[];
  /** Files of a person's that got lines of ours, and kept every one of theirs. */
  updated: string[];
  kept: string[];
  /** What manifests said. */
  facts: StackFact[];
}

const START = "<!-- accrue:start";
const BLOCK = /<!-- accrue:start[^>]*-->[\s\S]*?<!-- accrue:end -->/;
const ABOUT = /^\*\*(.+?)\*\*(?:: (.*))?$/m;
const READMES = ["README", "Readme", "readme"];
const README = /^readme(?:\.[\w-]+)*$/i;
const IGNORED = [".agent/", "context/session/", "workspace/"];
/** Files that share their place with a person's text. */
const SHARED = ["AGENTS.md", "CLAUDE.md", ".gitignore"];

/**
 * Computes what a repository begins with: the shipped files that it lacks, blocks in the files that people write too, and facts of
 * its manifests.
 * Contract: a person's text is never changed: ours stands between markers. Doing it again writes nothing.
 */
export function scaffold(tree: Tree, shipped: Tree, input: ScaffoldInput): Scaffold {
  // The workflow that is ours says nothing about theirs.
  const facts = stackFacts(new Map([...tree].filter(([path]) => !shipped.has(path))));
  const result: Scaffold = { writes: new Map(), created: [], updated: [], kept: [], facts };
  const put = (path: string, text: string) => {
    const before = tree.get(path);
    if (text === before) result.kept.push(path);
    else {
      result.writes.set(path, text);
      (before === undefined ? result.created : result.updated).push(path);
    }
  };
  const begin = (path: string, text: string) => {
    if (tree.has(path)) result.kept.push(path);
    else put(path, text);
  };
  for (const [path, text] of shipped) if (!SHARED.includes(path)) begin(path, text);
  const checks = facts.filter(({ kind }) => kind === "check").map(({ text }) => `- \`${text}\``);
  const block = filled(shipped.get("AGENTS.md") ?? "", input, checks);
  put("AGENTS.md", withBlock(tree.get("AGENTS.md"), block));
  put("CLAUDE.md", withImport(tree.get("CLAUDE.md")));
  put(".gitignore", withLines(tree.get(".gitignore")));
  for (const [path, text] of seeds(input, formatStack(facts, tree, input.language))) begin(path, text);
  // From now on the fold writes it.
  const after = new Map([...tree, ...result.writes]);
  begin(INDEX_PATH, formatContextIndex(after, readLibrary(after), input.language));
  for (const list of [result.created, result.updated, result.kept]) list.sort();
  return result;
}

/** How the repository was introduced the last time, in our block of AGENTS.md; empty where it was not. */
export function introduction(instructions: string): { name: string; position: string } {
  const [, name = "", position = ""] = ABOUT.exec(BLOCK.exec(instructions)?.[0] ?? "") ?? [];
  return { name, position: position.trim() };
}

/** Beginnings of the paths that the scaffold looks at. */
export function scaffoldSources(shipped: Tree): string[] {
  return [...shipped.keys(), ...MANIFESTS, ...SHARED, ...READMES, ".github/workflows/", "context/"];
}

/** True when the scaffold was written here before, also where somebody deleted a part of it since. */
export function isScaffolded(tree: Tree): boolean {
  return tree.has(".github/agent.yml") || (tree.get("AGENTS.md") ?? "").includes(START);
}

/** True for a file of the root that tells people what the repository is. */
export function isReadme(path: string): boolean {
  return README.test(path);
}

/** The language that a repository speaks to people in: that of its README, of several the one with the shortest name. */
export function languageOfReadme(tree: Tree): Language {
  const [first] = [...tree.keys()].filter(isReadme).sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return languageOf(first === undefined ? "" : (tree.get(first) ?? ""));
}

/** What a person said and what manifests say, as documents. */
function seeds({ name, position, services, language }: ScaffoldInput, stack: string): [string, string][] {
  const title = language === "zh" ? "定位" : "Position";
  const documents: [string, string][] = [];
  if (position)
    documents.push(["context/business/overview.md", `# ${name || title}\n\n## ${title}\n\n${position}\n`]);
  if (stack) documents.push(["context/tech/stack.md", stack]);
  for (const service of services
    .map((word) => word.trim())
    .filter((word) => /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(word))) {
    documents.push([`context/tech/services/${service}.md`, `# ${service}\n`]);
  }
  return documents;
}

function filled(template: string, { name, position }: ScaffoldInput, checks: readonly string[]): string {
  const about = [name && `**${name}**`, position].filter(Boolean).join(": ");
  // A marker in the words would end the block early.
  const safe = (text: string) => text.replaceAll(/<!--|-->/g, "");
  const values: Readonly<Record<string, string>> = { about: safe(about), checks: safe(checks.join("\n")) };
  const text = template.replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? "");
  const sections = text.replace(/^## .*\n+(?=## |<!-- accrue:end)/gm, "");
  return sections.replace(/\n{3,}/g, "\n\n").trim();
}

function withBlock(before: string | undefined, block: string): string {
  if (before === undefined || before.trim() === "") return `${block}\n`;
  if (BLOCK.test(before)) return before.replace(BLOCK, () => block);
  // An opened block without an end is a person's to repair.
  if (before.includes(START)) return before;
  return `${before}${before.endsWith("\n") ? "" : "\n"}\n${block}\n`;
}

/** Claude Code reads its own file, which needs one line to see the other. */
function withImport(before: string | undefined): string {
  const line = "@AGENTS.md";
  if (before === undefined || before.trim() === "") return `${line}\n`;
  if (before.split(/\r?\n/).some((text) => text.trim() === line)) return before;
  return `${before}${before.endsWith("\n") ? "" : "\n"}\n${START} -->\n${line}\n<!-- accrue:end -->\n`;
}

function withLines(before: string | undefined): string {
  const there = new Set((before ?? "").split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, "")));
  const missing = IGNORED.filter((line) => !there.has(line.replace(/\/$/, "")));
  if (missing.length === 0) return before ?? "";
  const start =
    before === undefined || before === "" || before.endsWith("\n") ? (before ?? "") : `${before}\n`;
  return `${start}${missing.map((line) => `/${line}`).join("\n")}\n`;
}
