import type { Command } from "../../skills/index.js";
import type { Language } from "../../shared/index.js";
import { cell, quotedCell } from "./status.js";

const MAX_COMMANDS = 50;

const HELP = {
  en: {
    unknown: (word: string) => `⚠ \`${word}\` is no command here.`,
    intro: "What can be asked for in a comment:",
    rows: [
      ["start with a label", "the label `{label}` on an issue starts the work on it"],
      ["{mention} <wish>", "on an issue: start, or go on with this wish; on a pull request: change it"],
      [
        "{mention} write a regression test for this",
        "on any pull request of this repository: one test, or a lint rule, pushed once it is proved",
      ],
      [
        "{mention} remember <text>",
        "keep this for later work, as a file in `context/`; `remember this` means what stands above",
      ],
      ["{mention} forget EXP-…", "take a note back, with its rules"],
      ["/optimize-flow <text>", "keep this as the way to work here"],
      [
        "{mention} load-service owner/repo …",
        "read what those services are, and offer a document and rules for each",
      ],
      ["{mention} add this to AGENTS.md", "keep this as an instruction for every agent"],
      ["{mention} approve", "go on with the requirement or design that waits for approval"],
      ["{mention} reject <why>", "have it written anew"],
      [
        "{mention} autonomy confirm",
        "where this requirement stops: `confirm` after requirement and design, `review` at the draft, `auto` when it is ready",
      ],
      [
        "{mention} ask <question>",
        "an answer from code, documents, history and knowledge, with what it rests on; nothing is changed",
      ],
      ["{mention} stop", "stop the run; its work stays on the branch"],
      ["{mention} retry", "run again from where it stands"],
      ["{mention} continue REQ-12", "go on with that requirement, from any thread"],
      ["{mention} bill", "what this requirement has cost so far"],
      [
        "{mention} budget $15",
        "what this requirement may cost; also `50k` weighted tokens, or `+$5` for more",
      ],
      ["{mention} help", "this list"],
    ],
    commands: "Commands of this repository, such as `{mention} /name what it is about`:",
    origins: { repository: "this repository", shipped: "Accrue", user: "you" },
    more: (count: number) => `and ${count} more`,
    foot: "People with `{permission}` permission are listened to.",
  },
  zh: {
    unknown: (word: string) => `⚠ 没有 \`${word}\` 这个命令。`,
    intro: "可以在评论里使用：",
    rows: [
      ["加标签开始", "给 issue 加上标签 `{label}` 即开始处理"],
      ["{mention} <要求>", "在 issue 上：开始或按此继续；在 PR 上：修改"],
      ["{mention} 给这个写一个回归测试", "在本仓库的任何 PR 上：写一个测试（或一条 lint 规则），验证后推送"],
      [
        "{mention} remember <内容>",
        "记住经验，存入 `context/`（也可写：{mention} 记住 …）；`记住这个` 指上文",
      ],
      ["{mention} forget EXP-…", "停用一条经验及其规则"],
      ["/optimize-flow <内容>", "记为这里的工作方式"],
      ["{mention} 加载服务 owner/repo …", "分析这些服务，并提交各自的文档与规则"],
      ["{mention} 把这个加到 AGENTS.md", "记为给所有 agent 的说明"],
      ["{mention} approve", "批准等待中的需求或设计并继续"],
      ["{mention} 拒绝 <原因>", "按原因重写"],
      [
        "{mention} autonomy confirm",
        "本需求停在哪里：`confirm` 需求和设计之后，`review` PR 草稿，`auto` 全部通过后标为可评审",
      ],
      ["{mention} 问 <问题>", "根据代码、文档、历史和经验回答，并给出依据；不做任何更改"],
      ["{mention} stop", "停止运行，已有工作保留在分支上"],
      ["{mention} retry", "从当前状态重新运行"],
      ["{mention} 继续做 REQ-12", "在任何讨论串里继续该需求"],
      ["{mention} bill", "该需求目前的花费"],
      ["{mention} budget $15", "该需求的预算上限；也可写 `50k`（加权 token）或 `+$5`（追加）"],
      ["{mention} help", "显示本列表"],
    ],
    commands: "本仓库的命令，用法如 `{mention} /名称 对象`：",
    origins: { repository: "本仓库", shipped: "Accrue", user: "个人" },
    more: (count: number) => `还有 ${count} 个`,
    foot: "只响应拥有 `{permission}` 权限的人。",
  },
} as const;

/** What the answer to `help` says. */
export interface Help {
  values: { mention: string; label: string; permission: string };
  commands: readonly Pick<Command, "name" | "description" | "origin">[];
  /** A word that is no command. */
  unknown: string | null;
}

/** The answer to `help`, and to a word that is no command. */
export function helpText(language: Language, { values, commands, unknown }: Help): string {
  const say = HELP[language];
  const fill = (text: string) =>
    text.replace(/\{(mention|label|permission)\}/g, (_, name: keyof typeof values) => values[name]);
  const rows = say.rows.map(
    ([what, does]) => `| ${/^[{/]/.test(what) ? `\`${fill(what)}\`` : what} | ${fill(does)} |`,
  );
  const shown = commands.slice(0, MAX_COMMANDS).map((command) => commandRow(command, language));
  const more = commands.length - shown.length;
  return [
    ...(unknown === null ? [] : [say.unknown(unknown.replaceAll("`", ""))]),
    say.intro,
    ["| | |", "| --- | --- |", ...rows].join("\n"),
    ...(shown.length === 0
      ? []
      : [fill(say.commands), ["| | | |", "| --- | --- | --- |", ...shown].join("\n")]),
    ...(more > 0 ? [say.more(more)] : []),
    `<sub>${fill(say.foot)}</sub>`,
  ].join("\n\n");
}

function commandRow({ name, description, origin }: Help["commands"][number], language: Language): string {
  const origins: Readonly<Record<string, string>> = HELP[language].origins;
  return `| \`/${name}\` | ${quotedCell(description)} | ${cell(origins[origin] ?? origin)} |`;
}
