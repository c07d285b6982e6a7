/** Numbers and names of a text: what a paraphrase keeps. */
export interface HardTokens {
  /** Numbers, versions, dates, durations and ports, with repetition. */
  numbers: string[];
  /** Identifiers, paths, hosts and proper names in their order, lower-cased. */
  names: string[];
  /** Every word and every part of a path, lower-cased: where names of the other text are looked for. */
  words: ReadonlySet<string>;
}

const TOKEN = /[\p{Script=Latin}\p{N}_@$~./][\p{Script=Latin}\p{N}_@$~./:\\+-]*/gu;
const CHINESE_DIGITS = "零一二三四五六七八九十";
const ENGLISH_NUMBERS = "two three four five six seven eight nine ten eleven twelve".split(" ");
/** "One" is mostly a pronoun. */
const ENGLISH_COUNT = new RegExp(`\\b(?:${ENGLISH_NUMBERS.join("|")})\\b`, "gi");
/** A number before what is counted; alone, 一 is an article and 三 may be part of a word. */
const CHINESE_COUNT =
  /([两二三四五六七八九十])(?:个|次|遍|倍|天|周|年|月|小时|分钟|秒|台|份|层|位|条|种|轮|级|路|张|组)/gu;
const CHINESE_DATE = /(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]/gu;
const SENTENCE_START = /(?:^|[.!?:;。！？：；（(\n“"'`*-])\s*$/u;
/** Everybody's own machine is no name. */
const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1", "0.0.0.0"]);

const padded = (part: string) => part.padStart(2, "0");

/** One writing for numbers that are the same: dates by ISO, `two` and `两次` by digits. */
export function evenNumbers(text: string): string {
  return text
    .normalize("NFKC")
    .replace(
      CHINESE_DATE,
      (_, year: string, month: string, day: string) => ` ${year}-${padded(month)}-${padded(day)} `,
    )
    .replace(
      /\b(\d{4})\/(\d{1,2})\/(\d{1,2})\b/g,
      (_, year: string, month: string, day: string) => `${year}-${padded(month)}-${padded(day)}`,
    )
    .replace(
      CHINESE_COUNT,
      (all, digit: string) => ` ${digit === "两" ? 2 : CHINESE_DIGITS.indexOf(digit)} ${all.slice(1)}`,
    )
    .replace(ENGLISH_COUNT, (word) => String(ENGLISH_NUMBERS.indexOf(word.toLowerCase()) + 2))
    .replace(/(\d),(?=\d{3}\b)/g, "$1");
}

const isNumber = (token: string) => /^v?\d+(?:[.:-]\d+)*(?:\.x)?[a-z%]{0,3}$/i.test(token);
/** The number without its unit: `5s`, `5 s` and `5 seconds` are one. */
const bareNumber = (token: string) =>
  token
    .toLowerCase()
    .replace(/^v(?=\d)/, "")
    .replace(/[a-z%]+$/, "")
    .replace(/\.$/, "");

function isCode(token: string): boolean {
  return /[_@/\\$~]|\p{Ll}\p{Lu}|\p{L}\d|\d\p{L}|\w\.\w|\p{Lu}\p{Lu}\p{Ll}/u.test(token);
}

/** A name by its writing: code, or a capital where no sentence starts. */
function isName(token: string, before: string): boolean {
  return isCode(token) || (/^\p{Lu}/u.test(token) && token.length > 1 && !SENTENCE_START.test(before));
}

/** `host:5432` is a host and a number. */
function pieces(token: string): string[] {
  const port = /^(.*[\p{L}\d]):(\d{2,5})$/u.exec(token);
  if (port?.[1] !== undefined && port[2] !== undefined && !isNumber(token)) return [port[1], port[2]];
  const image = /^([a-z][\w/.-]*):(\d[\w.]*)(?:-[a-z]+)?$/.exec(token);
  if (image?.[1] !== undefined && image[2] !== undefined) return [image[1], image[2]];
  return [token];
}

/** What is called after a place: the Chinese word before it is its name, 北京 University. */
const OF_A_PLACE =
  /(?:^|\s)(\p{Script=Han}{2,4})(?=\s+(?:University|College|School|Bank|Hospital|Station|Airport|Office|Branch|Region|Store|Shop|District|City|Province|Center|Centre|Team|Group)\b)/giu;

const placeNames = (text: string) => [...text.matchAll(OF_A_PLACE)].map(([, name]) => name ?? "");

/** Reads what of a text is hard. */
export function hardTokens(given: string): HardTokens {
  const text = evenNumbers(given);
  const numbers: string[] = [];
  const names = placeNames(text);
  const words = new Set<string>(text.match(/\p{Script=Han}{2,4}/gu) ?? []);
  for (const match of text.matchAll(TOKEN)) {
    const whole = match[0].replace(/[.:+/\\-]+$/, (end) => (end.startsWith("/") ? "/" : ""));
    for (const token of pieces(whole)) {
      if (LOCAL_HOSTS.has(token)) continue;
      const lower = token.toLowerCase();
      for (const word of [lower, ...lower.split(/[/\\.\-_:]+/)]) if (word) words.add(word);
      if (isNumber(token)) numbers.push(bareNumber(token));
      else if (isName(token, text.slice(0, match.index))) names.push(lower.replace(/\/$/, ""));
    }
  }
  return { numbers, names, words };
}

/** True when two names can mean one thing: equal, or one is the other's end or beginning by whole parts of the path. */
export function sameName(a: string, b: string): boolean {
  if (a === b) return true;
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  return long.endsWith(`/${short}`) || long.startsWith(`${short}/`) || long.startsWith(`${short}.`);
}
