import { z } from "zod";

/** A folder of the repository: nothing that leads out of it, and not the whole. */
const FOLDER = /^(?![/~])(?!(?:.*\/)?\.{1,2}(?:\/|$))[^\\:*?\0]+$/;

/** What is known from where, and how what people teach is written down. */
export const KnowledgeOptions = z.strictObject({
  roots: z
    .array(z.string().regex(FOLDER, "a root is a folder of this repository, such as docs/solutions"))
    .default(["context"])
    .describe(
      "Folders with notes, such as docs/solutions. Those besides context, which always counts, are read and never written.",
    ),
  repository: z
    .string()
    .regex(/^(?:|[^\s\0]+)$/, "name one repository as owner/name")
    .default("")
    .describe(
      "A repository whose context/ several share, as owner/name; for the command line a folder. Runs read it beside their own, and what people teach and runs learn goes there; see knowledge.md.",
    ),
  deposit: z
    .enum(["pr-branch", "pull-request"])
    .default("pr-branch")
    .describe(
      "Where what people teach on a pull request of the bot goes: its branch, or as from an issue the one standing pull request for knowledge. With knowledge.repository all of it goes to the one there.",
    ),
  depositor: z
    .enum(["model", "rules"])
    .default("model")
    .describe(
      "Who turns what a person says into lessons: model asks one, and where it fails or the budget is used up rules do it; rules asks none.",
    ),
});
