import { type Language, type Parser, Query, type Tree, type TreeCursor } from "web-tree-sitter";
import { type GrammarTables, readTables } from "./grammar-tables.js";
import { type MatchRun, createPatternMatcher } from "./match-patterns.js";
import { compilePatterns } from "./patterns.js";
import { readForms } from "./query-forms.js";
import type { Runtime } from "./runtime.js";
import { createNodes, readNodes } from "./tree-memory.js";

/** One query that can be run over trees of its language. */
export interface Matcher {
  captureNames: readonly string[];
  /** Hands over what it finds in a tree of a text, until it is late. */
  run(tree: Tree, run: MatchRun): void;
}

/** One language's parser with its query files, in order. */
export interface QuerySource {
  parser: Parser;
  grammar: Language;
  files: readonly { name: string; text: string }[];
}

// Trees are read one after another, so all languages share the room for their nodes.
const nodes = createNodes();

/** Finds a query's matches in trees as they lie in the memory of the runtime, or through the library where that can't be relied on. */
export function createMatcher(source: QuerySource, runtime: Runtime | null): Matcher {
  const { parser, grammar, files } = source;
  const tables = runtime && readTables(runtime, addressOf(grammar));
  if (!runtime || !tables || !readsAsLibrary(parser, runtime, tables)) return throughLibrary(source);
  const patterns = compilePatterns(
    files.flatMap(({ name, text }) => readForms(text, name)),
    {
      isNamed: tables.isNamed,
      kindOf: ({ type, isNamed }) =>
        type === "ERROR" ? tables.kindOf.length : grammar.idForNodeType(type, isNamed),
      fieldOf: (name) => grammar.fieldIdForName(name),
    },
  );
  const match = createPatternMatcher(patterns, nodes);
  return {
    captureNames: patterns.captureNames,
    run: (tree, run) => {
      readNodes(runtime, addressOf(tree), tables, { nodes, kept: patterns.kept });
      match(run);
    },
  };
}

/** Finds a query's matches by the library's own means: the same ones, in another order. */
export function throughLibrary({ grammar, files }: QuerySource): Matcher {
  const query = new Query(grammar, files.map(({ text }) => text).join("\n"));
  const numbers = new Map(query.captureNames.map((name, index) => [name, index]));
  return {
    captureNames: query.captureNames,
    run: (tree, { isLate, take }) => {
      for (const { patternIndex, captures } of query.matches(tree.rootNode, { progressCallback: isLate })) {
        const cells = captures.flatMap(({ name, node }) => [
          numbers.get(name) ?? -1,
          node.startIndex,
          node.endIndex,
        ]);
        if (!take(patternIndex, Int32Array.from(cells), captures.length)) return;
      }
    },
  };
}

/** Where in the runtime's memory that stands which an object of the library is for. */
function addressOf(object: object): number {
  return Number(Reflect.get(object, 0));
}

/** Small and large nodes, hidden ones, fields and errors of most languages. */
const SAMPLE = `a(b, "c");\n{ d = [${"e".repeat(300)}.f]; }\n/* g */\n`;

/** Whether the nodes of a small text are in memory what the library says they are. */
function readsAsLibrary(parser: Parser, runtime: Runtime, tables: GrammarTables): boolean {
  const tree = parser.parse(SAMPLE);
  const cursor = tree?.walk();
  if (!tree || !cursor) return false;
  const kept = new Uint8Array(tables.isNamed.length).fill(1);
  readNodes(runtime, addressOf(tree), tables, { nodes, kept });
  let row = 0;
  let isAlike = true;
  do isAlike &&= isSame(cursor, row++, tables);
  while (goOn(cursor));
  cursor.delete();
  tree.delete();
  return isAlike && row === nodes.count;
}

function isSame(
  { nodeTypeId, currentFieldId, startIndex, endIndex }: TreeCursor,
  row: number,
  { kindOf }: GrammarTables,
): boolean {
  const { kinds, fields, starts, ends } = nodes;
  const kind = nodeTypeId < kindOf.length ? nodeTypeId : kindOf.length;
  return (
    kinds[row] === kind &&
    fields[row] === currentFieldId &&
    starts[row] === startIndex &&
    ends[row] === endIndex
  );
}

/** Goes to the next node in the order of the text; false after the last one. */
function goOn(cursor: TreeCursor): boolean {
  if (cursor.gotoFirstChild()) return true;
  while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return false;
  return true;
}
