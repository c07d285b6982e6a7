import { folderOf } from "./folder-of.js";
import type { Halt } from "./ends.js";
import type { Run } from "./types.js";

/** Stops where people took a document out that the work stands on: what it said is not guessed again. */
export function lostDocument(run: Run, names: readonly string[]): Halt {
  const { branch } = run.workspace;
  const where = names.map((name) => `${folderOf(run)}/${name}`).join(", ");
  return waits(run, {
    en: `${where} is missing on ${branch}: put it back, such as with git revert`,
    zh: `${branch} 上缺少 ${where}：请恢复，例如用 git revert`,
  });
}

/** Stops where a requirement has no acceptance criterion any more: nothing would have to be shown. */
export function lostCriteria(run: Run): Halt {
  const where = `${folderOf(run)}/requirement.md`;
  return waits(run, {
    en: `${where} has no acceptance criteria any more: put them back as ### AC-1, or say what is wanted`,
    zh: `${where} 已没有验收标准：请以 ### AC-1 的形式恢复，或说明需要什么`,
  });
}

function waits({ language }: Run, words: Record<"en" | "zh", string>): Halt {
  return { state: "paused", outcome: "not-run", reason: words[language] };
}
