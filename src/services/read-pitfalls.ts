import type { Tree } from "../knowledge/index.js";
import { filesLike, linesOf, plain } from "./lines.js";
import { isCode } from "./pick-files.js";
import type { Fact } from "./types.js";

const REMARK = /(?:^|[\s/*#<-])(?<word>FIXME|HACK|XXX)\b[\s:(]*(?<said>.*)$/;
const COMMENT = /\/\/|\/\*|^\s*\*|#|--|<!--/;
const BREAKING = /^[-*#\s]*(?:\*\*)?BREAKING(?: CHANGES?)?\b(?:\*\*)?[\s:]*(?<said>.+)$/i;
const MAX_OF_CHANGELOG = 5;

/** What people wrote down as trouble: FIXME and HACK in comments, and breaking changes of the changelog. */
export function readPitfalls(files: Tree): Fact[] {
  const remarks = [...files]
    .filter(([path]) => isCode(path) || /\.(?:sql|ya?ml|proto)$/i.test(path))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, text]) =>
      linesOf(text).flatMap(({ text: line, number }) => {
        const { word = "", said = "" } = REMARK.exec(line)?.groups ?? {};
        if (word === "" || !COMMENT.test(line.slice(0, line.indexOf(word)))) return [];
        const about = plain(said.replace(/\s*(?:\*\/|-->)\s*$/, ""));
        return about === "" ? [] : [{ text: `${word}: ${about}`, pointer: `${path}:${number}` }];
      }),
    );
  const changes = filesLike(files, /^changelog(?:\.[\w-]+)*$/i).flatMap(([path, text]) =>
    linesOf(text).flatMap(({ text: line, number }) => {
      const said = BREAKING.exec(line)?.groups?.["said"];
      return said ? [{ text: `BREAKING: ${plain(said)}`, pointer: `${path}:${number}` }] : [];
    }),
  );
  return [...remarks, ...changes.slice(0, MAX_OF_CHANGELOG)];
}
