import { cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Compiles modules of `src` into a folder, so that plain Node processes can run them without a build of everything. */
export function buildModules(folder: string, modules: readonly string[]): void {
  for (const module of modules) {
    mkdirSync(join(folder, "dist", module), { recursive: true });
    for (const name of readdirSync(join(root, "src", module))) {
      const { outputText } = ts.transpileModule(readFileSync(join(root, "src", module, name), "utf8"), {
        compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
      });
      writeFileSync(join(folder, "dist", module, name.replace(/\.ts$/, ".js")), outputText);
    }
  }
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  cpSync(join(root, "migrations"), join(folder, "migrations"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
}
