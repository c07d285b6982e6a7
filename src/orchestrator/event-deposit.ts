import type { Deposit } from "../knowledge/index.js";
import { findSecrets } from "../memory/index.js";
import { type Language, clipMiddle, inertLine } from "../shared/index.js";
import type { FixedFailure } from "./failure-log.js";
import { type LearntBy, learntDeposit } from "./learnt-deposit.js";

const MAX_SAID = 500;
const MAX_TRY = 200;
const MAX_TITLE = 90;
const MAX_FILES = 8;

const TEXTS = {
  en: {
    title: (what: string) => `Fixed: ${what}`,
    problem: (command: string, what: string) => `\`${command}\` failed: ${what}`,
    cause: (said: string) => `Cause and fix, in the words of the agent: ${said}`,
    files: (list: string) => `Changed: ${list}.`,
    tries: (list: string) => `What did not help before: ${list}`,
    proof: (command: string) => `\`${command}\` failed before and passed after.`,
  },
  zh: {
    title: (what: string) => `已修复：${what}`,
    problem: (command: string, what: string) => `\`${command}\` 失败：${what}`,
    cause: (said: string) => `原因与修复（智能体所述）：${said}`,
    files: (list: string) => `改动：${list}。`,
    tries: (list: string) => `之前无效的尝试：${list}`,
    proof: (command: string) => `\`${command}\` 之前失败，之后通过。`,
  },
} as const satisfies Record<Language, unknown>;

/**
 * The event of a failure that a run saw pass: signature, cause, what did not help, fix and proof. Its signature is what it is
 * found by, while checks fail. Null when it would hold a secret: output of commands may show one.
 */
export function eventDeposit(failure: FixedFailure, learnt: LearntBy): Deposit | null {
  const { signature, cause, tries, files } = failure;
  const say = TEXTS[learnt.language];
  const command = failure.command.replaceAll("`", "'");
  const said = inertLine(clipMiddle(cause, MAX_SAID));
  const changed = files.slice(0, MAX_FILES).map((file) => `\`${file}\``);
  const solution = [
    say.cause(said),
    changed.length > 0 ? say.files(changed.join(", ")) : "",
    tries.length > 0 ? say.tries(tries.map((one) => inertLine(clipMiddle(one, MAX_TRY))).join(" · ")) : "",
  ].filter(Boolean);
  const error = inertLine(signature.text.replace(/<\w+>/g, "…"));
  const text = [error, command, ...solution].join("\n");
  if (findSecrets(text).length > 0 || findSecrets([signature.text, cause, ...tries].join("\n")).length > 0)
    return null;
  return learntDeposit(learnt, {
    key: signature.id,
    origin: "bug",
    title: say
      .title(error)
      .slice(0, MAX_TITLE)
      .replace(/[\ud800-\udbff]$/, ""),
    type: "event",
    problem: say.problem(command, error),
    triggers: { keywords: [signature.id], phases: ["validate"] },
    solution: solution.join("\n\n"),
    verification: say.proof(command),
  });
}
