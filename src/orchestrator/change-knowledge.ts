import { readDiff } from "../codemap/index.js";
import { match, parseRules } from "../knowledge/index.js";
import { type ChangeKnowledge, type Command, queryRules, ruleCommand } from "../validator/index.js";
import { codeDiff } from "./code.js";
import type { Site } from "./site.js";
import type { Run } from "./types.js";

const PATTERN_RULES = "context/rules/pattern-rules.md";
const GLOSSARY = "context/business/glossary.md";

/** What the validator needs to know of the change in a repository: its lines, the files before it, and the tests that it can reach. */
export async function changeKnowledge(site: Site, signal: AbortSignal): Promise<ChangeKnowledge> {
  const { mirror, baseSha } = site.workspace;
  const { map, source } = site.code;
  const diff = await codeDiff(site);
  const files = readDiff(diff);
  const oldPaths = new Map(files.map(({ path, oldPath }) => [path, oldPath ?? path]));
  const old = await mirror.readFiles(baseSha, [...new Set(oldPaths.values())]);
  await map.refresh(signal);
  return {
    source,
    before: (path) => Promise.resolve(old.get(oldPaths.get(path) ?? path) ?? null),
    diff: files,
    reached: map.impactOfDiff(diff, { limit: 1 }).tests,
    rules: queryRules(site.settings.validate),
  };
}

/**
 * The commands of those pattern rules that fit the run and what it changed. They are read from the base only: what a branch says
 * is not run for anybody.
 */
export async function patternChecks(run: Run, paths: string[]): Promise<Command[]> {
  const { mirror, baseSha } = run.workspace;
  const tree = await mirror.readFiles(baseSha, [PATTERN_RULES, GLOSSARY]);
  const { rules } = parseRules(PATTERN_RULES, tree.get(PATTERN_RULES) ?? "", "pattern");
  const checks = rules.filter(({ check }) => check !== "");
  if (checks.length === 0) return [];
  const labels = run.ask.thread?.labels ?? [];
  const query = { text: `${run.title}\n${run.text}`, paths, labels, symbols: [], phase: null };
  const fitting = new Set(match(tree, query).pattern.files.map(({ id }) => id));
  return checks.flatMap(({ id, title, check }) =>
    fitting.has(id) ? [ruleCommand(`${id} ${title}`, check)] : [],
  );
}
