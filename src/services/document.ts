import { type Language, estimateTokens } from "../shared/index.js";
import { type Block, readBlocks, replaceBlock, writeBlock } from "./blocks.js";
import { plain } from "./lines.js";
import { fileOf } from "./pointers.js";
import { type CheckedProse, PROSE_PARTS, type ProseLine } from "./prose.js";
import { SECTION_TEXTS } from "./texts.js";
import { type Fact, SECTIONS, type Section, type ServiceFacts, type ServiceSource } from "./types.js";

const MAX_TOKENS = 3000;
/** Lines of each section; what is left out is counted. */
const MAX_LINES: Readonly<Record<Section, number>> = {
  position: 3,
  duties: 3,
  stack: 16,
  dependencies: 16,
  interfaces: 40,
  data: 25,
  modules: 8,
  configuration: 30,
  pitfalls: 12,
};
/** A document that is too long is tried with fewer lines of each section. */
const SHARES = [1, 0.75, 0.5, 0.35, 0.25, 0.15, 0.1];
const HUMAN = "<!-- human:start -->\n<!-- human:end -->";
/** Keys of the head that are ours; all others stay. */
const OURS = ["service", "repo", "commit", "generated", "owners"];

/** What a document is written from. */
export interface DocumentInput {
  source: Pick<ServiceSource, "service" | "repository" | "commit">;
  facts: ServiceFacts;
  prose: CheckedProse | null;
  language: Language;
  /** `yyyy-mm-dd`. */
  day: string;
  /** Id of the note that the rules come from. */
  note: string;
}

/** A document as it is to stand, and which of its parts a person has changed, so that they were left alone. */
export interface WrittenDocument {
  text: string;
  /** False when nothing but commit and day would differ. */
  isChanged: boolean;
  pointers: string[];
  edited: string[];
}

/** Where a service's document stands. */
export function documentPath(service: string): string {
  return `context/tech/services/${service}.md`;
}

/**
 * Writes a service's document, over the one that is there.
 * Contract: what stands outside of the generated parts stays byte for byte, and so does a generated part that a person has changed.
 */
export function writeDocument(before: string | undefined, input: DocumentInput): WrittenDocument {
  const old = (before ?? "").replaceAll("\r\n", "\n");
  const candidates = SHARES.map((share) => assemble(old, input, share));
  const made = candidates.find(({ text }) => estimateTokens(text) <= MAX_TOKENS) ?? candidates.at(-1);
  const { text = "", edited = [] } = made ?? {};
  const isChanged = before === undefined || undated(text) !== undated(old);
  return { text: isChanged ? text : old, isChanged, edited, pointers: pointersIn(isChanged ? text : old) };
}

/** What an earlier analysis made a model say, as it stands in the document. */
export function proseIn(document: string): CheckedProse | null {
  const blocks = readBlocks(document);
  const prose: CheckedProse = { position: [], duties: [], pitfalls: [] };
  for (const part of PROSE_PARTS)
    for (const line of (blocks.get(`${part}-read`)?.inner ?? "").split("\n")) {
      const [, text = "", pointers = ""] = /^- (.+?) · (`.+`)$/.exec(line) ?? [];
      if (text !== "")
        prose[part].push({ text, pointers: [...pointers.matchAll(/`([^`]+)`/g)].map(([, one = ""]) => one) });
    }
  return PROSE_PARTS.some((part) => prose[part].length > 0) ? prose : null;
}

/** Files that a document points to. */
export function filesIn(document: string): string[] {
  return [...new Set(pointersIn(document).map(fileOf))];
}

/** The commit that a document was written at; null without one. */
export function commitIn(document: string): string | null {
  return /^commit: "?([0-9a-f]{40})"?$/m.exec(headOf(document).head)?.[1] ?? null;
}

/** Where the service of a document lives, as it was last read; empty where it does not say. */
export function repositoryIn(document: string): string {
  const said = /^repo: (.+)$/m.exec(headOf(document).head)?.[1] ?? "";
  return said.replace(/^"(.*)"$/, "$1");
}

/** The note that a document's rules come from; null without one. */
export function noteIn(document: string): string | null {
  return /\bEXP-[0-9A-Z]{8}\b/.exec(readBlocks(document).get("names")?.inner ?? "")?.[0] ?? null;
}

/** The language that a document is in; null where it has no section of ours. */
export function languageOfDocument(document: string): Language | null {
  if (readBlocks(document).size === 0) return null;
  const chinese = [SECTION_TEXTS.zh.names, ...Object.values(SECTION_TEXTS.zh.titles)];
  return document.split("\n").some((line) => chinese.some((one) => line === `## ${one}`)) ? "zh" : "en";
}

/** Up to three lines that say what it is. */
export function summaryOf(facts: ServiceFacts, prose: CheckedProse | null): string[] {
  const lines = prose && prose.position.length > 0 ? prose.position : facts.sections.position;
  return lines.slice(0, MAX_LINES.position).map(({ text }) => text);
}

interface Part {
  key: string;
  title: string;
  inner: string;
}

function partsOf({ source, facts, prose, language, note }: DocumentInput, share: number): Part[] {
  const say = SECTION_TEXTS[language];
  const names = [source.service, ...facts.names].map((name) => plain(name, 60)).join(", ");
  const parts: Part[] = [
    {
      key: "names",
      title: say.names,
      inner: `${names}\n\n- ${say.source}: ${note}, ${plain(source.repository)}`,
    },
  ];
  for (const section of SECTIONS) {
    const title = say.titles[section];
    const part = PROSE_PARTS.find((one) => one === section);
    const said = part && prose ? prose[part] : [];
    // Sentences say better what it is than what stands in its manifests.
    const isSaid = section === "position" && said.length > 0;
    const max = Math.max(section === "position" ? 3 : 1, Math.floor(MAX_LINES[section] * share));
    parts.push({
      key: section,
      title,
      inner: isSaid ? "" : factLines(shownOf(facts, section), max, say.more),
    });
    if (part) parts.push({ key: `${part}-read`, title, inner: said.map(proseLine).join("\n") });
  }
  return parts;
}

/** What it is is said in three lines, and nothing is counted besides. */
function shownOf({ sections }: ServiceFacts, section: Section): readonly Fact[] {
  return section === "position" ? sections.position.slice(0, MAX_LINES.position) : sections[section];
}

function factLines(facts: readonly Fact[], max: number, more: (count: number) => string): string {
  const shown = facts.slice(0, max).map(({ text, pointer }) => `- ${text} · \`${pointer}\``);
  const next = facts[max];
  if (next) shown.push(`- ${more(facts.length - max)} · \`${next.pointer}\``);
  return shown.join("\n");
}

function proseLine({ text, pointers }: ProseLine): string {
  return `- ${text} · ${pointers.map((pointer) => `\`${pointer}\``).join(", ")}`;
}

function assemble(old: string, input: DocumentInput, share: number): { text: string; edited: string[] } {
  const { body } = headOf(old);
  const edited: string[] = [];
  let text = body.trim() === "" ? `# ${input.source.service}\n\n${HUMAN}\n` : body;
  let last = "";
  for (const { key, title, inner } of partsOf(input, share)) {
    const block = readBlocks(text).get(key);
    if (block?.isEdited) edited.push(title);
    else if (block) text = inner === "" ? without(text, block) : replaceBlock(text, block, inner);
    else if (inner !== "") text = inserted(text, { title, block: writeBlock(key, inner), after: last });
    if (inner !== "" || block) last = title;
  }
  return { text: `${headLines(old, input)}${text.replace(/^\n*/, "\n")}`, edited };
}

/** A part that nothing is to be said in any more goes, and its heading where nothing else stands below it. */
function without(text: string, block: Block): string {
  return replaceBlock(text, block, "").replaceAll(
    /^## [^\n]+\n\s*(?=## |<!-- human:start|$(?![\s\S]))/gm,
    "",
  );
}

/** Below its heading where there is one, else behind the section before it. */
function inserted(
  text: string,
  { title, block, after }: { title: string; block: string; after: string },
): string {
  const end = sectionEnd(text, title);
  if (end !== null) return joined(text.slice(0, end), block, text.slice(end));
  const behind = after === "" ? null : sectionEnd(text, after);
  const at = behind ?? afterTitle(text);
  return joined(text.slice(0, at), `## ${title}\n\n${block}`, text.slice(at));
}

function joined(before: string, part: string, after: string): string {
  return `${before.trimEnd()}\n\n${part}\n\n${after.trimStart()}`.trimEnd().concat("\n");
}

/** Where a section ends: at the next heading, or before what people put between markers at the end. */
function sectionEnd(text: string, title: string): number | null {
  const heading = new RegExp(String.raw`^## +${title}[ \t]*$`, "m").exec(text);
  if (!heading) return null;
  const from = heading.index + heading[0].length;
  const next = text.slice(from).search(/^(?:#{1,2} |<!-- human:start -->)/m);
  return next < 0 ? text.length : from + next;
}

function afterTitle(text: string): number {
  const title = /^# .*$/m.exec(text);
  const from = title ? title.index + title[0].length : 0;
  const next = text.slice(from).search(/^(?:## |<!-- human:start -->)/m);
  return next < 0 ? text.length : from + next;
}

function headLines(old: string, { source, facts, day }: DocumentInput): string {
  const { head } = headOf(old);
  const theirs = head
    .split("\n")
    .filter((line) => line !== "" && !OURS.some((key) => line.startsWith(`${key}:`)))
    .map((line) => `${line}\n`);
  const ours = [
    `service: ${JSON.stringify(source.service)}`,
    `repo: ${JSON.stringify(source.repository)}`,
    `commit: ${source.commit}`,
    `generated: ${day}`,
    `owners: ${JSON.stringify(facts.owners)}`,
  ];
  return `---\n${ours.join("\n")}\n${theirs.join("")}---\n`;
}

function headOf(document: string): { head: string; body: string } {
  const found = /^---\n([\s\S]*?)^---\n/m.exec(document);
  return found?.index === 0
    ? { head: found[1] ?? "", body: document.slice(found[0].length) }
    : { head: "", body: document };
}

function undated(document: string): string {
  const { head, body } = headOf(document);
  return head.replaceAll(/^(?:commit|generated):.*\n/gm, "") + body.trim();
}

function pointersIn(document: string): string[] {
  const lines = [...readBlocks(document).values()].flatMap(({ inner }) => inner.split("\n"));
  return [
    ...new Set(
      lines.flatMap((line) =>
        [...(/ · (`.+)$/.exec(line)?.[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, pointer = ""]) => pointer),
      ),
    ),
  ];
}
