import { linesOf } from "./lines.js";

const POINTER = /^(?<path>[^#:`\s]+)(?:#(?<symbol>[\w$.~-]+)|:(?<line>\d+)(?:-\d+)?)?$/;

/** The file of a pointer. */
export function fileOf(pointer: string): string {
  return POINTER.exec(pointer)?.groups?.["path"] ?? pointer;
}

/** Whether a pointer leads to something: the file is there, and has the symbol or the line. */
export function isPointerThere(pointer: string, textOf: (path: string) => string | undefined): boolean {
  const { path = "", symbol, line } = POINTER.exec(pointer)?.groups ?? {};
  const text = textOf(path);
  if (text === undefined) return false;
  if (line !== undefined) return Number(line) >= 1 && Number(line) <= linesOf(text).length;
  const name = symbol?.replace(/~\d+$/, "").split(".").at(-1);
  return (
    name === undefined ||
    new RegExp(String.raw`(?<![\w$])${name.replaceAll("$", String.raw`\$`)}(?![\w$])`).test(text)
  );
}
