const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/;

/**
 * A text of ours in which no name of ours is spoken to: what people wrote may hold one, and a copy of it, by them or by another
 * bot, would summon us.
 */
export function quiet(text: string, mention: string): string {
  const name = mention.replaceAll(/[^\w\s@]/g, String.raw`\$&`);
  const live = new RegExp(String.raw`(?<![\w@/-])${name}(?![\w-])`, "gi");
  return text
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(live, "`$&`")))
    .join("");
}
