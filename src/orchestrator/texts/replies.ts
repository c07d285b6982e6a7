import { type Language, inertLine } from "../../shared/index.js";

const SAYINGS = {
  whatIsMeant: {
    en: "⚠ Nothing was recorded: nothing above fits. Write what is to be remembered behind the word, such as `remember exports go through src/export`, or quote it.",
    zh: "⚠ 没有记录：上文没有可以理解的内容。请在命令后写明要记住什么，例如 `记住 导出必须经过 src/export`，或引用那段话。",
  },
  whatToForget: {
    en: "⚠ Nothing was forgotten: name the note or rule, such as `{mention} forget EXP-7K3M2P9Q`.",
    zh: "⚠ 没有停用：请写明经验或规则的编号，例如 `{mention} forget EXP-7K3M2P9Q`。",
  },
  stopped: {
    en: "⏸ Stopping {what}: its work stays on the branch.",
    zh: "⏸ 正在停止 {what}，已有工作保留在分支上。",
  },
  dropped: {
    en: "Asked and not begun: {what}. Ask again for what is still wanted.",
    zh: "已提出但尚未开始：{what} 项。仍需要的请重新提出。",
  },
  droppedBefore: {
    en: "What waited was not begun: ask again for what is still wanted.",
    zh: "等待中的请求尚未开始；仍需要的请重新提出。",
  },
  stoppedAnswers: {
    en: "⏸ Stopping what was asked here: it stays unanswered.",
    zh: "⏸ 正在停止这里的提问，不再回答。",
  },
  stoppedBy: { en: "Stopped by {what}", zh: "已由 {what} 停止" },
  notOurs: {
    en: "Nothing was started: this pull request is none of the app's. Open an issue with the label {what}, or ask on a pull request that the app opened.",
    zh: "没有开始工作：这个 PR 不是机器人创建的。请新建带标签 {what} 的 issue，或在机器人创建的 PR 上提出。",
  },
  whatToAsk: {
    en: "Nothing was looked up: write the question behind the word, such as `{mention} ask why is the wallet cached?`",
    zh: "没有查找：请在命令后写明问题，例如 `{mention} 问 为什么要缓存钱包？`",
  },
  isNothing: {
    en: "Nothing was changed: nothing is asked for here. `{mention} approve` goes on with what waits for approval; `{mention} help` lists what can be asked for.",
    zh: "没有更改：这里没有提出要求。`{mention} approve` 批准等待中的内容；`{mention} help` 列出可用的命令。",
  },
  notHere: {
    en: "Nothing was started: {what} is no branch that the app may push to. It has to lie in this repository, and not be its default branch.",
    zh: "没有开始工作：机器人不能推送到分支 {what}。它必须在本仓库中，且不是默认分支。",
  },
  elsewhere: {
    en: "Nothing was started: this pull request is part of {what}. Say there what is to change.",
    zh: "没有开始工作：这个 PR 属于 {what}，请在那里提出。",
  },
  closed: {
    en: "Nothing was started: {what} is closed. Reopen it, then ask again.",
    zh: "没有开始工作：{what} 已关闭。请重新打开后再提出。",
  },
  givenUp: { en: "❌ This failed and is not tried again: {what}", zh: "❌ 失败，不再重试：{what}" },
  runGivenUp: {
    en: "❌ **Failed, and not tried again.** Reply `{mention} retry` to go on from where it stands. Reason: {what}",
    zh: "❌ **失败，不再重试。** 回复 `{mention} retry` 从当前状态继续。原因：{what}",
  },
  budgetIs: {
    en: "The budget is {what}. `{mention} bill` shows what is used; `{mention} budget $15` or `{mention} budget +$5` changes it.",
    zh: "预算为 {what}。`{mention} bill` 查看已用部分；`{mention} budget $15` 或 `{mention} budget +$5` 可以修改。",
  },
  budgetGoesOn: {
    en: "✅ The budget is {what} now, and the work goes on.",
    zh: "✅ 预算现为 {what}，继续工作。",
  },
  autonomyIs: { en: "✅ From now on: autonomy {what}.", zh: "✅ 从现在起：autonomy {what}。" },
  autonomyGoesOn: {
    en: "✅ From now on: autonomy {what}. What waited for approval goes on.",
    zh: "✅ 从现在起：autonomy {what}。等待批准的工作继续进行。",
  },
  whichAutonomy: {
    en: "Nothing was changed: say `{mention} autonomy confirm` (stop after requirement and design), `review` (stop at the draft pull request) or `auto` (mark it as ready when everything passed).",
    zh: "没有更改：请写 `{mention} autonomy confirm`（需求和设计后各停一次）、`review`（停在 PR 草稿）或 `auto`（全部通过后将 PR 标为可评审）。",
  },
  whatToChange: {
    en: "Nothing was changed: say what is wrong, such as `{mention} reject it has to be blue`.",
    zh: "没有更改：请说明要改什么，例如 `{mention} 拒绝 应该是蓝色`。",
  },
  notWatched: {
    en: "⏸ {what} has waited for 30 days: a 👍 is not looked for any more. `{mention} approve` still goes on with it.",
    zh: "⏸ {what} 已等待 30 天，不再读取 👍。回复 `{mention} approve` 仍可继续。",
  },
  goesOnThere: { en: "⏳ {what} goes on.", zh: "⏳ {what} 继续进行。" },
  unknownRequirement: {
    en: "Nothing was started: {what} does not exist in this repository; its branch and its events are looked for. Open issues with the app's label are its requirements: `REQ-` and the issue's number.",
    zh: "没有开始工作：本仓库没有 {what}（既没有它的分支，也没有它的记录）。需求编号为 `REQ-` 加 issue 号。",
  },
  severalNamed: {
    en: "Nothing was started: {what} are several requirements. Name the one that is meant.",
    zh: "没有开始工作：{what} 是多个需求，请只写要继续的那一个。",
  },
  noRequirement: {
    en: "Nothing was changed: this thread belongs to no requirement of the app.",
    zh: "没有更改：这里不属于机器人的任何需求。",
  },
  nothingRuns: { en: "Nothing is running or waiting for {what}.", zh: "{what} 没有正在运行或等待的任务。" },
  noBill: { en: "{what} has cost nothing so far.", zh: "{what} 目前没有花费。" },
  notForgotten: { en: "❌ Nothing was forgotten: {what}", zh: "❌ 没有停用：{what}" },
  notRecorded: { en: "❌ Nothing was recorded: {what}", zh: "❌ 没有记录：{what}" },
} as const;

/** Where what went wrong is told in the words of git, GitHub or a configuration. */
const REASONS: readonly string[] = ["givenUp", "runGivenUp", "notRecorded", "notForgotten"];

/** A fixed short answer. */
export function saying(key: keyof typeof SAYINGS, language: Language, what = "", mention = ""): string {
  const said = REASONS.includes(key) ? inertLine(what) : what;
  return SAYINGS[key][language].replaceAll("{mention}", () => mention).replace("{what}", () => said);
}
