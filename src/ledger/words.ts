import type { Language } from "../shared/index.js";
import type { WasteKind } from "./types.js";

/** The words of a bill in one language; the layout is the same in all. */
export interface BillWords {
  cost(usd: string, requirement: string): string;
  noCalls: string;
  tokens(count: string, cachedShare: string): string;
  budget(usd: string): string;
  /** `position` counts requirements of the same kind, this one included. */
  comparison(position: number, shareOfFirst: string): string;
  unpriced(calls: number): string;
  estimated(calls: number): string;
  phase: string;
  model: string;
  task: string;
  day: string;
  columns: readonly [calls: string, input: string, cached: string, output: string, cost: string];
  wasted(retries: number): string;
  /** Title of the table of what was for nothing, and its rows. */
  wasteKind: string;
  waste: Readonly<Record<WasteKind, string>>;
  sum: string;
  chart: string;
  details: string;
  trace: string;
}

const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });
const SUFFIXES: Record<string, string> = { one: "st", two: "nd", few: "rd" };

const ENGLISH: BillWords = {
  cost: (usd, requirement) => `**${usd}** for ${requirement}`,
  noCalls: "no model was called",
  tokens: (count, cachedShare) => `${count} tokens, ${cachedShare} of the input from cache`,
  budget: (usd) => `budget ${usd}`,
  comparison: (position, shareOfFirst) => {
    const ordinal = `${position}${SUFFIXES[ORDINALS.select(position)] ?? "th"}`;
    return `${ordinal} requirement of its kind: ${shareOfFirst} of the first`;
  },
  unpriced: (calls) =>
    `⚠ The price of ${calls === 1 ? "1 call is" : `${calls} calls are`} not known and not in the sum.`,
  estimated: (calls) =>
    `⚠ ${calls === 1 ? "1 call was" : `${calls} calls were`} cut off before the provider said what was used: that is a guess.`,
  phase: "phase",
  model: "model",
  task: "task",
  day: "day",
  columns: ["calls", "input", "of it cached", "output", "cost"],
  wasted: (retries) => `wasted: ${retries} ${retries === 1 ? "retry" : "retries"}`,
  wasteKind: "for nothing",
  waste: {
    unanswered: "failed before an answer",
    failed: "answer broke off",
    stopped: "stopped by a person or a limit",
    interrupted: "cut off by a crash",
    discarded: "too long or refused",
    repeated: "same question again",
  },
  sum: "sum",
  chart: "Cost of similar requirements ($)",
  details: "By model, task, day",
  trace: "trace",
};

const CHINESE: BillWords = {
  cost: (usd, requirement) => `${requirement} 共花费 **${usd}**`,
  noCalls: "没有调用模型",
  tokens: (count, cachedShare) => `${count} tokens，输入的 ${cachedShare} 来自缓存`,
  budget: (usd) => `预算 ${usd}`,
  comparison: (position, shareOfFirst) => `第 ${position} 个同类需求：首个的 ${shareOfFirst}`,
  unpriced: (calls) => `⚠ 有 ${calls} 次调用的价格未知，未计入合计。`,
  estimated: (calls) => `⚠ 有 ${calls} 次调用在服务商报告用量之前中断，其用量为估计值。`,
  phase: "阶段",
  model: "模型",
  task: "任务",
  day: "日期",
  columns: ["调用", "输入", "其中缓存", "输出", "费用"],
  wasted: (retries) => `浪费：重试 ${retries} 次`,
  wasteKind: "浪费",
  waste: {
    unanswered: "未获答复即失败",
    failed: "答复中断",
    stopped: "被人或限额停止",
    interrupted: "因崩溃中断",
    discarded: "过长或被拒绝",
    repeated: "重复同一请求",
  },
  sum: "合计",
  chart: "同类需求的花费（美元）",
  details: "按模型、任务、日期",
  trace: "运行记录",
};

/** Chooses the words of a bill. */
export function billWords(language: Language): BillWords {
  return language === "zh" ? CHINESE : ENGLISH;
}
