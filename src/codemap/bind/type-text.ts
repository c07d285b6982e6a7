const WRAPPER =
  /^(?:Promise|PromiseLike|Awaited|Readonly|Partial|Required|NonNullable|Optional|Option|Result|Box|Rc|Arc|Ref|RefMut|Type|type)\s*[<[]\s*(.*)[>\]]$/s;
const NOISE =
  /^(?:readonly|const|mut|dyn|impl|final|in|out|ref|struct|enum|typeof|static)\s+|^'[a-z_]+\s+|^[&*?]+\s*|^:\s*|^\(\s*(.*)\s*\)$/s;

/** The one name that a written type comes down to (`Promise<Store | null>` is `Store`); null when there is none. */
export function nameOfType(written: string): string | null {
  let text = written.trim();
  for (let before = ""; before !== text;) {
    before = text;
    text = text.replace(NOISE, (_, inner?: string) => inner ?? "").trim();
    const parts = text.split(/\s*\|\s*/).filter((part) => !/^(?:null|undefined|None|void)?$/.test(part));
    if (parts.length === 1 && parts[0] !== undefined) text = parts[0].trim();
    text = (WRAPPER.exec(text)?.[1] ?? text).replace(/[?!]+$/, "").trim();
    if (text.startsWith('"') || text.startsWith("'")) text = text.replace(/^(["'])(.*)\1$/s, "$2");
  }
  const [, name = null, rest = ""] =
    /^([\p{L}\p{N}_$]+(?:(?:\.|::|\\)[\p{L}\p{N}_$]+)*)\s*(.*)$/su.exec(text) ?? [];
  return rest === "" || (/^[<[]/.test(rest) && !/\[\s*\]$/.test(rest)) ? name : null;
}
