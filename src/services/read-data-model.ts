import type { Tree } from "../knowledge/index.js";
import { filesLike, lineAt, plain } from "./lines.js";
import { isCode } from "./pick-files.js";
import type { Fact } from "./types.js";

const CREATE =
  /\bcreate\s+(?:unlogged\s+|temporary\s+)?table\s+(?:if\s+not\s+exists\s+)?(?<name>[\w.`"[\]]+)/gi;
const ALTER = /\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(?<name>[\w.`"[\]]+)/gi;
const REFERENCE = /\breferences\s+(?<name>[\w.`"[\]]+)/gi;

/** How code says that a class is kept: the named group `name` is the entity, `table` where it is kept. */
const ENTITIES: readonly { files: RegExp; entity: RegExp }[] = [
  {
    files: /\.(?:py|[cm]?[jt]s|rb|php)$/,
    entity: /\b(?:create_?table|Schema::create)\(?\s*[:"'](?<name>\w+)/gi,
  },
  { files: /\.prisma$/, entity: /^model\s+(?<name>\w+)\s*\{/gm },
  {
    files: /\.[cm]?[jt]s$/,
    entity:
      /@Entity\(\s*(?:["'](?<table>\w+)["'])?[^)]*\)\s*(?:export\s+)?(?:default\s+)?class\s+(?<name>\w+)/g,
  },
  { files: /\.[cm]?[jt]s$/, entity: /\bmongoose\.model(?:<[^>]*>)?\(\s*["'](?<name>\w+)["']/g },
  {
    files: /\.[cm]?[jt]s$/,
    entity: /\b(?<name>\w+)\s*=\s*(?:pgTable|mysqlTable|sqliteTable)\(\s*["'](?<table>\w+)["']/g,
  },
  {
    files: /\.(?:java|kt)$/,
    entity:
      /@Entity\b(?:\([^)]*\))?(?:\s*@(?:Table\(\s*(?:name\s*=\s*)?"(?<table>\w+)"[^)]*\)|\w+(?:\([^)]*\))?))*\s*(?:public\s+|data\s+|open\s+|final\s+)*class\s+(?<name>\w+)/g,
  },
  {
    files: /\.py$/,
    entity:
      /^class\s+(?<name>\w+)\([^)]*\):(?:\n(?!class\b)[^\n]*){0,6}?\n\s+__tablename__\s*=\s*["'](?<table>\w+)["']/gm,
  },
  {
    files: /\.py$/,
    entity: /^class\s+(?<name>\w+)\((?:[^)]*\bmodels\.Model\b|[^)]*\bSQLModel,\s*table=True)[^)]*\):/gm,
  },
  { files: /\.go$/, entity: /^type\s+(?<name>\w+)\s+struct\s*\{(?=[^}]*`[^`\n]*gorm:")/gm },
];

/** Tables with what changed them later and what they point to, and the classes of code that are kept. Names, never columns. */
export function readDataModel(files: Tree): Fact[] {
  return [...tables(files), ...entities(files)];
}

function tables(files: Tree): Fact[] {
  const made = new Map<string, { pointer: string; changes: number; to: Set<string> }>();
  for (const [path, text] of filesLike(files, /\.sql$/i)) {
    // A comment makes no table.
    const sql = text.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, " "));
    for (const found of sql.matchAll(CREATE)) {
      const name = nameOf(found);
      const end = sql.indexOf(";", found.index);
      const body = sql.slice(found.index, end < 0 ? sql.length : end);
      const to = new Set([...body.matchAll(REFERENCE)].map(nameOf).filter((other) => other !== name));
      if (!made.has(name)) made.set(name, { pointer: `${path}:${lineAt(sql, found.index)}`, changes: 0, to });
    }
    for (const found of sql.matchAll(ALTER)) {
      const table = made.get(nameOf(found));
      if (table) table.changes += 1;
    }
  }
  return [...made].map(([name, { pointer, changes, to }]) => ({
    text: [
      `table ${name}`,
      to.size > 0 ? `→ ${[...to].join(", ")}` : "",
      changes > 0 ? `(ALTER × ${changes})` : "",
    ]
      .filter(Boolean)
      .join(" "),
    pointer,
  }));
}

function nameOf({ groups }: RegExpExecArray): string {
  return plain((groups?.["name"] ?? "").replaceAll(/[`"[\]]/g, ""), 80);
}

function entities(files: Tree): Fact[] {
  return [...files]
    .filter(([path]) => isCode(path) || path.endsWith(".prisma"))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, text]) =>
      ENTITIES.filter((form) => form.files.test(path)).flatMap(({ entity }) =>
        [...text.matchAll(entity)].map(({ groups }) => {
          const { name = "", table } = groups ?? {};
          return { text: `${name}${table ? ` → ${table}` : ""}`, pointer: `${path}#${name}` };
        }),
      ),
    );
}
