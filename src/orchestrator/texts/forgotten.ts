import { type Language, clipMiddle, inertLine } from "../../shared/index.js";
import type { Instructed } from "../add-to-instructions.js";
import type { ForgottenIds } from "../forget-knowledge.js";
import type { PushedKnowledge } from "../push-knowledge.js";
import type { Remark } from "../remark.js";
import { placeOf } from "./remembered.js";
import type { Links } from "./words.js";

const MAX_LINE = 300;

/** Where the commit of an answer is shown. */
interface Shown {
  links: Links;
  /** Address of a commit. */
  commit(sha: string): string;
  /** Where it lies, `owner/name`; empty where it was asked for. */
  repository: string;
}

/** The answer to `forget`: what does not count any more, where that stands, and how to undo it. */
export function forgottenText(
  language: Language,
  { made, ...pushed }: PushedKnowledge<ForgottenIds>,
  { links, commit, repository }: Shown,
): string {
  const zh = language === "zh";
  const { retired, paths, unknown } = made;
  const missing = unknown.map((id) => `\`${id}\``).join(", ");
  const notFound = zh ? `⚠ 这里没有 ${missing}。` : `⚠ Nothing here has the id ${missing}.`;
  if (retired.length === 0) return notFound;
  const ids = retired.map((id) => `\`${id}\``).join(", ");
  if (paths.length === 0) return zh ? `${ids} 早已停用。` : `${ids} was retired already.`;
  const where = placeOf({ ...pushed, repository });
  const files = paths.map((path) => `[${path}](${links.file(pushed.branch, path)})`).join(", ");
  const undo = `[\`${pushed.sha.slice(0, 7)}\`](${commit(pushed.sha)})`;
  return [
    zh ? `✅ 已停用 ${ids}，位于 ${where}。` : `✅ Retired ${ids} in ${where}.`,
    isWaiting(paths)
      ? zh
        ? "它们尚未整理，从现在起不再生效。"
        : "What was not filed yet does not count from now on."
      : zh
        ? `合并后对所有人生效：${files}`
        : `It counts for everybody once that is merged: ${files}`,
    zh ? `撤销：还原提交 ${undo}。` : `Undo: revert ${undo}.`,
    ...(unknown.length > 0 ? [notFound] : []),
  ].join("\n\n");
}

/** The answer to "add this to AGENTS.md". */
export function instructedText(
  language: Language,
  { made, ...pushed }: PushedKnowledge<Instructed>,
  { links, commit, remark, repository }: Shown & { remark: Remark },
): string {
  const zh = language === "zh";
  const where = placeOf({ ...pushed, repository });
  const file = `[AGENTS.md](${links.file(pushed.branch, "AGENTS.md")})`;
  const line = `> - ${clipMiddle(inertLine(made.line.slice(2)), MAX_LINE)}`;
  if (!made.isNew) return `${zh ? `✅ ${file} 已有这一条。` : `✅ ${file} says it already.`}\n\n${line}`;
  const undo = `[\`${pushed.sha.slice(0, 7)}\`](${commit(pushed.sha)})`;
  const stranger = zh
    ? `⚠ 内容来自没有写权限的 \`@${remark.by}\`，合并前请审阅。`
    : `⚠ It is by \`@${remark.by}\`, who may not write here: look at it before merging.`;
  return [
    zh
      ? `✅ 已加入 ${file}，位于 ${where}；合并后生效。`
      : `✅ Added to ${file} in ${where}. It counts once that is merged.`,
    line,
    ...(remark.trust === "untrusted" ? [stranger] : []),
    zh ? `撤销：还原提交 ${undo}。` : `Undo: revert ${undo}.`,
  ].join("\n\n");
}

/** The answer to a remark with a secret in it: the kind, never the secret. */
export function secretText(language: Language, kinds: readonly string[], remark: Remark): string {
  const kind = kinds.join(", ");
  const comment = `[${language === "zh" ? "该评论" : "the comment"}](${remark.source})`;
  return language === "zh"
    ? `❌ 没有记录：${comment} 含有密钥（${kind}）。请编辑评论将其删去，并更换该密钥，它已被读到此处的人看到；git 不会忘记写入的内容。`
    : `❌ Nothing was recorded: ${comment} holds a secret (${kind}). Edit it to take that out, and change the secret: whoever reads here has seen it, and git forgets nothing. Then write where the secret is kept instead.`;
}

function isWaiting(paths: readonly string[]): boolean {
  return paths.every((path) => path.startsWith("context/deposits/"));
}
