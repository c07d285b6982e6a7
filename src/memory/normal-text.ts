import { sha256 } from "../shared/index.js";

/** A text without what does not change its meaning: width, case, blanks, marks around code, the stop at its end. */
export function normalText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[`*"'“”‘’]/g, "")
    .replace(/\s+/g, " ")
    .replace(/ (?:(?<=[\p{Script=Han}，。；：、,;:] )|(?=\p{Script=Han}))/gu, "")
    .replace(/[\s.。!！;；,，]+$/u, "")
    .trim();
}

/** Tells whether two texts say word for word the same. */
export function normalHash(text: string): string {
  return sha256(normalText(text));
}

/** An id as it is compared: file systems and people do not keep its case. */
export function foldedId(id: string): string {
  return id.normalize("NFKC").toUpperCase();
}
