const HAS_CJK = /[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]/u;

/** The languages that Accrue writes to people in. */
export type Language = "en" | "zh";

/** Chinese if a good part of the letters is Han, else English. */
export function languageOf(text: string): Language {
  const letters = [...text.matchAll(/\p{L}/gu)].length;
  const han = [...text.matchAll(/\p{Script=Han}/gu)].length;
  return letters > 0 && han / letters > 0.2 ? "zh" : "en";
}

/** True when the text holds Chinese, Japanese or Korean characters. */
export function hasCjk(text: string): boolean {
  return HAS_CJK.test(text);
}

/** An ASCII slug for branch and folder names; empty when nothing of the title is ASCII (emoji, Chinese). */
export function slug(title: string, maxLength = 40): string {
  const words = title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  let out = "";
  for (const word of words) {
    const next = out ? `${out}-${word}` : word;
    if (next.length > maxLength) break;
    out = next;
  }
  return out || (words[0] ?? "").slice(0, maxLength);
}

/**
 * Cuts a text to at most `max` UTF-16 units (GitHub's count), never inside a code point, closes an open code fence and says
 * that it was cut.
 */
export function clipMarkdown(text: string, max: number, notice = "\n\n… cut: too long to show here"): string {
  if (text.length <= max) return text;
  const fence = "\n```";
  let cut = text.slice(0, max - notice.length - fence.length).replace(/[\ud800-\udbff]$/, "");
  const fences = cut.match(/^ {0,3}(```|~~~)/gm) ?? [];
  if (fences.length % 2 === 1) cut += fence;
  return cut + notice;
}

/** Keeps the first and the last part of a long output, with a line that says how much is missing between them. */
export function clipMiddle(text: string, max: number, headShare = 0.3): string {
  if (text.length <= max) return text;
  const head = text.slice(0, Math.floor(max * headShare)).replace(/[\ud800-\udbff]$/, "");
  const tail = text.slice(text.length - Math.ceil(max * (1 - headShare))).replace(/^[\udc00-\udfff]/, "");
  return `${head}\n… ${text.length - head.length - tail.length} characters left out …\n${tail}`;
}

/** The beginning of a text that is longer than `max` characters, with a sign that more follows. */
export function clipEnd(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, Math.max(0, max - 1)).replace(/[\ud800-\udbff]$/, "");
  return `${cut.trimEnd()}…`;
}

/** A rough count of tokens: a quarter of an ASCII character's worth, more than one for a CJK character. */
export function estimateTokens(text: string): number {
  return Math.ceil(weighTokens(text));
}

/** The same count before it is rounded, for parts that are added up. */
export function weighTokens(text: string): number {
  let tokens = 0;
  for (const char of text) tokens += (char.codePointAt(0) ?? 0) < 128 ? 0.28 : 1.2;
  return tokens;
}

/** A hidden HTML comment that marks one of our comments or blocks: `<!-- accrue:<kind> <key> -->`. */
export function marker(kind: string, key = ""): string {
  return `<!-- accrue:${kind}${key ? ` ${key.replaceAll("--", "-")}` : ""} -->`;
}
