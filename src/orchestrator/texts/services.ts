import { type Language, inertLine } from "../../shared/index.js";
import type { LoadedService } from "../load-services.js";
import type { Unreadable } from "../service-place.js";

const WORDS = {
  en: {
    which: (mention: string) =>
      `Nothing was read: name the services, such as \`${mention} load-service acme/wallet acme/goods\`; names under \`services\` of \`.github/agent.yml\` count too.`,
    written: (pull: string) =>
      `✅ Written${pull}. Correct there what is wrong: what you write outside of the generated parts, or change in them, stays. Merged, it comes up by itself.`,
    nothing: "Nothing is new: the documents say all of it already.",
    failed: "❌ Nothing was written.",
    unchanged: "nothing new",
    pointers: (count: number) => `${count} ${count === 1 ? "pointer" : "pointers"}`,
    rules: (ids: string) => `rules ${ids}`,
    edited: (titles: string) => `left as people changed it: ${titles}`,
    dropped: (pointers: string) => `pointers of the model that lead nowhere were dropped: ${pointers}`,
    "no-answer": (reason: string) => `facts only, no model said what it is for${reason ? `: ${reason}` : ""}`,
    kept: (reason: string) => `the sentences of last time stay${reason ? `: ${reason}` : ""}`,
    copied: () => "facts only: the model had copied code into its sentences",
    unreadable: (source: string, reason: string) => `❌ \`${source}\` was not read: ${reason}`,
  },
  zh: {
    which: (mention: string) =>
      `没有分析：请写明服务，例如 \`${mention} 加载服务 acme/wallet acme/goods\`；也可以写 \`.github/agent.yml\` 中 \`services\` 下的名称。`,
    written: (pull: string) =>
      `✅ 已写入${pull}。如有错误请直接修改：生成部分之外的内容以及您改过的部分都会保留。合并后会自动提示。`,
    nothing: "没有新内容：文档已经是最新的。",
    failed: "❌ 没有写入任何内容。",
    unchanged: "没有新内容",
    pointers: (count: number) => `${count} 个指向`,
    rules: (ids: string) => `规则 ${ids}`,
    edited: (titles: string) => `保留了人工修改的部分：${titles}`,
    dropped: (pointers: string) => `模型给出的无效指向已去掉：${pointers}`,
    "no-answer": (reason: string) => `只有事实，没有模型说明${reason ? `：${reason}` : ""}`,
    kept: (reason: string) => `保留上次的说明${reason ? `：${reason}` : ""}`,
    copied: () => "只有事实：模型的说明里抄录了代码",
    unreadable: (source: string, reason: string) => `❌ \`${source}\` 无法读取：${reason}`,
  },
} as const;

const MAX_DROPPED = 5;

/** Asks for the services where none was named. */
export function whichServices(language: Language, mention: string): string {
  return WORDS[language].which(mention);
}

/** What became of the services that somebody asked to be read. */
export function servicesText(
  language: Language,
  {
    loaded,
    unreadable,
    pull,
    link,
  }: {
    loaded: readonly LoadedService[];
    unreadable: readonly Unreadable[];
    pull: number | null;
    link(file: string): string;
  },
): string {
  const say = WORDS[language];
  const isWritten = loaded.some(({ isChanged }) => isChanged);
  const where = pull === null ? "" : language === "zh" ? ` #${pull}` : ` in #${pull}`;
  const head = isWritten ? say.written(where) : loaded.length > 0 ? say.nothing : say.failed;
  const rows = loaded.map(
    (one) => `- [${one.service}](${link(one.file)}): ${remarksOn(one, language).map(inertLine).join("; ")}`,
  );
  const left = unreadable.map(({ source, reason }) =>
    say.unreadable(source.replaceAll("`", "'"), inertLine(reason)),
  );
  return [head, rows.join("\n"), left.join("\n\n")].filter(Boolean).join("\n\n");
}

/** What there is to say about one service, a phrase each. */
export function remarksOn(one: LoadedService, language: Language): string[] {
  const say = WORDS[language];
  return [
    one.isChanged ? say.pointers(one.pointers.length) : say.unchanged,
    one.rules.length > 0 ? say.rules(one.rules.join(", ")) : "",
    one.edited.length > 0 ? say.edited(one.edited.join(", ")) : "",
    one.dropped.length > 0 ? say.dropped(one.dropped.slice(0, MAX_DROPPED).join(", ")) : "",
    one.missing === null ? "" : say[one.missing](one.reason),
  ].filter(Boolean);
}
