// What TypeScript's own checker says that every identifier of some files is bound to.
import { join, relative } from "node:path";
import ts from "typescript";

const LIBRARIES = ["lib.es2022.d.ts", "lib.dom.d.ts"];

/**
 * For every place of a use (`path:line:column`) where it leads: `gold` places of definitions that the code map has to know,
 * `places` of whatever declares it. Every declaration's own name is left out; import and export specifiers are uses.
 */
export function checkedUses(folder, paths, mapping) {
  const program = ts.createProgram(
    paths.map((path) => join(folder, path)),
    {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      allowJs: true,
      checkJs: false,
      skipLibCheck: true,
      noEmit: true,
      jsx: ts.JsxEmit.Preserve,
      lib: LIBRARIES,
      types: [],
      paths: mapping,
      pathsBasePath: folder,
      experimentalDecorators: true,
      maxNodeModuleJsDepth: 0,
    },
  );
  const checker = program.getTypeChecker();
  const own = new Set(paths.map((path) => join(folder, path)));
  const placeOf = (node) => {
    const file = node.getSourceFile();
    const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
    return `${relative(folder, file.fileName)}:${line + 1}:${character}`;
  };
  const uses = new Map();
  const visit = (node) => {
    if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && node.text && !isOwnName(node)) {
      const declarations = declarationsOf(checker, symbolOf(checker, node));
      const inside = declarations.filter((each) => own.has(each.getSourceFile().fileName));
      uses.set(placeOf(node), {
        name: node.text,
        isImport: isSpecifier(node.parent) || isOfImport(node.parent),
        gold: new Set(inside.filter(isWanted).map((each) => placeOf(nameOf(each)))),
        places: new Set(inside.map((each) => placeOf(nameOf(each)))),
        isOutside: declarations.length > inside.length,
      });
    }
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles()) if (own.has(file.fileName)) visit(file);
  return uses;
}

function symbolOf(checker, node) {
  const { parent } = node;
  const found = ts.isShorthandPropertyAssignment(parent)
    ? checker.getShorthandAssignmentValueSymbol(parent)
    : checker.getSymbolAtLocation(node);
  return resolved(checker, broughtIn(checker, found) ?? found);
}

/** With what `{ a }` or `{ b: a }` says, as `module.exports` gives functions out. */
function declarationsOf(checker, symbol) {
  return (symbol?.declarations ?? []).flatMap((each) => {
    if (ts.isShorthandPropertyAssignment(each))
      return [
        each,
        ...(resolved(checker, checker.getShorthandAssignmentValueSymbol(each))?.declarations ?? []),
      ];
    if (ts.isPropertyAssignment(each) && ts.isIdentifier(each.initializer))
      return [
        each,
        ...(resolved(checker, checker.getSymbolAtLocation(each.initializer))?.declarations ?? []),
      ];
    return [each];
  });
}

function resolved(checker, symbol) {
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** What `const { a: b } = await import("…")` brings in as `b`, as a static import would; null for anything else. */
function broughtIn(checker, symbol) {
  const declaration = symbol?.declarations?.[0];
  if (!declaration || !isOfImport(declaration)) return null;
  const name = declaration.propertyName ?? declaration.name;
  return checker.getTypeAtLocation(declaration.parent.parent.initializer).getProperty(name.text) ?? null;
}

function isOfImport(node) {
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return false;
  const { initializer } = node.parent.parent;
  const call = initializer && ts.isAwaitExpression(initializer) ? initializer.expression : initializer;
  return (
    call !== undefined &&
    ts.isCallExpression(call) &&
    (call.expression.kind === ts.SyntaxKind.ImportKeyword || call.expression.getText() === "require")
  );
}

function isSpecifier(node) {
  return ts.isImportSpecifier(node) || ts.isExportSpecifier(node) || ts.isImportClause(node);
}

function isOwnName(node) {
  const { parent } = node;
  if (isSpecifier(parent)) return parent.propertyName !== undefined && parent.name === node;
  if (ts.isShorthandPropertyAssignment(parent)) return false;
  if (isOfImport(parent)) return parent.propertyName !== undefined && parent.name === node;
  if (ts.isBindingElement(parent)) return parent.name === node || parent.propertyName === node;
  return (
    "name" in parent &&
    parent.name === node &&
    !ts.isPropertyAccessExpression(parent) &&
    !ts.isMetaProperty(parent)
  );
}

/** Whether the code map has to know it: functions, methods, types, namespaces, and variables of a module. */
function isWanted(node) {
  if (ts.isVariableDeclaration(node)) {
    if (!ts.isIdentifier(node.name)) return false;
    return isFunction(node.initializer) || ts.isSourceFile(node.parent.parent.parent);
  }
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isAccessor(node) ||
    ts.isClassLike(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    (ts.isModuleDeclaration(node) && ts.isIdentifier(node.name)) ||
    (ts.isPropertyAssignment(node) && isFunction(node.initializer))
  );
}

function isFunction(node) {
  return node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));
}

function nameOf(node) {
  if (ts.isBinaryExpression(node)) return nameOf(node.left);
  return node.name ?? node;
}
