/** What a query asks for at one place of a tree. */
export interface Form {
  /** What the node must be; null for a choice. */
  kind: Kind | null;
  /** Of `[…]`: one of them will do. */
  choice: readonly Form[];
  children: readonly Form[];
  field: string | null;
  /** Fields that the node must not have. */
  absent: readonly string[];
  captures: readonly string[];
  isOptional: boolean;
  /** True where no other named node may stand before it. */
  isAnchored: boolean;
  /** True where no other named node may stand after it. */
  isLast: boolean;
}

/** A node's type as written: `(identifier)` has a name, `"="` has none; `_` for any. */
export interface Kind {
  type: string;
  isNamed: boolean;
}

/** A condition on what a capture says. */
export interface Predicate {
  name: string;
  capture: string;
  words: readonly string[];
}

/** One pattern of a query. */
export interface PatternForm {
  /** Its file and line, for those who write it. */
  place: string;
  form: Form;
  predicates: readonly Predicate[];
}

type Draft = { -readonly [Key in keyof Form]: Form[Key] };

const TOKEN = /\s+|;[^\n]*|("(?:[^"\\]|\\.)*"|@[\w.]+|#[\w-]+\?|![a-z_]+|[A-Za-z_]\w*:?|[()[\].?])/y;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0" };

/** Reads the patterns of a query file, in the forms that our own files use. Throws for any other, with where it stands. */
export function readForms(source: string, file: string): PatternForm[] {
  const tokens = createTokens(source, file);
  const patterns: PatternForm[] = [];
  while (tokens.next() !== "") patterns.push({ place: tokens.place(), ...readPattern(tokens) });
  return patterns;
}

interface Tokens {
  /** The token that comes next; empty at the end. */
  next(): string;
  take(): string;
  /** Takes the next token where it is this one. */
  skip(token: string): boolean;
  /** File and line of the next token. */
  place(): string;
  fail(what: string): never;
}

function createTokens(source: string, file: string): Tokens {
  const found: { token: string; at: number }[] = [];
  let index = 0;
  const next = () => found[index]?.token ?? "";
  const place = () => `${file}:${source.slice(0, found[index]?.at).split("\n").length}`;
  const fail = (what: string): never => {
    throw new Error(`${place()}: ${what} is not understood; docs/adding-a-language.md says what is.`);
  };
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [whole, token] = TOKEN.exec(source) ?? [];
    if (token !== undefined) found.push({ token, at });
    if (whole !== undefined) continue;
    index = found.push({ token: "", at }) - 1;
    fail(JSON.stringify(source[at]));
  }
  return {
    next,
    take: () => found[index++]?.token ?? "",
    skip: (token) => next() === token && ++index > 0,
    place,
    fail,
  };
}

/** A pattern may be put into parentheses together with its predicates. */
function readPattern(tokens: Tokens): Omit<PatternForm, "place"> {
  if (!tokens.skip("(")) return { form: readForm(tokens), predicates: [] };
  if (!/^[([]/.test(tokens.next())) return { form: readNode(tokens), predicates: [] };
  const form = readForm(tokens);
  const predicates: Predicate[] = [];
  while (tokens.skip("(")) predicates.push(readPredicate(tokens));
  if (!tokens.skip(")")) tokens.fail(`${tokens.next()} beside a pattern's outermost node`);
  return { form, predicates };
}

function readPredicate(tokens: Tokens): Predicate {
  const name = tokens.take();
  const capture = tokens.take();
  const words: string[] = [];
  while (tokens.next().startsWith('"')) words.push(unquoted(tokens.take()));
  if (!capture.startsWith("@") || words.length === 0 || !tokens.skip(")")) tokens.fail(`predicate ${name}`);
  return { name, capture: capture.slice(1), words };
}

function unquoted(token: string): string {
  return token.slice(1, -1).replace(/\\(.)/g, (_, char: string) => ESCAPES[char] ?? char);
}

function readForm(tokens: Tokens): Draft {
  const token = tokens.take();
  if (token === "(") return readNode(tokens);
  if (token === "[") {
    const choice: Form[] = [];
    while (!tokens.skip("]")) choice.push(readForm(tokens));
    return readMarks({ ...bare(null), choice }, tokens);
  }
  if (token === "_") return readMarks(bare({ type: "_", isNamed: false }), tokens);
  if (token.startsWith('"')) return readMarks(bare({ type: unquoted(token), isNamed: false }), tokens);
  return tokens.fail(`a pattern that starts with ${JSON.stringify(token)}`);
}

function bare(kind: Kind | null): Draft {
  const flags = { isOptional: false, isAnchored: false, isLast: false };
  return { kind, choice: [], children: [], field: null, absent: [], captures: [], ...flags };
}

/** Reads a node whose parenthesis is open already. */
function readNode(tokens: Tokens): Draft {
  const type = tokens.take();
  if (!/^\w+$/.test(type)) tokens.fail(`a node of type ${JSON.stringify(type)}`);
  const children: Draft[] = [];
  const absent: string[] = [];
  let isAnchored = false;
  while (!tokens.skip(")")) {
    if (tokens.skip(".")) {
      isAnchored = true;
      continue;
    }
    if (tokens.next().startsWith("!")) {
      absent.push(tokens.take().slice(1));
      continue;
    }
    const field = tokens.next().endsWith(":") ? tokens.take().slice(0, -1) : null;
    children.push({ ...readForm(tokens), field, isAnchored });
    isAnchored = false;
  }
  const last = children.at(-1);
  if (isAnchored && last) last.isLast = true;
  return readMarks({ ...bare({ type, isNamed: true }), children, absent }, tokens);
}

/** Reads what is said of a form after it: `?` and captures. */
function readMarks(form: Draft, tokens: Tokens): Draft {
  const captures: string[] = [];
  for (;;) {
    if (tokens.skip("?")) form.isOptional = true;
    else if (tokens.next().startsWith("@")) captures.push(tokens.take().slice(1));
    else return { ...form, captures };
  }
}
