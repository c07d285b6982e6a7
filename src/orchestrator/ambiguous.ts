import { type Ask, proofOf } from "./intent.js";
import { ownWords } from "./own-words.js";

const END = String.raw`(?![\p{L}\p{N}_-])`;

/** A question may want an answer or a change: "can you make it blue?" */
const QUESTION = new RegExp(
  [
    String.raw`[?？]\s*$`,
    String.raw`(?:吗|呢|么)[\s\p{P}]*$`,
    String.raw`^(?:what|why|how|when|where|which|who|whose)${END}`,
    String.raw`^(?:is|are|was|were|does|did|has|can|could|should|would|will)\s+(?:it|this|that|these|those|there|the|you|we|i)${END}`,
    String.raw`^(?:do|have)\s+(?:you|we|they|i)${END}`,
    String.raw`^(?:什么|怎么|如何|哪|是否|能否|可否|会不会|有没有)`,
  ].join("|"),
  "iu",
);
/** What holds in general may be meant for this change or for all later ones. */
const REMARK = new RegExp(
  String.raw`^(?:(?:fyi|btw|by the way|note|for the record|always|never|we (?:always|never|usually|don't|do not)|in this (?:repo|repository|project|team))${END}|(?:注意|顺便说|说明一下|以后|一律|我们(?:一向|从来|总是|从不|一般)|本(?:项目|仓库|团队)))`,
  "iu",
);
/** Kind words may be all there is, or the beginning of a wish. */
const KIND = new RegExp(
  String.raw`^(?:(?:thanks?|thank you|thx|cheers|great|nice|awesome|perfect|cool|well done|good|lgtm|looks? (?:good|great|fine)|ok(?:ay)?|yes|yep|agreed|sure|hi|hello|hey|sorry)${END}|(?:谢谢|感谢|辛苦|不错|很好|真棒|赞|好的|可以|同意|没问题|是的|对的|你好))`,
  "iu",
);

/** True for a comment in free words that may be no wish at all. What names a command, or plainly says what to do, is none of these. */
export function isAmbiguous(ask: Pick<Ask, "intent" | "comment" | "thread">): boolean {
  const { intent, comment } = ask;
  const isWish = intent.kind === "change" || intent.kind === "start";
  if (!isWish || comment === null || proofOf(ask) !== null) return false;
  const said = ownWords(intent.text).trim();
  return said !== "" && [QUESTION, REMARK, KIND].some((words) => words.test(said));
}
