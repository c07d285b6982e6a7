import type { Proof } from "../orchestrator/index.js";

const WRITE = String.raw`(?:(?:can|could|would) you\s+)?(?:please\s+)?(?:write|add|create|make|give (?:me|us|this|it))\s+(?:(?:an?|one|some|the|new|me|us)\s+)*`;
/** Tests of any other kind are work like other work; what a test is for, if not for the code, is the change in the thread. */
const TEST = String.raw`(?:(?:failing\s+)?regression[\s-]tests?|(?:(?:failing|unit)\s+)?tests?(?=\s+(?:for|that (?:shows|catches|covers|proves|reproduces|exposes))\s+(?:this|that|it|the (?:bug|fix|change|regression))(?![\p{L}\p{N}_-])))`;
const LINT = String.raw`(?:(?:custom\s+)?(?:(?:es)?lint(?:er|ing)?|ruff|biome)[\s-]rules?)`;
const CHINESE = String.raw`再?(?:(?:帮|给|为|对|针对|把|在)[^，,。；;\n]{0,30}?)?(?:写|加|补|添加|增加|补充|新增)[^，,。；;\n]{0,8}?`;
const END = String.raw`(?![\p{L}\p{N}_-])`;

const REQUESTS: readonly { proof: Proof; words: RegExp }[] = [
  { proof: "test", words: new RegExp(String.raw`^(?:${WRITE}${TEST}${END}|${CHINESE}回归测试)`, "iu") },
  {
    proof: "lint",
    words: new RegExp(
      String.raw`^(?:${WRITE}${LINT}${END}|${CHINESE}(?:lint(?:er)?|eslint|ruff|静态检查|代码检查)\s*规则)`,
      "iu",
    ),
  },
];
/** Words that ask for something to be done besides what was named. */
export const BESIDES =
  /\b(?:and|then|also|but)\s+(?:then\s+|also\s+)?(?:fix|rename|change|update|remove|delete|refactor|implement|move|make|rewrite|replace)\b|(?:并且?|然后|再|同时|顺便)\s*(?:修|改|重命名|重构|删|实现|更新|移)/iu;

/** What a small request on a pull request asks to be written and shown to be right; null for every other wish. */
export function proofIn(request: string): Proof | null {
  // Whoever wants something done besides wants more than a test.
  if (BESIDES.test(request)) return null;
  return REQUESTS.find(({ words }) => words.test(request))?.proof ?? null;
}
