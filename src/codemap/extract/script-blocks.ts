const START = /<script(?=[\s>])/gi;
const END = /<\/script\s*>/gi;
/** What may hide a tag's end, and the end itself. */
const QUOTED_OR_END = /"[^"]*"|'[^']*'|>/g;

/** A text in which all but what its `<script>` blocks hold is blank, so that lines and columns stay as they are. */
export function onlyScripts(text: string): string {
  let kept = "";
  let at = 0;
  for (;;) {
    const tag = indexAfter(START, text, at);
    const start = tag === null ? null : endOfTag(text, tag);
    if (start === null) return kept + blank(text.slice(at));
    END.lastIndex = start;
    const end = END.exec(text)?.index ?? text.length;
    kept += blank(text.slice(at, start)) + text.slice(start, end);
    at = end;
  }
}

/** Null where no tag ends any more, so that none after it can either and the text is read once only. */
function endOfTag(text: string, from: number): number | null {
  QUOTED_OR_END.lastIndex = from;
  for (let found = QUOTED_OR_END.exec(text); found; found = QUOTED_OR_END.exec(text))
    if (found[0] === ">") return QUOTED_OR_END.lastIndex;
  return null;
}

function indexAfter(pattern: RegExp, text: string, from: number): number | null {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : null;
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
