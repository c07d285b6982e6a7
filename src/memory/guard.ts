/** What two texts of the same words contradict each other in. */
export interface Difference {
  kind: "number" | "name" | "place" | "order" | "polarity";
  /** In words, for the answer to a person: `5.14 against 5.15`. */
  said: string;
}

const NUMBER = /\d+(?:[.:-]\d+)*/g;

/** Tells why two texts cannot say the same, however close they are; null when nothing hard stands between them. */
export function differenceOf(a: string, b: string): Difference | null {
  const [left, right] = [a, b].map((text) => [...text.matchAll(NUMBER)].map(([number]) => number));
  const onlyLeft = left?.filter((number) => !right?.includes(number)) ?? [];
  const onlyRight = right?.filter((number) => !left?.includes(number)) ?? [];
  if (onlyLeft.length === 0 || onlyRight.length === 0) return null;
  return { kind: "number", said: `${onlyLeft.join(", ")} against ${onlyRight.join(", ")}` };
}
