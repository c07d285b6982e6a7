import type { ModuleSystem } from "../languages.js";
import { createGlobalRules } from "./global-rules.js";
import { createGoRules } from "./go-rules.js";
import { createIncludeRules } from "./include-rules.js";
import { createPackageRules } from "./package-rules.js";
import { createPythonRules } from "./python-rules.js";
import type { ModuleRules } from "./rules.js";
import { createRustRules } from "./rust-rules.js";
import { createScriptRules } from "./script-rules.js";
import type { Views } from "./views.js";

/** The rules of each module system. */
export interface RulesOf {
  of(system: ModuleSystem): ModuleRules;
}

/** Prepares the rules of all module systems. */
export function createRules(views: Views): RulesOf {
  const rules: Record<ModuleSystem, ModuleRules> = {
    javascript: createScriptRules(views),
    python: createPythonRules(views),
    go: createGoRules(views),
    package: createPackageRules(views, "package"),
    rust: createRustRules(views),
    namespace: createPackageRules(views, "namespace"),
    include: createIncludeRules(views),
    global: createGlobalRules(views),
  };
  return { of: (system) => rules[system] };
}
