import { messageOf } from "../shared/index.js";
import { wellFormed } from "./sent.js";

const RAW_SHOWN = 300;

/** Texts as an API takes them back: escapes of JSON can name half of a character. */
function revived(_key: string, value: unknown): unknown {
  return typeof value === "string" ? wellFormed(value) : value;
}

/** A tool call's arguments as an object; what cannot be one is a problem that shows the raw text to the model. */
export function parseArguments(json: string): { input: Record<string, unknown>; problem: string | null } {
  if (json.trim() === "") return { input: {}, problem: null };
  const shown = `Received: ${json.slice(0, RAW_SHOWN)}`;
  try {
    const value: unknown = JSON.parse(json, revived);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return { input: value as Record<string, unknown>, problem: null };
    }
    return { input: {}, problem: `The arguments must be one JSON object. ${shown}` };
  } catch (error) {
    return { input: {}, problem: `The arguments are not valid JSON (${messageOf(error)}). ${shown}` };
  }
}
