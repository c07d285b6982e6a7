import { type Language, inertLine } from "../../shared/index.js";
import type { FiledShared } from "../file-shared.js";

/** The repository that something did not go to, and why. */
interface Closed {
  name: string;
  reason: string;
}

/** Under the answer to `remember`: what was said stays here, and not where several repositories share what they know. */
export function keptHereText(language: Language, { name, reason }: Closed): string {
  return language === "zh"
    ? `⚠ 只记录在本仓库，没有写入 \`${name}\`：${reason}`
    : `⚠ It stays in this repository and did not go to \`${name}\`: ${reason}`;
}

/** Under the answer to `forget`: what was not found may stand where nothing could be taken back. */
export function notSearchedText(language: Language, { name, reason }: Closed): string {
  return language === "zh"
    ? `⚠ 没有在 \`${name}\` 中查找：${reason}`
    : `⚠ \`${name}\` was not looked through: ${reason}`;
}

/** On the status of a requirement that was merged: where its lessons are, when that is not here, or why they are here. */
export function filedText(language: Language, { name, paths, waitsIn, reason }: FiledShared): string {
  const isChinese = language === "zh";
  if (reason !== "")
    return isChinese
      ? ` · ⚠ 经验留在本仓库，没有写入 \`${name}\`：${inertLine(reason)}`
      : ` · ⚠ its lessons stay here and did not go to \`${name}\`: ${inertLine(reason)}`;
  if (paths.size === 0) return "";
  const where = waitsIn === null ? `\`${name}\`` : `${name}#${waitsIn}`;
  return isChinese ? ` · 经验已写入 ${where}` : ` · lessons in ${where}`;
}
