/** A text on one line, as list items, headings and table cells need it. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Free text below a heading of ours: its own headings get a backslash and an open code fence is closed. */
export function keepHeadings(text: string): string {
  const fences = text.match(/^ {0,3}(?:```|~~~)/gm) ?? [];
  const closed = fences.length % 2 === 0 ? text : `${text.trimEnd()}\n${(fences.at(-1) ?? "").trim()}`;
  return closed.trim().replace(/^( {0,3})(?=\\*#{1,6}(?:\s|$))/gm, "$1\\");
}

/** The text that `keepHeadings` was given. */
export function restoreHeadings(text: string): string {
  return text.trim().replace(/^( {0,3})\\(?=\\*#{1,6}(?:\s|$))/gm, "$1");
}

/** Bullets, or the given words when there is nothing to list. */
export function bullets(items: readonly string[], none: string): string {
  return items.length === 0 ? none : items.map((item) => `- ${oneLine(item)}`).join("\n");
}

/** A value for YAML frontmatter that every reader takes as the same text. */
export function quoted(value: string): string {
  return JSON.stringify(oneLine(value));
}

/** The lines below each heading of one level, by its title; deeper headings stay in the text. */
export function sectionsOf(text: string, level: 2 | 3): { title: string; body: string }[] {
  const mark = new RegExp(`^#{${level}}[ \\t]+(.+?)[ \\t]*$`);
  const ends = new RegExp(`^#{1,${level}}[ \\t]`);
  const sections: { title: string; lines: string[] }[] = [];
  let isOpen = false;
  let fence = "";
  for (const line of text.split(/\r?\n/)) {
    const fenced = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (fence === "" && ends.test(line)) {
      const title = mark.exec(line)?.[1];
      isOpen = title !== undefined;
      if (title !== undefined) sections.push({ title, lines: [] });
      continue;
    }
    if (fence === "") fence = fenced;
    else if (fenced.startsWith(fence)) fence = "";
    if (isOpen) sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ title, lines }) => ({ title, body: lines.join("\n").trim() }));
}
