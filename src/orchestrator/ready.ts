import { autonomyOf } from "./autonomy.js";
import { openExternals } from "./plan.js";
import { sitesOf } from "./site.js";
import type { Run } from "./types.js";

const WORDS = {
  en: {
    draft: (why: string) => `autonomy: auto, and the pull request stays a draft: ${why}`,
    criterion: (id: string) => `${id} is not verified`,
    finding: (title: string) => `a reviewer found: ${title}`,
    part: (id: string) => `${id} waits for others`,
    between: "; ",
  },
  zh: {
    draft: (why: string) => `autonomy: auto，但 PR 仍为草稿：${why}`,
    criterion: (id: string) => `${id} 未验证`,
    finding: (title: string) => `评审发现：${title}`,
    part: (id: string) => `${id} 等待他人完成`,
    between: "；",
  },
} as const;

/**
 * True when the pull request may leave its draft by itself: people left that to the bot, the checks passed, a test shows each
 * criterion, no reviewer holds it up, and nothing waits for others. Otherwise what is missing is said.
 */
export function isReadyByItself(run: Run): boolean {
  if (autonomyOf(run) !== "auto") return false;
  const say = WORDS[run.language];
  const missing = [
    ...(run.validation?.outcome === "passed" ? [] : [run.validation?.reason ?? ""]),
    ...run.evidence.filter(({ outcome }) => outcome !== "passed").map(({ id }) => say.criterion(id)),
    ...sitesOf(run)
      .flatMap(({ findings }) => findings)
      .filter(({ severity }) => severity === "blocking")
      .map(({ title }) => say.finding(title)),
    ...openExternals(run.tasks).map(({ id }) => say.part(id)),
  ];
  if (missing.length > 0) run.board.notices.push(say.draft(missing.join(say.between)));
  return missing.length === 0;
}
