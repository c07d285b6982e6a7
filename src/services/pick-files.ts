import { isTestPath, pathToSkip } from "../codemap/index.js";
import { isManifest } from "../knowledge/index.js";

const MAX_FILES = 3000;
const MAX_AVERAGE_LINE = 500;
/** Code whose routes, entities and notes are looked for. */
const CODE = /\.(?:[cm]?[jt]sx?|py|go|java|kt|rs|cs|php|rb)$/i;
/** What says something without being code, the most telling first. */
const TELLING: readonly RegExp[] = [
  /^(?:readme|changelog|codeowners)(?:\.[\w-]+)*$/i,
  /^(?:\.github|docs)\/codeowners$/i,
  /(?:^|\/)(?:[\w.-]*(?:openapi|swagger)[\w.-]*)\.(?:ya?ml|json)$/i,
  /\.proto$/i,
  /\.(?:sql|prisma)$/i,
  /(?:^|\/)\.env\.(?:example|sample)$/,
  /^(?:config|conf|etc|src\/main\/resources)\/[\w.-]+\.(?:ya?ml|json|toml|properties|ini)$/i,
  /^(?:application|config|settings)[\w.-]*\.(?:ya?ml|json|toml|properties|ini)$/i,
  /(?:^|\/)(?:api|apis|spec|specs)\/[\w./-]+\.(?:ya?ml|json)$/i,
];

/** The files of a service that are worth reading, by their paths: what speaks first, then code; no tests, nothing generated. */
export function pickFiles(paths: readonly string[]): string[] {
  const rank = (path: string): number => {
    if (isManifest(path)) return 0;
    const telling = TELLING.findIndex((pattern) => pattern.test(path));
    return telling >= 0 ? telling + 1 : CODE.test(path) ? TELLING.length + 1 : -1;
  };
  return paths
    .filter((path) => !isTestPath(path) && pathToSkip(path) === null)
    .map((path) => ({ path, rank: rank(path) }))
    .filter((candidate) => candidate.rank >= 0)
    .sort((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_FILES)
    .map(({ path }) => path);
}

/** True for a text that somebody wrote: code on few, very long lines was made by a machine. */
export function isWritten(path: string, text: string): boolean {
  return !isCode(path) || text.length / text.split("\n").length <= MAX_AVERAGE_LINE;
}

/** True for a file of code. */
export function isCode(path: string): boolean {
  return CODE.test(path);
}
