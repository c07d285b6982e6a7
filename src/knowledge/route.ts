import { readFrontmatter } from "./frontmatter.js";
import { GLOSSARY_PATH } from "./glossary.js";
import { readLines } from "./lines.js";
import { mentionsOf } from "./mentions.js";
import { headingOf } from "./note-sections.js";
import type { Tree } from "./types.js";
import { contentWords, foldText } from "./words.js";

const SERVICES = "context/tech/services/";
const SERVICE_NAME =
  /(?<![\w/-])[a-z][a-z0-9]*(?:-[a-z0-9]+)*-(?:service|svc|server|gateway|worker|api)(?![\w/-])/i;
const TECHNICAL =
  /\b(database|mysql|postgres\w*|redis|kafka|queue|cache|deploy\w*|docker|kubernetes|k8s|api|endpoint|timeout|thread|framework|librar(y|ies)|dependenc(y|ies)|version|config\w*|port|build|migration|index|schema|server|cluster|node|typescript|python|java|go)\b|数据库|缓存|队列|部署|接口|超时|线程|框架|依赖|版本|配置|端口|编译|构建|集群|表结构|索引|服务器|中间件/i;
/** Words that a text and a document must share for the one to belong into the other. */
const MIN_SHARED = 2;

/** The document that a statement belongs into: a service's own, one that speaks of the same, or the facts of its field. */
export function documentFor(text: string, tree: Tree): string {
  const service = serviceIn(text, tree);
  if (service !== null) return `${SERVICES}${service}.md`;
  const { paths, symbols } = mentionsOf(text);
  const isTechnical = paths.length + symbols.length > 0 || TECHNICAL.test(text);
  const folder = isTechnical ? "context/tech/" : "context/business/";
  return nearest(text, tree, folder) ?? `${folder}facts.md`;
}

/** The service that a text speaks of: one that has a document, or a name that only a service has. */
function serviceIn(text: string, tree: Tree): string | null {
  const folded = foldText(text);
  const known = [...tree.keys()]
    .filter((path) => path.startsWith(SERVICES) && path.endsWith(".md"))
    .map((path) => path.slice(SERVICES.length, -".md".length));
  const named = known.filter((name) => name.length >= 3 && folded.includes(foldText(name)));
  return named.sort((a, b) => b.length - a.length)[0] ?? SERVICE_NAME.exec(text)?.[0].toLowerCase() ?? null;
}

function nearest(text: string, tree: Tree, folder: string): string | null {
  const words = new Set(contentWords(text));
  const ranked = [...tree]
    .filter(([path]) => path.startsWith(folder) && path.endsWith(".md") && path !== GLOSSARY_PATH)
    .filter(([path]) => !path.slice(folder.length).includes("/"))
    .map(([path, document]) => ({ path, shared: shared(path, document, words) }))
    .filter((candidate) => candidate.shared >= MIN_SHARED)
    .sort((a, b) => b.shared - a.shared || (a.path < b.path ? -1 : 1));
  return ranked[0]?.path ?? null;
}

function shared(path: string, document: string, words: ReadonlySet<string>): number {
  const { lines } = readLines(path, readFrontmatter(path, document).body);
  const headings = lines.flatMap((line) => (line.isCode ? [] : (headingOf(line.text)?.title ?? [])));
  return contentWords(headings.join("\n")).filter((word) => words.has(word)).length;
}
