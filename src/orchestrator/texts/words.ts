import type { Language } from "../../shared/index.js";

/** Addresses of pages that names in a text link to. */
export interface Links {
  branch(name: string): string;
  file(revision: string, path: string): string;
}

/** How many may feel a change. */
interface Affected {
  definitions: number;
  files: number;
  tests: number;
}

const ENGLISH = {
  branch: "branch",
  of: "of",
  phase: "phase",
  result: "result",
  phases: { requirement: "Requirement", design: "Design", implement: "Implement", validate: "Validate" },
  todo: (done: number, all: number) => `At work: ${done} of ${all} steps`,
  earlier: "From earlier work",
  pending: "pending",
  controlsActive: "Stop, ask, bill",
  controls: "Retry, ask, teach",
  criterion: "criterion",
  evidence: "evidence",
  notVerified: "not verified",
  consistency: "Plan and criteria",
  reach: "Reach",
  changedFiles: (count: number) => `${count} ${count === 1 ? "file" : "files"} changed`,
  affected: ({ definitions, files, tests }: Affected) =>
    `Used by ${definitions} ${definitions === 1 ? "definition" : "definitions"}, in ${files} other ${files === 1 ? "file" : "files"}; ${tests} test ${tests === 1 ? "file reaches" : "files reach"} it.`,
  drawing: "What it reaches",
  ran: "What ran",
  check: "check",
  known: "Failed already before the change",
  reached: "reached by the change",
  shown: "What the agents were shown",
  firstFailure: "First failing output",
  passed: "Passed",
  failed: "Failed",
  notRun: "Not run",
  verified: (done: number, all: number) => `${done} of ${all} criteria verified`,
  duration: (ms: number) => durationOf(ms, ["min", "s"]),
};

const CHINESE: typeof ENGLISH = {
  branch: "分支",
  of: "/",
  phase: "阶段",
  result: "结果",
  phases: { requirement: "需求", design: "设计", implement: "实现", validate: "验证" },
  todo: (done: number, all: number) => `进行中：${all} 步已完成 ${done} 步`,
  earlier: "以往经验",
  pending: "待合并",
  controlsActive: "停止、提问、账单",
  controls: "重试、提问、记住经验",
  criterion: "验收标准",
  evidence: "证据",
  notVerified: "未验证",
  consistency: "计划与验收标准",
  reach: "影响范围",
  changedFiles: (count: number) => `改动 ${count} 个文件`,
  affected: ({ definitions, files, tests }: Affected) =>
    `被 ${definitions} 处定义使用，涉及其他 ${files} 个文件；有 ${tests} 个测试文件覆盖到它。`,
  drawing: "影响范围图",
  ran: "已运行的检查",
  check: "检查",
  known: "改动之前就已失败",
  reached: "本次改动可触及",
  shown: "提供给智能体的内容",
  firstFailure: "第一个失败的输出",
  passed: "通过",
  failed: "失败",
  notRun: "未运行",
  verified: (done: number, all: number) => `${all} 条标准中 ${done} 条已验证`,
  duration: (ms: number) => durationOf(ms, ["分", "秒"]),
};

function durationOf(ms: number, [minutes, seconds]: [string, string]): string {
  const total = Math.max(0, Math.round(ms / 1000));
  return total >= 60
    ? `${Math.floor(total / 60)} ${minutes} ${total % 60} ${seconds}`
    : `${total} ${seconds}`;
}

/** The fixed words of everything that people read, in one language. */
export function words(language: Language): typeof ENGLISH {
  return language === "zh" ? CHINESE : ENGLISH;
}
