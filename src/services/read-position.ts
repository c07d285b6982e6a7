import { parse as parseToml } from "smol-toml";
import { z } from "zod";
import type { Tree } from "../knowledge/index.js";
import { filesLike, lineAt, linesOf, plain } from "./lines.js";
import type { Fact } from "./types.js";

/** What a manifest or a README says of the whole. */
export interface Introduction {
  names: string[];
  about: Fact[];
}

const Package = z.object({ name: z.string().optional(), description: z.string().optional() });
const Toml = z.object({
  project: Package.optional(),
  package: Package.optional(),
  tool: z.object({ poetry: Package.optional() }).optional(),
});
const MAX_PARAGRAPH = 240;
const MAX_NAME = 40;
/** Lines of a README that say nothing of what it is: badges, pictures, tables, code, lists of links. */
const NO_PROSE = /^\s*(?:$|#|[-*_]{3,}\s*$|!?\[|<|```|\||>|[-*+] |\d+\. |={3,}|\.\. |:\w+:)/;
/** A line that is underlined is a heading. */
const UNDERLINE = /^(?:={3,}|-{3,}|~{3,}|\^{3,})\s*$/;
/** What stands below says how it is run, and not what it is. */
const MANUAL =
  /^#+ .*\b(?:install\w*|getting started|quick ?start|usage|set ?up|requirements|prerequisites|running|development|contributing|licen[sc]e|environment|config\w*)\b|^#+ .*(?:安装|快速|使用|开始|环境|部署|开发|许可)/i;

/** Names and descriptions from manifests and the README, each with where it stands. */
export function readPosition(files: Tree): Introduction {
  const introduction: Introduction = { names: [], about: [] };
  for (const [path, text] of filesLike(
    files,
    /^(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod|pom\.xml|settings\.gradle(?:\.kts)?)$/,
  ))
    addManifest(introduction, path, text);
  for (const [path, text] of filesLike(files, /^readme(?:\.[\w-]+)*$/i).slice(0, 2)) {
    const title = linesOf(text).find((line) => line.text.startsWith("# "))?.text ?? "";
    const name = plain(title.replace(/^# /, "").replaceAll(/!?\[|\]\([^)]*\)/g, ""));
    if (name !== "" && name.length <= MAX_NAME) introduction.names.push(name);
    const paragraph = firstParagraph(text);
    if (paragraph) introduction.about.push({ text: paragraph.text, pointer: `${path}:${paragraph.line}` });
  }
  return introduction;
}

function addManifest({ names, about }: Introduction, path: string, text: string): void {
  const { name = "", description = "" } = manifestOf(path, text);
  if (name !== "")
    names.push(
      name
        .replace(/^@[^/]+\//, "")
        .split("/")
        .at(-1) ?? name,
    );
  if (description.trim() === "") return;
  const at = text.indexOf(description.slice(0, 20));
  about.push({
    text: plain(description, MAX_PARAGRAPH),
    pointer: `${path}:${lineAt(text, Math.max(0, at))}`,
  });
}

function manifestOf(path: string, text: string): z.infer<typeof Package> {
  try {
    if (path === "package.json") return Package.parse(JSON.parse(text));
    if (path.endsWith(".toml")) {
      const { project, package: crate, tool } = Toml.parse(parseToml(text));
      return project ?? crate ?? tool?.poetry ?? {};
    }
  } catch {
    // A manifest that its own tool could not read either says nothing.
    return {};
  }
  const first = (pattern: RegExp) => pattern.exec(text)?.[1]?.trim();
  if (path === "go.mod") return named(first(/^module\s+(\S+)/m)?.replace(/\/v\d+$/, ""));
  if (path === "pom.xml") {
    const own = text.replace(
      /<parent>[\s\S]*?<\/parent>|<dependenc(?:y|ies)>[\s\S]*?<\/dependenc(?:y|ies)>/g,
      "",
    );
    const description = /<description>([^<]+)<\/description>/.exec(own)?.[1]?.trim();
    return {
      ...named(/<artifactId>([^<]+)<\/artifactId>/.exec(own)?.[1]),
      ...(description && { description }),
    };
  }
  return named(first(/rootProject\.name\s*=\s*["']([^"']+)["']/));
}

function named(name: string | undefined): z.infer<typeof Package> {
  return name === undefined ? {} : { name };
}

function firstParagraph(readme: string): { text: string; line: number } | null {
  const lines = linesOf(readme.replaceAll(/<!--[\s\S]*?-->/g, (comment) => comment.replaceAll(/[^\n]/g, "")));
  let [isCode, isManual] = [false, false];
  const start = lines.findIndex(({ text }, index) => {
    if (/^\s*(?:```|~~~)/.test(text)) isCode = !isCode;
    if (!isCode && text.startsWith("#")) isManual = MANUAL.test(text);
    const isHeading = UNDERLINE.test(lines[index + 1]?.text ?? "");
    return !isCode && !isManual && !isHeading && !NO_PROSE.test(text) && !/[:：]\s*$/.test(text);
  });
  if (start < 0) return null;
  const rest = lines.slice(start);
  const end = rest.findIndex(({ text }) => NO_PROSE.test(text));
  const said = rest.slice(0, end < 0 ? rest.length : end).map(({ text }) => text);
  const text = plain(said.join(" ").replaceAll(/!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)|\[|\]/g, ""), MAX_PARAGRAPH);
  return text === "" ? null : { text, line: rest[0]?.number ?? 1 };
}
