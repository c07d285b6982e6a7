import type { FaultRule } from "./types.js";

/** The rules for what goes wrong next. */
export interface Faults {
  add(rule: FaultRule): void;
  /** The rule that hits this request, counted as used; null when all is well. */
  take(method: string, path: string): FaultRule | null;
}

/** Starts without any rule. */
export function createFaults(): Faults {
  let rules: { rule: FaultRule; left: number }[] = [];
  return {
    add(rule) {
      rules.push({ rule, left: rule.times ?? 1 });
    },
    take(method, path) {
      const hit = rules.find(
        ({ rule }) => (rule.method === undefined || rule.method === method) && path.search(rule.path) >= 0,
      );
      if (!hit) return null;
      hit.left -= 1;
      rules = rules.filter(({ left }) => left > 0);
      return hit.rule;
    },
  };
}
