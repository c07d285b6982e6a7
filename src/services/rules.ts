import {
  type Deposit,
  type Rule,
  type Tree,
  allRules,
  depositPath,
  formatDeposit,
} from "../knowledge/index.js";
import { hasCjk } from "../shared/index.js";
import { documentPath } from "./document.js";
import { SECTION_TEXTS } from "./texts.js";
import type { Language } from "../shared/index.js";

const MAX_NAMES = 6;
/** Names that stand in any text. */
const GENERAL =
  /^(?:apps?|apis?|servers?|services?|backend|frontend|web|main|core|common|projects?|readme|introduction|overview|demo|examples?|test|root|www|sources?|src|client|library|package|module)$/i;

/** What brings a service's document up by itself. */
export interface RulesInput {
  service: string;
  names: readonly string[];
  /** Globs of this repository whose files concern the service. */
  paths: readonly string[];
  summary: readonly string[];
  language: Language;
  /** Who asked, where, in which run and when. */
  said: Pick<Deposit, "id" | "run" | "by" | "source" | "at">;
  note: string;
  newRuleId(): string;
}

/** A file of `context/deposits/` with the rules that a service lacks. */
export interface RulesDeposit {
  path: string;
  text: string;
  rules: string[];
}

/**
 * The context and service rules of a service, as a deposit: only with the names and paths that no rule of it has yet, also a retired
 * one. Null where nothing is lacking.
 */
export function serviceRules(tree: Tree, input: RulesInput): RulesDeposit | null {
  const { service, language, said, note, summary } = input;
  const say = SECTION_TEXTS[language];
  const document = documentPath(service);
  const there = allRules(tree).filter(
    ({ kind, suggest, load }) =>
      (kind === "service" && suggest.includes(service)) || (kind === "context" && load.includes(document)),
  );
  const rules = (["context", "service"] as const).flatMap((kind) => {
    const known = there.filter((rule) => rule.kind === kind);
    const has = (list: "keywords" | "paths") => new Set(known.flatMap((rule) => rule[list]).map(folded));
    const keywords = keywordsOf(input).filter((keyword) => !has("keywords").has(folded(keyword)));
    const paths = input.paths.filter((path) => !has("paths").has(folded(path)));
    if (keywords.length + paths.length === 0) return [];
    const title = kind === "context" ? say.contextRule(service) : say.serviceRule(service);
    return [ruleOf({ kind, title, keywords, paths }, { id: input.newRuleId(), document, service, note })];
  });
  if (rules.length === 0) return null;
  const path = depositPath(said.id);
  const deposit: Deposit = {
    ...said,
    note: {
      id: note,
      title: service,
      type: "fact",
      status: "active",
      trust: "bot",
      problem: "",
      triggers: { keywords: [], paths: [], symbols: [], labels: [], phases: [], text: [] },
      solution: summary.join("\n\n") || service,
      verification: "",
      related: [document],
      file: path,
      raw: "",
    },
    rules,
    into: document,
  };
  return { path, text: formatDeposit(deposit), rules: rules.map(({ id }) => id) };
}

/** The words of a later request that mean this service. */
function keywordsOf({ service, names }: RulesInput): string[] {
  const spaced = service.replaceAll(/[-_.]+/g, " ");
  const seen = new Set<string>();
  return [service, spaced, ...names]
    .filter(
      (name) => !GENERAL.test(name) && !/[,，、:：`]/.test(name) && name.length >= (hasCjk(name) ? 2 : 3),
    )
    .filter((name) => !seen.has(folded(name)) && Boolean(seen.add(folded(name))))
    .slice(0, MAX_NAMES);
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

function ruleOf(
  { kind, ...triggers }: Pick<Rule, "kind" | "title" | "keywords" | "paths">,
  { id, document, service, note }: { id: string; document: string; service: string; note: string },
): Rule {
  return {
    ...triggers,
    id,
    kind,
    level: "info",
    status: "active",
    match: "any",
    labels: [],
    symbols: [],
    services: [],
    phases: [],
    load: kind === "context" ? [document] : [],
    alert: "",
    suggest: kind === "service" ? [service] : [],
    check: "",
    source: note,
    prose: "",
    file: "",
    line: 1,
  };
}
