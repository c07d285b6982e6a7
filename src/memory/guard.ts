import { hardTokens, sameName, type HardTokens } from "./guard/hard-tokens.js";
import { changedWords, sideBySide } from "./guard/near-copy.js";
import { CHANGED, CHOSEN, ENVIRONMENTS, NEGATION, OPPOSITES, REJECTED } from "./guard/word-lists.js";

/** What two texts that sound alike contradict each other in, or speak of different things by. */
export interface Difference {
  kind: "number" | "name" | "environment" | "choice" | "polarity" | "word";
  /** In words, for the answer to a person: `5.14 against 5.15`. */
  said: string;
}

/** From this share of common words on, one denial more turns what is said around. */
const DENIED_FROM = 0.6;

const against = (left: readonly string[], right: readonly string[]) =>
  `${[...new Set(left)].join(", ")} against ${[...new Set(right)].join(", ")}`;

/** What of a list is left when each entry of the other has taken away one like it. */
function without(list: readonly string[], taken: readonly string[]): string[] {
  const rest = [...taken];
  return list.filter((entry) => {
    const at = rest.indexOf(entry);
    if (at < 0) return true;
    rest.splice(at, 1);
    return false;
  });
}

function numbersDiffer(a: HardTokens, b: HardTokens): Difference | null {
  const [left, right] = [without(a.numbers, b.numbers), without(b.numbers, a.numbers)];
  if (left.length === 0 || right.length === 0) return null;
  return { kind: "number", said: against(left, right) };
}

const unknownTo = (other: HardTokens, names: readonly string[]) =>
  names.filter((name) => !other.words.has(name) && !other.names.some((known) => sameName(name, known)));

function namesDiffer(a: HardTokens, b: HardTokens): Difference | null {
  const [left, right] = [unknownTo(b, a.names), unknownTo(a, b.names)];
  if (left.length === 0 || right.length === 0) return null;
  return { kind: "name", said: against(left, right) };
}

const environmentsOf = (text: string) =>
  ENVIRONMENTS.filter(([, pattern]) => text.search(pattern) >= 0).map(([name]) => name);

function environmentsDiffer(a: string, b: string): Difference | null {
  const [left, right] = [environmentsOf(a), environmentsOf(b)];
  const [onlyLeft, onlyRight] = [without(left, right), without(right, left)];
  if (onlyLeft.length === 0 || onlyRight.length === 0) return null;
  return { kind: "environment", said: against(onlyLeft, onlyRight) };
}

/** The words right behind each place of a pattern, lower-cased: what is chosen, turned down or changed to. */
function named(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const behind = text.slice(match.index + match[0].length);
    const word = /^\s*(?:(?:the|a|an|using|use) )?([\p{Script=Latin}\p{N}_@./-]+)/iu.exec(behind)?.[1];
    return word === undefined ? [] : [word.toLowerCase().replace(/[./-]+$/, "")];
  });
}

/** "X over Y" against "Y over X": one turns down what the other takes. */
function choicesDiffer(a: string, b: string): Difference | null {
  const [aChosen, bChosen] = [named(a, CHOSEN), named(b, CHOSEN)];
  const [aRejected, bRejected] = [named(a, REJECTED), named(b, REJECTED)];
  const clash =
    aRejected.find((name) => bChosen.includes(name) && !bRejected.includes(name)) ??
    bRejected.find((name) => aChosen.includes(name) && !aRejected.includes(name));
  if (clash !== undefined) return { kind: "choice", said: `only one chose ${clash}` };
  const has = (text: string, name: string) => text.toLowerCase().includes(name);
  const left = aRejected.find((name) => has(b, name) && !bRejected.includes(name));
  const right = bRejected.find((name) => has(a, name) && !aRejected.includes(name));
  if (left === undefined || right === undefined) return null;
  return { kind: "choice", said: `not ${left} against not ${right}` };
}

/** One text says that something was changed to what the other does not know. */
function changeDiffers(text: string, other: HardTokens): Difference | null {
  const names = hardTokens(text).names;
  const [target] = unknownTo(
    other,
    named(text, CHANGED).filter((name) => names.includes(name)),
  );
  return target === undefined ? null : { kind: "choice", said: `changed to ${target}` };
}

/** Which of two opposites a text says first, and whether it says both. */
interface Pole {
  side: "left" | "right";
  isBoth: boolean;
  said: string;
}

function poleOf(text: string, [left, right]: readonly [RegExp, RegExp]): Pole | null {
  const [one] = text.matchAll(left);
  const [other] = text.matchAll(right);
  const isRight = other !== undefined && (one === undefined || other.index < one.index);
  const first = isRight ? other : one;
  if (first === undefined) return null;
  return {
    side: isRight ? "right" : "left",
    isBoth: one !== undefined && other !== undefined,
    said: first[0],
  };
}

function oppositesDiffer(a: string, b: string): Difference | null {
  for (const opposites of OPPOSITES) {
    const [left, right] = [poleOf(a, opposites), poleOf(b, opposites)];
    if (left === null || right === null || left.side === right.side || left.isBoth !== right.isBoth) continue;
    return { kind: "polarity", said: against([left.said], [right.said]) };
  }
  return null;
}

/** Of two texts that are else nearly the same, only one denies. */
function denialDiffers(a: string, b: string, shared: number): Difference | null {
  const denials = (text: string) => [...text.matchAll(NEGATION)].map(([word]) => word);
  const [left, right] = [denials(a), denials(b)];
  if (shared < DENIED_FROM || left.length > 0 === right.length > 0) return null;
  return { kind: "polarity", said: `only one says "${[...left, ...right][0]}"` };
}

/** Tells why two texts cannot say the same, however close they are; null when nothing hard stands between them. */
export function differenceOf(a: string, b: string): Difference | null {
  const [left, right] = [hardTokens(a), hardTokens(b)];
  const found =
    numbersDiffer(left, right) ??
    namesDiffer(left, right) ??
    environmentsDiffer(a, b) ??
    choicesDiffer(a, b) ??
    changeDiffers(a, right) ??
    changeDiffers(b, left);
  if (found !== null) return found;
  const sides = sideBySide(a, b);
  const polarity = oppositesDiffer(a, b) ?? denialDiffers(a, b, sides.shared);
  if (polarity !== null) return polarity;
  const said = changedWords(sides);
  return said === null ? null : { kind: "word", said };
}
