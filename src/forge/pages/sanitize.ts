import { escapeHtml } from "./html.js";

/** What GitHub lets through, as far as we need it; everything else is dropped, its text stays. */
const TAGS: ReadonlySet<string> = new Set(
  `a b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img input ins kbd li ol p pre q s samp small
  span strong strike sub summary sup table tbody td tfoot th thead tr tt ul var`.split(/\s+/),
);
const VOID_TAGS: ReadonlySet<string> = new Set(["br", "hr", "img", "input"]);
/** Their content is code, not text. */
const CODE_TAGS: ReadonlySet<string> = new Set(["script", "style"]);
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ["href", "title"],
  code: ["class"],
  details: ["open"],
  img: ["src", "alt", "title", "width", "height"],
  input: ["checked"],
  li: ["class"],
  ol: ["start"],
  td: ["align"],
  th: ["align"],
  p: ["align"],
  div: ["align"],
};
const CLASSES = /^(language-[\w+#.-]+|task)$/;
const SCHEMES = /^(https?|mailto)$/i;
// A quoted value may hold ">"; an unclosed quote opens no tag at all. Alternatives are disjoint: no text makes it slow.
const TAG = /<(\/?)([A-Za-z][A-Za-z0-9-]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)>/g;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g;

/** How attribute values are read. */
interface AddressReading {
  /** Replaces entities by what they stand for. */
  decode(text: string): string;
  /** Where a relative address leads. */
  resolve(path: string): string;
}

/**
 * Makes rendered Markdown harmless: only known tags and attributes survive, links lead to the web only, and every tag
 * that was opened is closed, so that a comment cannot change the page around it.
 */
export function sanitize(markup: string, reading: AddressReading): string {
  const source = withoutComments(markup);
  const lower = source.toLowerCase();
  const open: string[] = [];
  let result = "";
  let at = 0;
  for (const found of source.matchAll(TAG)) {
    if (found.index < at) continue;
    result += escapeStray(source.slice(at, found.index));
    at = found.index + found[0].length;
    const name = (found[2] ?? "").toLowerCase();
    if (CODE_TAGS.has(name) && found[1] === "") {
      const close = lower.indexOf(`</${name}`, at);
      at = close < 0 ? source.length : close;
      continue;
    }
    if (!TAGS.has(name)) continue;
    if (found[1] === "/") {
      const depth = open.lastIndexOf(name);
      if (depth >= 0) result += closeTags(open.splice(depth));
      continue;
    }
    if (!VOID_TAGS.has(name)) open.push(name);
    result += `<${name}${safeAttributes(name, found[3] ?? "", reading)}>`;
  }
  return result + escapeStray(source.slice(at)) + closeTags(open);
}

/** An address that a link may have, or null. Control characters are ignored, as browsers do. */
function safeAddress(address: string): string | null {
  // oxlint-disable-next-line no-control-regex
  const clean = address.replace(/[\u0000-\u0020\u007f-\u00a0]/g, "");
  const scheme = /^([^/?#]*?):/.exec(clean)?.[1];
  return scheme === undefined || SCHEMES.test(scheme) ? clean : null;
}

function safeAttributes(tag: string, text: string, reading: AddressReading): string {
  const allowed = ATTRIBUTES[tag] ?? [];
  const kept: string[] = tag === "input" ? [' type="checkbox" disabled'] : [];
  const seen = new Set<string>();
  for (const [, rawName = "", double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const name = rawName.toLowerCase();
    if (!allowed.includes(name) || seen.has(name)) continue;
    seen.add(name);
    const value = safeValue(name, reading.decode(double ?? single ?? bare ?? ""), reading);
    if (value !== null) kept.push(` ${name}="${escapeHtml(value)}"`);
  }
  if (tag === "a") kept.push(' rel="nofollow noopener"');
  return kept.join("");
}

function safeValue(name: string, value: string, reading: AddressReading): string | null {
  if (name === "href" || name === "src") {
    const address = safeAddress(value);
    return address !== null && /^[^:/#?][^:]*$/.test(address) ? reading.resolve(address) : address;
  }
  if (name === "class") return CLASSES.test(value) ? value : null;
  if (name === "align") return /^(left|right|center)$/.test(value) ? value : null;
  if (["width", "height", "start"].includes(name)) return /^\d{1,5}%?$/.test(value) ? value : null;
  return value;
}

function withoutComments(markup: string): string {
  let result = "";
  let at = 0;
  for (;;) {
    const start = markup.indexOf("<!--", at);
    const end = start < 0 ? -1 : markup.indexOf("-->", start + 4);
    if (end < 0) return result + markup.slice(at);
    result += markup.slice(at, start);
    at = end + 3;
  }
}

/** Text between tags: entities stay, a bracket that opens no tag is shown. */
function escapeStray(text: string): string {
  return text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function closeTags(names: readonly string[]): string {
  return names
    .toReversed()
    .map((name) => `</${name}>`)
    .join("");
}
