import type { CheckEnd } from "../../github/index.js";
import { formatUsd } from "../../ledger/index.js";
import { type Language, clipEnd, inertLine } from "../../shared/index.js";
import type { Validation } from "../../validator/index.js";
import type { Halt } from "../ends.js";
import { proofOf } from "../intent.js";
import { linksOf } from "./links.js";
import type { Proved, Sight, Verdict } from "../proof/judge.js";
import type { Run } from "../types.js";
import { checksEnd } from "./result.js";
import { cell, quotedCell } from "./status.js";

const MAX_LINE = 300;
const NANO_PER_MICRO = 1000;

/** What an agent is told of its own try, and what it has to do now. */
const BACK: Record<Verdict, (detail: string) => string> = {
  proved: () => "It is proved.",
  open: (detail) => `It fails, and nothing makes it pass: ${detail}`,
  "nothing-written": (detail) =>
    detail === "" ? "You wrote nothing that could be run." : `There is nothing to run: ${detail}.`,
  "not-only": (detail) => `You changed files that are none of its business: ${detail}. Undo that.`,
  "not-run": (detail) => `It did not run: ${detail}`,
  passes: () =>
    "It passes on the code before the change too, so it does not show what was wrong there. Make it depend on exactly what the change puts right.",
  unreal: (detail) =>
    `On the code before the change it does not fail for what is wrong there, but because it cannot run: ${detail}. Use only what exists on both sides.`,
  fails: (detail) =>
    `It fails on the branch too, where it has to pass: ${detail}. If it is right and the code of the branch is wrong, leave it exactly as it is and hand over.`,
};

const WORDS = {
  en: {
    what: { test: "Regression test", lint: "Lint rule" },
    proved: (what: string) =>
      `✅ **${what} proved and pushed**: it fails on the code before this change and passes on the branch.`,
    unproved: (what: string, why: string) => `⚠ **${what} not proved, and not pushed**: ${why}`,
    failed: (why: string) => `❌ **Nothing was pushed**: ${why}`,
    why: {
      proved: "",
      open: "it fails now, and nothing in this pull request makes it pass. Ask again once the fix is on the branch.",
      "nothing-written": "nothing was written that could be run.",
      "not-only": "files were changed that are none of its business.",
      "not-run": "it could not be run.",
      passes: "it does not fail on the code before this change.",
      unreal: "on the code before this change it fails only because it cannot run there.",
      fails: "it fails on the branch too.",
    },
    place: "on",
    observed: "observed",
    bad: (base: string) => `before: \`${base}\``,
    good: "the branch",
    wrote: "What was written, and not kept",
    title: (what: string) => `${what} proved`,
  },
  zh: {
    what: { test: "回归测试", lint: "lint 规则" },
    proved: (what: string) => `✅ **${what}已验证并推送**：在改动之前的代码上失败，在分支上通过。`,
    unproved: (what: string, why: string) => `⚠ **${what}未能验证，没有推送**：${why}`,
    failed: (why: string) => `❌ **没有推送任何内容**：${why}`,
    why: {
      proved: "",
      open: "现在失败，而这个 PR 中没有使它通过的改动。修复提交到分支后请再次提出。",
      "nothing-written": "没有写出可以运行的内容。",
      "not-only": "改动了无关的文件。",
      "not-run": "无法运行。",
      passes: "在改动之前的代码上没有失败。",
      unreal: "在改动之前的代码上失败，只是因为无法运行。",
      fails: "在分支上也失败。",
    },
    place: "位置",
    observed: "观察到",
    bad: (base: string) => `改动之前：\`${base}\``,
    good: "分支",
    wrote: "写出但未保留的内容",
    title: (what: string) => `${what}已验证`,
  },
} as const satisfies Record<Language, unknown>;

/** What an agent is told of what it wrote. */
export function fedBack(proof: Proved): string {
  const seen = [proof.bad, proof.good].flatMap((sight) =>
    sight ? [`$ ${sight.command}\nexit ${sight.exitCode ?? "none"}: ${sight.line}`] : [],
  );
  return [BACK[proof.verdict](proof.detail || (proof.good?.line ?? "")), ...seen].join("\n\n");
}

/** What a reader may copy, whatever it holds. */
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** The answer on the thread: whether it is proved, and what was observed in both places. `left` is what was written and not kept. */
export function proofText(run: Run, halt: Halt, left: string): string {
  const say = WORDS[run.language];
  const { proof, requirement, id, board } = run;
  const what = whatOf(run);
  const head =
    proof === null || (proof.verdict === "proved" && halt.state !== "finished")
      ? say.failed(inertLine(halt.reason))
      : proof.verdict === "proved"
        ? say.proved(what)
        : say.unproved(what, say.why[proof.verdict]);
  const detail =
    proof && proof.verdict !== "proved" && proof.detail !== "" ? [`> ${line(proof.detail)}`] : [];
  const files = proof?.verdict === "proved" ? [proof.paths.map((path) => linked(run, path)).join(" · ")] : [];
  const shown =
    left === "" ? [] : [`<details><summary>${say.wrote}</summary>\n\n${fenced(left)}\n</details>`];
  const notices = board.notices.map((notice) => `⚠ ${inertLine(notice)}`);
  const money = formatUsd(costOf(run));
  return [
    head,
    ...detail,
    sights(run),
    ...files,
    ...shown,
    ...notices,
    `<sub>${requirement} · run ${id} · ${money}</sub>`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** The check on the new head: the proof first, then everything that ran. */
export function proofCheck(run: Run, validation: Validation): CheckEnd {
  const end = checksEnd(validation, run.language);
  const title = `${WORDS[run.language].title(whatOf(run))} · ${end.title}`;
  return { ...end, title, summary: [sights(run), end.summary].join("\n\n") };
}

/** Both observations as a table; nothing where nothing ran. */
function sights(run: Run): string {
  const { proof, language, workspace } = run;
  const say = WORDS[language];
  const row = (where: string, sight: Sight | null) =>
    sight
      ? [
          `| ${where} (${sight.sha.slice(0, 7)}) | \`${cell(sight.command.replaceAll("`", "'"))}\` | ${sight.exitCode ?? "–"} | ${quotedCell(clipEnd(sight.line, MAX_LINE))} |`,
        ]
      : [];
  const rows = [
    ...row(say.bad(workspace.baseBranch), proof?.bad ?? null),
    ...row(say.good, proof?.good ?? null),
  ];
  if (rows.length === 0) return "";
  return [`| ${say.place} | | exit | ${say.observed} |`, "| --- | --- | ---: | --- |", ...rows].join("\n");
}

function whatOf(run: Run): string {
  return WORDS[run.language].what[proofOf(run.ask) ?? "test"];
}

function line(text: string): string {
  return inertLine(clipEnd(text.replace(/\s*\n\s*/g, " "), MAX_LINE));
}

function linked({ doors, board, workspace }: Run, path: string): string {
  if (!doors.port) return `\`${path}\``;
  return `[\`${path}\`](${linksOf(doors.port).file(board.branch ?? workspace.branch, path)})`;
}

function costOf({ deps, id }: Run): number {
  return deps.ledger.costRows(id).reduce((sum, row) => sum + (row.micro_usd ?? 0), 0) * NANO_PER_MICRO;
}
