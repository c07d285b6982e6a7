const BLOCK = /<script\b[^>]*>/gi;
const END = /<\/script\s*>/gi;

/** A text in which all but what its `<script>` blocks hold is blank, so that lines and columns stay as they are. */
export function onlyScripts(text: string): string {
  let kept = "";
  let at = 0;
  BLOCK.lastIndex = 0;
  for (let block = BLOCK.exec(text); block; block = BLOCK.exec(text)) {
    const start = block.index + block[0].length;
    END.lastIndex = start;
    const end = END.exec(text)?.index ?? text.length;
    kept += blank(text.slice(at, start)) + text.slice(start, end);
    at = end;
    BLOCK.lastIndex = end;
  }
  return kept + blank(text.slice(at));
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
