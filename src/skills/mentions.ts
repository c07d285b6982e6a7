import { spokenPart } from "../shared/index.js";
import {
  type AttachedFile,
  type Attachments,
  type AttachmentLimits,
  type WorkspaceTexts,
  createAttachments,
} from "./attachments.js";
import { workspacePath } from "./workspace-path.js";

/** Mentions of one text that are looked at. */
const MAX_MENTIONS = 50;
const MAX_READINGS = 10;
/**
 * `@` and a path: not after a letter, digit or sign that makes it an e-mail address or a part of a longer word. Full-width
 * punctuation ends a path; quotes hold one with spaces.
 */
const MENTION =
  /(?<![A-Za-z0-9.%+/@-]|[\w.%+-]_)@(?:"(?<double>[^"\n]{1,400})"|'(?<single>[^'\n]{1,400})'|(?<bare>(?:\\ |[^\s\\"'`<>|，。；：！？、（）【】《》「」“”‘’…]){1,400}))/gu;
const SENTENCE_END = /[.,;:!?)\]}*_~]$/u;
/** `:12`, `:12-20`, `#L12`: a place within the file. */
const PLACE = /(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?)$/u;
/** A name's ending with Chinese, Japanese or Korean words right behind it. */
const ENDING_THEN_WORDS = /\.[A-Za-z0-9]{1,10}(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])/gu;

/** What a text's mentions bring in. The text itself stays as it is. */
export interface Mentions {
  files: AttachedFile[];
  /** What was cut or left out, one sentence each. */
  notices: string[];
}

/**
 * Reads the files and folders that a person's text names as `@path`: existing ones of the workspace only, never guessed. Code,
 * quotes, e-mail addresses, `@person` and `@scope/package` stay text.
 */
export async function expandMentions(
  text: string,
  texts: WorkspaceTexts,
  limits: AttachmentLimits,
  signal: AbortSignal,
): Promise<Mentions> {
  const attachments = createAttachments(texts, limits);
  const found = [...spokenPart(text).matchAll(MENTION)].slice(0, MAX_MENTIONS);
  for (const { groups = {} } of found) {
    const quoted = groups["double"] ?? groups["single"];
    for (const written of quoted === undefined ? readings(groups["bare"] ?? "") : [quoted]) {
      signal.throwIfAborted();
      if (await attach(written, texts, attachments)) break;
    }
  }
  return { files: attachments.files, notices: attachments.notices };
}

/** What a mention without quotes may mean, longest first: whole, without the end of the sentence, without the words behind it. */
function readings(bare: string): string[] {
  const written = bare.replaceAll("\\ ", " ");
  const all = [written];
  for (let rest = written; SENTENCE_END.test(rest) || PLACE.test(rest);) {
    rest = PLACE.test(rest) ? rest.replace(PLACE, "") : rest.slice(0, -1);
    all.push(rest);
  }
  const endings = [...written.matchAll(ENDING_THEN_WORDS)].map(({ 0: { length }, index }) => index + length);
  const behind = endings.toReversed().map((end) => written.slice(0, end));
  return [...all.slice(0, MAX_READINGS), ...behind.slice(0, MAX_READINGS)];
}

async function attach(written: string, texts: WorkspaceTexts, to: Attachments): Promise<boolean> {
  const path = workspacePath(written);
  if (path === null) return false;
  if (!path.endsWith("/") && (await texts.isFile(path))) {
    await to.addFile(path);
    return true;
  }
  // `@docs` may be a person's name, `@docs/` is none.
  return path.includes("/") && to.addFolder(path.replace(/\/$/, ""));
}
