import type { CallPart } from "./chunk.js";

/** A tool call as far as it has come. */
export interface CallDraft {
  index: number | null;
  id: string;
  name: string;
  json: string;
}

/** Puts tool calls together from their pieces, however an endpoint numbers and names them. */
export interface CallDrafts {
  take(part: CallPart): void;
  all(): readonly CallDraft[];
}

function isWhole(json: string): boolean {
  if (!json.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

function textOf(given: NonNullable<CallPart["function"]>["arguments"]): string {
  return typeof given === "string" ? given : given ? JSON.stringify(given) : "";
}

/** The call that a piece goes on with; null when it begins one. */
function draftFor(drafts: readonly CallDraft[], { index, id, function: part }: CallPart): CallDraft | null {
  const known = id ? drafts.find((draft) => draft.id === id) : undefined;
  if (known !== undefined) return known;
  const here = typeof index === "number" ? drafts.findLast((draft) => draft.index === index) : drafts.at(-1);
  // Two ids at one index are two calls; an id may come late.
  if (here === undefined || (id && here.id !== "")) return null;
  const isNext = Boolean(part?.name) && here.name !== "" && isWhole(here.json);
  const isAgain = part?.name === here.name && textOf(part.arguments) === here.json;
  return isNext && !isAgain ? null : here;
}

/** Starts without a call. */
export function createCallDrafts(): CallDrafts {
  const drafts: CallDraft[] = [];
  return {
    take(part) {
      let draft = draftFor(drafts, part);
      if (draft === null) {
        draft = { index: part.index ?? null, id: "", name: "", json: "" };
        drafts.push(draft);
      }
      draft.id ||= part.id ?? "";
      draft.name ||= part.function?.name ?? "";
      const json = textOf(part.function?.arguments);
      // Some begin with an empty object and send the arguments after it; some send what is complete once more.
      if (draft.json.trim() === "{}") draft.json = json.trim() === "" ? draft.json : json;
      else if (!(isWhole(draft.json) && draft.json.includes(json))) draft.json += json;
    },
    all: () => drafts,
  };
}
