import { AccrueError } from "../../shared/index.js";

/** What the description of the tool promises, and no more, so that all programs find the same. */
export function unsupported(what: string): AccrueError {
  return new AccrueError(
    "INPUT_INVALID",
    `The pattern cannot be used: ${what}. There are . [] () | * + ? {2,3} ^ $ \\b \\w \\d \\s and (?i) at the start; \\ takes the meaning from a character, literal: true from all.`,
  );
}
