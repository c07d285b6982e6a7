import { codeSpan } from "./lists.js";

/** What a text names besides words: files and folders, code identifiers, and quoted phrases. */
interface Mentions {
  paths: string[];
  symbols: string[];
  quoted: string[];
  /** The text without paths and code, for its words. */
  rest: string;
}

// The patterns read text of strangers: each can start only at the edge of what it matches, so none goes quadratic.
const CODE_SPAN = /(?<!`)(`{1,4})(?!`)(.+?)(?<!`)\1(?!`)/g;
const ADDRESS = /https?:\/\/[^\s)>\]）】」]+/g;
const PATH = /(?<![\w@.*/-])\/?(?:[\w@.*-]+\/)+(?:[\w@.*-]*[\w*])?/g;
const FILE_NAME = /(?<![\w@./-])[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,5}(?![\w(])/g;
const IDENTIFIER = /(?<![\w$])[A-Za-z_$][\w$]*/g;
const QUOTED =
  /“([^”\n]{2,40})”|「([^」\n]{2,40})」|『([^』\n]{2,40})』|《([^》\n]{2,40})》|"([^"\n]{2,40})"/g;
/** Code spans, addresses, and paths beside them, in one look. */
const NAMED = new RegExp([CODE_SPAN, ADDRESS, PATH, FILE_NAME].map(({ source }) => source).join("|"), "g");
/** Names that look like files and are none. */
const NOT_FILES =
  /^(node|vue|next|nuxt|react|express|three|d3|chart|ember|socket|alpine)\.js$|^asp\.net$|^(e\.g|i\.e)$/i;
/** Stands where something was taken out, so that the words around it are not read as one phrase. */
const GAP = " ; ";

/** Finds what a text names, so that it can be matched exactly. */
export function mentionsOf(text: string): Mentions {
  const paths = new Set<string>();
  const symbols = new Set<string>();
  const quoted = new Set<string>();
  const addPath = (path: string) => {
    paths.add(path.replace(/^(\.{0,2}\/)+/, ""));
    return GAP;
  };
  const rest = text
    .replace(CODE_SPAN, (_whole, _ticks: string, code: string) => {
      const inner = code.trim();
      if (isPath(inner)) addPath(inner);
      else if (/^[A-Za-z_$][\w$.]*(\(\))?$/.test(inner)) symbols.add(inner.replace(/\(\)$/, ""));
      else quoted.add(inner);
      return GAP;
    })
    .replace(ADDRESS, (address) => {
      const file = /\/blob\/[^/]+\/([^?#]+)/.exec(address)?.[1];
      return file ? addPath(file) : GAP;
    })
    .replace(PATH, (path) => (/[A-Za-z]/.test(path) ? addPath(path) : GAP))
    .replace(FILE_NAME, (name) => (NOT_FILES.test(name) ? name : addPath(name)))
    .replace(IDENTIFIER, (name) => {
      if (!looksLikeCode(name)) return name;
      symbols.add(name);
      return GAP;
    });
  for (const [, ...phrases] of rest.matchAll(QUOTED)) quoted.add(phrases.find(Boolean) ?? "");
  return { paths: [...paths], symbols: [...symbols], quoted: [...quoted].filter(Boolean), rest };
}

/**
 * Rewrites the names of code in a text: files and folders, and in code spans definitions. A name for which null is given stays. What
 * prose writes without a code span counts only where it is a file or goes down several folders: "and/or" does neither.
 */
export function renameMentions(text: string, rename: (name: string) => string | null): string {
  return text.replace(NAMED, (whole: string, ticks: string | undefined, code = "") => {
    const inner = code.trim();
    const isInCode = ticks !== undefined;
    const isMeant = isInCode ? isPath(inner) || looksLikeCode(inner) : isSurelyPath(whole);
    const name = isMeant ? rename(isInCode ? inner : whole) : null;
    return name === null ? whole : codeSpan(name);
  });
}

function isSurelyPath(text: string): boolean {
  if (text.includes("://") || NOT_FILES.test(text) || !/[A-Za-z]/.test(text)) return false;
  return /\.[A-Za-z]\w{0,5}$|\*|\/$/.test(text) || text.split("/").length > 2;
}

function isPath(code: string): boolean {
  if (/\s/.test(code) || !/[\p{L}\p{N}*]/u.test(code)) return false;
  return (
    code.includes("/") || (/^[\w-]+(\.[\w-]+)*\.[A-Za-z]\w{0,5}$/.test(code) && /\.[a-z]{1,5}$/.test(code))
  );
}

function looksLikeCode(name: string): boolean {
  return /[a-z][A-Z]|[A-Za-z]_[A-Za-z]|^[_$]+[A-Za-z]/.test(name);
}
