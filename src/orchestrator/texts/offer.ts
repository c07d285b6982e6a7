import { type StackFact, factTitle } from "../../knowledge/index.js";
import type { Language } from "../../shared/index.js";

/** What an offered scaffold holds, and how it is used. */
export interface Offer {
  /** Files that are new, and files of people's that get lines of ours. */
  created: readonly string[];
  updated: readonly string[];
  facts: readonly StackFact[];
  label: string;
  mention: string;
  language: Language;
}

/** Files of one purpose: shown as one line, named by the folder where there are several. */
type Group = "instructions" | "import" | "ignored" | "configuration" | "rules" | "knowledge" | "requirements";

const GROUPS: readonly { group: Group; shown: string; holds: RegExp }[] = [
  { group: "instructions", shown: "AGENTS.md", holds: /^AGENTS\.md$/ },
  { group: "import", shown: "CLAUDE.md", holds: /^CLAUDE\.md$/ },
  { group: "configuration", shown: ".github/agent.yml", holds: /^\.github\/agent\.yml$/ },
  { group: "knowledge", shown: "context/", holds: /^context\/(?!rules\/)/ },
  { group: "rules", shown: "context/rules/", holds: /^context\/rules\// },
  { group: "requirements", shown: "requirements/", holds: /^requirements\// },
  { group: "ignored", shown: ".gitignore", holds: /^\.gitignore$/ },
];

const SWITCH = "ACCRUE_OFFER_INIT=false";

interface Words {
  title: string;
  head: string;
  start(label: string, mention: string): string;
  file: string;
  purpose: string;
  purposes: Readonly<Record<Group, string>>;
  updated: string;
  facts: string;
  fact: string;
  source: string;
  correct: string;
  noFacts: string;
  off: string;
}

const ENGLISH: Words = {
  title: "Set Accrue up",
  head: "Accrue was given this repository. This adds the files that people and the bot share here. It works without them too: edit them on this branch, **merge** it, or **close** it, and it is not offered again.",
  start: (label, mention) =>
    `**To start work**, put the label \`${label}\` on an issue (Issues → Labels makes one), or comment \`${mention}\` and what you want on one. The answer is a branch, a draft pull request, a check run and a bill. \`${mention} help\` lists the rest.`,
  file: "file",
  purpose: "what it is for",
  purposes: {
    instructions: "tells every agent where things are and how to check a change",
    import: "makes Claude Code read `AGENTS.md`",
    configuration: "label, budget, models, checks; every line is optional",
    knowledge: "what the team knows: what you teach, and what was learnt from merged work",
    rules: "what brings a warning or a document up by itself; empty so far",
    requirements: "what was wanted, what was decided, what it cost",
    ignored: "leaves out what belongs to one machine",
  },
  updated: " (your text stays, lines are added)",
  facts: "Found in your files",
  fact: "fact",
  source: "source",
  correct:
    "This stands in `context/tech/stack.md`. Correct there what is wrong. Only names of variables were read, no values.",
  noFacts: "No manifest was found whose framework, database, deployment or checks could be noted.",
  off: `Whoever runs the server switches this offer off for all repositories with \`${SWITCH}\`.`,
};

const CHINESE: Words = {
  title: "接入 Accrue",
  head: "Accrue 已获得此仓库的访问权限。这个 PR 加入团队与机器人共用的文件。没有这些文件也能工作：可以在此分支上修改后**合并**，也可以直接**关闭**，之后不会再次提出。",
  start: (label, mention) =>
    `**开始使用**：给 issue 加上标签 \`${label}\`（没有时在 Issues → Labels 中新建），或评论 \`${mention}\` 加上需求。机器人会给出分支、草稿 PR、检查结果和账单。其他命令见 \`${mention} help\`。`,
  file: "文件",
  purpose: "用途",
  purposes: {
    instructions: "告诉每个智能体：内容在哪里、改动如何检查",
    import: "让 Claude Code 读取 `AGENTS.md`",
    configuration: "标签、预算、模型、检查命令；每一行都可省略",
    knowledge: "团队的经验：大家教给机器人的，以及合并后的工作中学到的",
    rules: "自动提示警告或文档的规则；目前为空",
    requirements: "做过的需求、设计决定与成本",
    ignored: "忽略只属于本机的文件",
  },
  updated: "（原有内容不变，仅追加）",
  facts: "从文件中读到的事实",
  fact: "事实",
  source: "来源",
  correct: "以上内容写在 `context/tech/stack.md`，如有错误请直接修改。环境变量只读取名称，不读取值。",
  noFacts: "没有找到可以记录框架、数据库、部署或检查命令的清单文件。",
  off: `服务器管理员设置 \`${SWITCH}\` 后，所有仓库都不再提出。`,
};

const WORDS: Readonly<Record<Language, Words>> = { en: ENGLISH, zh: CHINESE };

/** What the pull request says that offers the scaffold: how to start, what each file is for, what was found, and how to get rid of it. */
export function offerText(offer: Offer): { title: string; body: string } {
  const { language, label, mention } = offer;
  const say = WORDS[language];
  const parts = [
    say.head,
    say.start(label, mention),
    filesTable(offer, say),
    ...factsTable(offer, say),
    say.off,
  ];
  return { title: say.title, body: parts.join("\n\n") };
}

function filesTable({ created, updated }: Offer, say: Words): string {
  const rows = GROUPS.flatMap(({ group, shown, holds }) => {
    const isUpdated = updated.some((path) => holds.test(path));
    if (!isUpdated && !created.some((path) => holds.test(path))) return [];
    return [`| \`${shown}\` | ${say.purposes[group]}${isUpdated ? say.updated : ""} |`];
  });
  return [`| ${say.file} | ${say.purpose} |`, "| --- | --- |", ...rows].join("\n");
}

function factsTable({ facts, language }: Offer, say: Words): string[] {
  if (facts.length === 0) return [say.noFacts];
  const rows = facts.map(
    ({ kind, text, path }) => `| ${factTitle(kind, language)}: ${cell(text)} | ${cell(path)} |`,
  );
  const table = [`| ${say.fact} | ${say.source} |`, "| --- | --- |", ...rows].join("\n");
  return [`**${say.facts}**`, table, say.correct];
}

/** Somebody else's word as code in a table: it notifies nobody, and ends neither code nor cell. */
function cell(text: string): string {
  return `\`${text.replaceAll("`", "'").replaceAll("|", String.raw`\|`)}\``;
}
