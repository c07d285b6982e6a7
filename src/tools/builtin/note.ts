import { z } from "zod";
import { defineTool } from "../define-tool.js";
import { addToHandOver, HAND_OVER_SECTIONS } from "../hand-over.js";

const MAX_NOTE_CHARS = 2_000;

/** Keeps what must not be lost when the history is shortened or the work goes on elsewhere. */
export const noteTool = defineTool({
  name: "note",
  description:
    "Keeps one fact that must outlive this conversation, such as why something was decided or what does not work. Not for progress: that is todo.",
  kind: "write",
  input: z.strictObject({
    section: z.enum(HAND_OVER_SECTIONS),
    text: z.string().trim().min(1).max(MAX_NOTE_CHARS).describe("Short, with paths and names"),
  }),
  async run(note, context) {
    await addToHandOver(context, note);
    return "Noted.";
  },
});
