import type { Intent } from "../orchestrator/index.js";
import type { Mention } from "./mention.js";

const END = String.raw`(?![\p{L}\p{N}_-])`;
const LEADING = /^[\s\p{P}]+/u;

const REMEMBER = new RegExp(String.raw`^(?:remember${END}|记住|记下)`, "iu");
const FLOW = new RegExp(String.raw`^(?:optimize-flow${END}|优化流程)`, "iu");
/** An id has to follow, or nothing: "forget about the cache" is a wish. */
const FORGET = new RegExp(String.raw`^(?:forget${END}|忘记|忘掉)(?=[\s\p{P}]*(?:(?:EXP|R)-|$))`, "iu");

const ENGLISH = "the above|above|(?:this|that)(?: (?:one|pitfall|lesson|rule|point|fact|comment|gotcha))?|it";
const CHINESE = "这个坑|这一?条|这一?点|这件事|上面(?:这个|这条|的)?|以上";
/** Words that only point at something: alone, or before a colon. Those that can be nothing else also stand before a blank. */
const POINTS = new RegExp(
  String.raw`^(?:(?:${ENGLISH}|${CHINESE}|这个|这|它)[\s\p{P}]*(?:[:：]\s*(?<said>[\s\S]+))?$|(?:${CHINESE})[\s,，、]+(?<more>[\s\S]+)$)`,
  "iu",
);
/** Says yes to what somebody else said, and nothing of its own. */
const NODS =
  /^(?:(?:good (?:catch|point|idea|to know)|nice(?: (?:catch|one))?|great|thanks?(?: you)?|yes|yep|exactly|right|agreed|true|indeed|lgtm|ok(?:ay)?|\+1|好的?|对的?|是的|同意|没错|谢谢|赞)[\s\p{P}\p{S}]*)+$/iu;
const FILE = '(?:the )?[`"“]?AGENTS\\.md[`"”]?';
/** What is to be added to the instructions for agents was said before, or stands behind a colon. */
const INSTRUCT = new RegExp(
  String.raw`^(?:(?:add|put|write)\s+(?:(?:${ENGLISH})\s+)?(?:in)?to\s+${FILE}|(?:把)?(?:${CHINESE}|这个|这|它)?(?:添加|加|写|记)(?:到|进|入)?\s*${FILE}\s*(?:里|中)?)(?:\s*[:：]\s*(?<said>[\s\S]+)|[\s\p{P}]*$)`,
  "iu",
);

/** Reads what a comment wants to be kept or forgotten; null when it is about something else. */
export function readDeposit(request: string, mention: Mention): Intent | null {
  const rest = (command: RegExp) => request.replace(command, "").replace(LEADING, "").trim();
  const instruct = INSTRUCT.exec(request);
  if (instruct) {
    const text = lessonOf(instruct.groups?.["said"] ?? "", mention);
    return { kind: "remember", text, into: "instructions" };
  }
  if (FORGET.test(request)) return { kind: "forget", text: rest(FORGET) };
  if (FLOW.test(request)) return { kind: "optimize-flow", text: lessonOf(rest(FLOW), mention) };
  if (!REMEMBER.test(request)) return null;
  return { kind: "remember", text: lessonOf(rest(REMEMBER), mention), into: "knowledge" };
}

/** "… @agent remember" and "… @agent remember this" mean what was said before; nothing there: what is above the comment. */
function lessonOf(said: string, { before }: Mention): string {
  const pointing = POINTS.exec(said);
  const own = pointing ? (pointing.groups?.["said"] ?? pointing.groups?.["more"] ?? "") : said;
  const wording = own.trim().replace(/^that\s+(?=\S+\s)/iu, "");
  return wording || (NODS.test(before.trim()) ? "" : before.trim());
}
