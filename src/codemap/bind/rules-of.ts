import type { ModuleSystem } from "../languages.js";
import type { ModuleRules } from "./rules.js";
import { createScriptRules } from "./script-rules.js";
import type { Views } from "./views.js";

/** The rules of each module system. */
export interface RulesOf {
  of(system: ModuleSystem): ModuleRules;
  /** By what a module's meaning says it is of. */
  named(system: string): ModuleRules | null;
}

const NO_RULES: ModuleRules = { visible: () => [], member: () => [], imported: () => [], files: () => [] };

/** Prepares the rules of all module systems. */
export function createRules(views: Views): RulesOf {
  const rules: Partial<Record<ModuleSystem, ModuleRules>> = { javascript: createScriptRules(views) };
  return {
    of: (system) => rules[system] ?? NO_RULES,
    named: (system) => rules[system as ModuleSystem] ?? null,
  };
}
