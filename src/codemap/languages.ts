import { createRequire } from "node:module";
import { AccrueError } from "../shared/index.js";

/** How the names of one file are found from another. */
export type ModuleSystem =
  /** Imports name files: JavaScript, TypeScript. */
  | "javascript"
  | "python"
  /** All files of a folder share their names; imports name folders: Go. */
  | "go"
  /** Imports name `package.Class`; files of a package see each other: Java, Kotlin, Scala. */
  | "package"
  /** `crate::`, `self::`, `super::`, `mod`: Rust. */
  | "rust"
  /** Imports open namespaces: C#, PHP. */
  | "namespace"
  /** Imports name files whose names all become visible: C, C++, Bash. */
  | "include"
  /** Names are visible everywhere: Ruby, Swift. */
  | "global";

/** One language: its grammar, and what of its rules the extractor has to know. Its queries are `data/queries/<name>.scm`. */
export interface Language {
  name: string;
  /** With the dot, lower case. */
  extensions: readonly string[];
  /** Package-relative path of the grammar: `package/path/to.wasm`. */
  grammar: string;
  /** Query files that are joined, in order; default: the language's own. */
  queries?: readonly string[];
  modules: ModuleSystem;
  /** Which definitions other files may use: those marked `@exported`, all but those marked `@hidden`, or by their names. */
  exports: "marked" | "unless-hidden" | "upper-case" | "no-underscore";
  /** True where a method's bare name calls it inside its class: Java, C#, Ruby, …; false in JavaScript and Python. */
  membersInScope: boolean;
  /** What a name looks like, as a sticky expression, where it is more than letters, digits, `_` and `$`. */
  words?: RegExp;
  /**
   * True where the text around a name says how it is used, so that its query needs not: a dot before it makes it a member, `(` after
   * it a call, `new` before it a new instance.
   */
  dots?: boolean;
  /** True where `::` before a name makes it a member, as a dot does. */
  colons?: boolean;
  /** True where the code stands in `<script>` blocks only. */
  scripts?: boolean;
  /** The words for the instance itself. */
  self: readonly string[];
}

const VSCODE = "@vscode/tree-sitter-wasm/wasm/tree-sitter";
const CURSORLESS = "@cursorless/tree-sitter-wasms/out/tree-sitter";
const JAVASCRIPT = {
  modules: "javascript",
  exports: "marked",
  membersInScope: false,
  dots: true,
  self: ["this"],
} as const;

/** Every language that the code map reads. Adding one is described in docs/adding-a-language.md. */
export const LANGUAGES: readonly Language[] = [
  {
    name: "javascript",
    extensions: [".js", ".mjs", ".cjs", ".jsx"],
    grammar: `${VSCODE}-javascript.wasm`,
    queries: ["javascript", "ecma", "jsx"],
    ...JAVASCRIPT,
  },
  {
    name: "typescript",
    extensions: [".ts", ".mts", ".cts"],
    grammar: `${VSCODE}-typescript.wasm`,
    queries: ["typescript", "ecma"],
    ...JAVASCRIPT,
  },
  {
    name: "tsx",
    extensions: [".tsx"],
    grammar: `${VSCODE}-tsx.wasm`,
    queries: ["typescript", "ecma", "jsx"],
    ...JAVASCRIPT,
  },
  {
    name: "component",
    extensions: [".vue", ".svelte"],
    grammar: `${VSCODE}-typescript.wasm`,
    queries: ["typescript", "ecma"],
    scripts: true,
    ...JAVASCRIPT,
  },
  {
    name: "c",
    extensions: [".c", ".h"],
    grammar: `${CURSORLESS}-c.wasm`,
    modules: "include",
    exports: "unless-hidden",
    membersInScope: false,
    self: [],
  },
  {
    name: "cpp",
    extensions: [".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl"],
    grammar: `${VSCODE}-cpp.wasm`,
    queries: ["cpp", "c"],
    modules: "include",
    exports: "unless-hidden",
    membersInScope: true,
    self: ["this"],
  },
  {
    name: "ruby",
    extensions: [".rb", ".rake", ".gemspec", ".ru"],
    grammar: `${VSCODE}-ruby.wasm`,
    modules: "global",
    exports: "unless-hidden",
    membersInScope: true,
    words: /@{0,2}[\p{L}\p{N}_$]+(?:[?!](?!=))?/uy,
    self: ["self"],
  },
  {
    name: "php",
    extensions: [".php", ".phtml"],
    grammar: `${VSCODE}-php.wasm`,
    modules: "namespace",
    exports: "unless-hidden",
    membersInScope: false,
    self: ["$this", "self", "static"],
  },
  {
    name: "kotlin",
    extensions: [".kt", ".kts"],
    grammar: `${CURSORLESS}-kotlin.wasm`,
    modules: "package",
    exports: "unless-hidden",
    membersInScope: true,
    self: ["this"],
  },
  {
    name: "scala",
    extensions: [".scala", ".sc"],
    grammar: `${CURSORLESS}-scala.wasm`,
    modules: "package",
    exports: "unless-hidden",
    membersInScope: true,
    self: ["this"],
  },
  {
    name: "swift",
    extensions: [".swift"],
    grammar: `${CURSORLESS}-swift.wasm`,
    modules: "global",
    exports: "unless-hidden",
    membersInScope: true,
    self: ["self"],
  },
  {
    name: "bash",
    extensions: [".sh", ".bash"],
    grammar: `${VSCODE}-bash.wasm`,
    modules: "include",
    exports: "unless-hidden",
    membersInScope: false,
    self: [],
  },
  {
    name: "lua",
    extensions: [".lua"],
    grammar: `${CURSORLESS}-lua.wasm`,
    modules: "global",
    exports: "unless-hidden",
    membersInScope: false,
    self: ["self"],
  },
  {
    name: "python",
    extensions: [".py", ".pyi"],
    grammar: `${VSCODE}-python.wasm`,
    modules: "python",
    exports: "no-underscore",
    membersInScope: false,
    dots: true,
    self: ["self", "cls"],
  },
  {
    name: "go",
    extensions: [".go"],
    grammar: `${VSCODE}-go.wasm`,
    modules: "go",
    exports: "upper-case",
    membersInScope: false,
    dots: true,
    self: [],
  },
  {
    name: "java",
    extensions: [".java"],
    grammar: `${VSCODE}-java.wasm`,
    modules: "package",
    exports: "unless-hidden",
    membersInScope: true,
    dots: true,
    colons: true,
    self: ["this"],
  },
  {
    name: "rust",
    extensions: [".rs"],
    grammar: `${VSCODE}-rust.wasm`,
    modules: "rust",
    exports: "marked",
    membersInScope: false,
    dots: true,
    colons: true,
    self: ["self", "Self"],
  },
  {
    name: "c-sharp",
    extensions: [".cs", ".csx"],
    grammar: `${VSCODE}-c-sharp.wasm`,
    modules: "namespace",
    exports: "marked",
    membersInScope: true,
    self: ["this"],
  },
];

const BY_EXTENSION = new Map(
  LANGUAGES.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)),
);

const CPP_LINE = /^\s*(?:class\s+\w|namespace\b|template\s*<|(?:public|private|protected)\s*:|using\s+\w)/m;

/** The language of a file by its name's end, or null when the code map reads none of it. A `.h` file whose text uses C++ is C++. */
export function languageOfFile(path: string, text = ""): Language | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  if (dot < 0) return null;
  const extension = name.slice(dot).toLowerCase();
  return BY_EXTENSION.get(extension === ".h" && CPP_LINE.test(text) ? ".hpp" : extension) ?? null;
}

/** Absolute path of a language's grammar. Throws `GRAMMAR_MISSING` when its package, which may be optional, is not installed. */
export function grammarFile({ name, grammar }: Language): string {
  try {
    return createRequire(import.meta.url).resolve(grammar);
  } catch (cause) {
    const packageName = grammar
      .split("/")
      .slice(0, grammar.startsWith("@") ? 2 : 1)
      .join("/");
    const message = `The grammar of ${name} is not installed. Run \`npm install ${packageName}\` where Accrue is installed.`;
    throw new AccrueError("GRAMMAR_MISSING", message, { cause });
  }
}
