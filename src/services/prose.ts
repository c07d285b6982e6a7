import { z } from "zod";
import { findSecrets } from "../memory/index.js";
import { plain } from "./lines.js";
import { fileOf, isPointerThere } from "./pointers.js";

const MAX_LINES = 3;
const MAX_LINE = 240;
const MAX_POINTERS = 3;

const Said = z
  .array(
    z.object({
      text: z.string().min(1).max(400).describe("One sentence; no code, no parameters, no fields."),
      pointers: z
        .array(z.string().max(200))
        .max(8)
        .describe("Where it can be checked: `file#symbol` or `file:line`, relative to the service."),
    }),
  )
  .max(8)
  .default([]);

/** What a model may say about a service: whole sentences with pointers. */
export const ServiceProse = z.object({
  position: Said.describe("What it is for, and what it is not; at most three lines."),
  duties: Said.describe("What it answers for; at most three lines."),
  pitfalls: Said.describe("What goes wrong when it is changed, as its code shows; at most three lines."),
});

/** See the schema of the same name. */
export type ServiceProse = z.infer<typeof ServiceProse>;

/** A sentence and where it can be checked. */
export interface ProseLine {
  text: string;
  pointers: string[];
}

/** Parts of a document that prose is written for. */
export const PROSE_PARTS = ["position", "duties", "pitfalls"] as const;

/** What is left of a model's words when they were checked. */
export type CheckedProse = Record<(typeof PROSE_PARTS)[number], ProseLine[]>;

/** Code that was copied: a fence, a body, a declaration, a list of parameters with their types. */
const COPIED =
  /```|~~~|[{[][^{}[\]]*[:=;,][^{}[\]]*[}\]]|;\s*$|=>|\b(?:func|def|fn|function|struct|interface|class)\s+\w+\s*[({]|\(\s*\w+\s*:\s*\w|\(\s*(?:\w+\s+\w+\s*,\s*)+\w+\s+\w+\s*\)|\b(?:string|int|bool|float|varchar)\w*\s*[,;)]/i;

/** Files that a model's words point to, so that they can be looked up. */
export function citedFiles(prose: ServiceProse): string[] {
  return [
    ...new Set(
      PROSE_PARTS.flatMap((part) => prose[part].flatMap(({ pointers }) => pointers.map(clean).map(fileOf))),
    ),
  ];
}

/**
 * Checks a model's words: null when code was copied into them, for then nothing of them is taken. Pointers that lead nowhere are
 * dropped, and lines that are left without one.
 */
export function checkProse(
  prose: ServiceProse,
  textOf: (path: string) => string | undefined,
): { prose: CheckedProse | null; dropped: string[] } {
  const dropped: string[] = [];
  const checked: CheckedProse = { position: [], duties: [], pitfalls: [] };
  for (const part of PROSE_PARTS)
    for (const { text, pointers } of prose[part]) {
      if (COPIED.test(text) || text.split("\n").length > 2) return { prose: null, dropped: [] };
      const there = pointers.map(clean).filter((pointer) => {
        const isThere = isPointerThere(pointer, textOf);
        if (!isThere) dropped.push(pointer);
        return isThere;
      });
      if (there.length > 0 && findSecrets(text).length === 0 && checked[part].length < MAX_LINES)
        checked[part].push({ text: plain(text, MAX_LINE), pointers: there.slice(0, MAX_POINTERS) });
    }
  return { prose: checked, dropped: [...new Set(dropped)] };
}

function clean(pointer: string): string {
  return pointer
    .trim()
    .replaceAll(/^[`<]+|[`>]+$/g, "")
    .replace(/^\.\//, "");
}
