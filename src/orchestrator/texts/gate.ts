import { formatUsd } from "../../ledger/index.js";
import type { Approvable } from "../../requirements/index.js";
import { type Language, clipMarkdown, inertLine, sha256 } from "../../shared/index.js";
import type { GateView } from "../gate.js";
import type { Run } from "../types.js";

/** A rule that holds the work back until a person confirms. */
export interface Block {
  id: string;
  message: string;
}

/** Longer documents are read in the repository. */
const MAX_DOCUMENT = 20_000;
const MAX_FILES = 8;
const SHORT_SHA = 12;
/** A table of keys that Markdown would show as a heading. */
const FRONTMATTER = /^---\n[\s\S]*?\n---\n/;

const ENGLISH = {
  ready: { "requirement.md": "Requirement ready", "design.md": "Design ready" },
  how: { reply: "reply", run: "run" },
  decide: (ready: string, how: string, approve: string) =>
    `${ready}, waiting for a decision: ${how} \`${approve}\`, or say what to change`,
  confirm: (rules: string, how: string, confirm: string) =>
    `Waiting before any code: ${rules} · ${how} \`${confirm}\` to go on, or say what to change`,
  between: "; ",
  changed: (of: string) =>
    `The text of ${of} was changed after it was shown: what was said before holds no longer.`,
  touches: (count: number, files: string, users: number) =>
    `Touches ${count} ${count === 1 ? "file" : "files"} that ${users} ${users === 1 ? "other uses" : "others use"}: ${files}.`,
  estimate: (range: string, count: number, costs: string) =>
    `Estimated ${range} (${count} similar ${count === 1 ? "requirement" : "requirements"}: ${costs}).`,
  noEstimate: "No estimate: nothing similar was done here before.",
  thumb: "👍 on this comment approves it too.",
  thumbAgain: "👍 on this comment approves it too; one from before has to be taken back and given anew.",
  holds: (sha: string) => `an approval holds for this text (sha256 ${sha}); an edit voids it`,
  holdsPlan: (sha: string) =>
    `an approval holds for this text and the tasks in \`tasks.md\` (sha256 ${sha}); an edit of either voids it`,
};

const CHINESE: typeof ENGLISH = {
  ready: { "requirement.md": "需求已就绪", "design.md": "设计已就绪" },
  how: { reply: "回复", run: "运行" },
  decide: (ready, how, approve) => `${ready}，等待决定：${how} \`${approve}\`，或说明要改什么`,
  confirm: (rules, how, confirm) =>
    `写代码之前需要确认：${rules} · ${how} \`${confirm}\` 继续，或说明要改什么`,
  between: "；",
  changed: (of) => `${of} 在展示之后被改动，此前的意见不再有效。`,
  touches: (count, files, users) => `涉及 ${count} 个文件，被其他 ${users} 个文件使用：${files}。`,
  estimate: (range, count, costs) => `预计 ${range}（${count} 个类似需求：${costs}）。`,
  noEstimate: "无法估算：此前没有类似的需求。",
  thumb: "给本评论点 👍 也表示批准。",
  thumbAgain: "给本评论点 👍 也表示批准；之前点过的需先取消再点。",
  holds: (sha) => `批准仅对当前文本有效（sha256 ${sha}），改动后作废`,
  holdsPlan: (sha) => `批准仅对当前文本和 \`tasks.md\` 中的任务有效（sha256 ${sha}），任一改动后作废`,
};

function words(language: Language): typeof ENGLISH {
  return language === "zh" ? CHINESE : ENGLISH;
}

/** What is wanted of the reader: a reply on GitHub, else the command that goes on. */
export function gateHeadline(
  { settings, doors, requirement, language }: Pick<Run, "settings" | "doors" | "requirement" | "language">,
  of: Approvable,
  blocks: readonly Block[],
): string {
  const say = words(language);
  const how = doors.port ? say.how.reply : say.how.run;
  const wanted = (word: string) => (doors.port ? `${settings.mention} ${word}` : `accrue run ${requirement}`);
  if (blocks.length === 0) return say.decide(say.ready[of], how, wanted("approve"));
  const rules = blocks.map(({ id, message }) => `${id} ${message}`).join(say.between);
  return say.confirm(rules, how, wanted("confirm"));
}

/** What stands below the first line while a person is waited for: what it is about, what it may cost, and the text itself. */
export function gateText(gate: GateView, language: Language): string[] {
  const say = words(language);
  const { touches } = gate;
  const files = (touches?.files ?? []).slice(0, MAX_FILES).map((path) => `\`${path.replaceAll("`", "'")}\``);
  const more = (touches?.files.length ?? 0) > MAX_FILES ? ", …" : "";
  const about = [
    inertLine(gate.adds),
    ...(touches && files.length > 0
      ? [say.touches(touches.files.length, `${files.join(", ")}${more}`, touches.users)]
      : []),
    estimate(gate, say),
  ];
  return [
    ...(gate.changed === null ? [] : [`⚠ ${say.changed(`\`${gate.changed}\``)}`]),
    about.join("\n"),
    ...(gate.isWatched ? [gate.isFirst ? say.thumb : say.thumbAgain] : []),
    `<details><summary>${gate.of}</summary>\n\n${quoted(gate.document)}\n\n</details>`,
    `<sub>${(gate.plan === undefined ? say.holds : say.holdsPlan)(gateMark(gate))}</sub>`,
  ];
}

/** What tells in the status comment which text it asks about, and with which plan. */
export function gateMark({ sha, plan }: Pick<GateView, "sha" | "plan">): string {
  return (plan === undefined ? sha : sha256(sha + plan)).slice(0, SHORT_SHA);
}

function estimate({ similarNanoUsd: costs }: GateView, say: typeof ENGLISH): string {
  if (costs.length === 0) return say.noEstimate;
  const [least, most] = [formatUsd(Math.min(...costs)), formatUsd(Math.max(...costs))];
  const range = least === most ? least : `${least}–${most}`;
  return say.estimate(range, costs.length, costs.map(formatUsd).join(", "));
}

/** A document of the repository inside a comment of ours: its headings and lists stay, and nothing in it acts. */
function quoted(document: string): string {
  const lines = document
    .replace(FRONTMATTER, "")
    .split("\n")
    .map((line) => {
      const [indent = ""] = /^\s*/.exec(line) ?? [];
      return indent + inertLine(line);
    });
  return clipMarkdown(lines.join("\n").trim(), MAX_DOCUMENT);
}
