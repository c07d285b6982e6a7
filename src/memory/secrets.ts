/** A secret in a text: what kind and where, never the secret itself. Lines and columns count from 1. */
export interface FoundSecret {
  kind: string;
  line: number;
  column: number;
}

/** Each begins with letters of its own, so that no text makes it slow. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ["AWS access key", /(?<![A-Z0-9])(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA)[A-Z2-7]{16}(?![A-Z0-9])/g],
  ["GitHub token", /(?<!\w)(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{50,255})/g],
  ["GitLab token", /(?<!\w)gl(?:pat|ptt|rt|dt)-[\w-]{20,64}/g],
  ["Slack token", /(?<!\w)(?:xox[abeprs]|xapp)-[\w-]{10,250}/g],
  ["Slack webhook", /hooks\.slack\.com\/services\/T\w{6,12}\/B\w{6,12}\/\w{20,40}/g],
  ["Stripe key", /(?<!\w)(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,250}/g],
  ["Google key", /(?<!\w)(?:AIza[\w-]{35}|GOCSPX-[\w-]{28})(?![\w-])/g],
  ["Google token", /(?<!\w)ya29\.[\w-]{20,250}/g],
  ["Anthropic key", /(?<!\w)sk-ant-[\w-]{20,250}/g],
  ["OpenAI key", /(?<![\w-])sk-(?!ant-)(?:proj-|svcacct-)?(?=[\w-]{0,60}\d)[A-Za-z0-9_-]{32,250}/g],
  ["npm token", /(?<!\w)npm_[A-Za-z0-9]{36}(?!\w)/g],
  ["PyPI token", /(?<!\w)pypi-AgEI[\w-]{50,250}/g],
  ["SendGrid key", /(?<!\w)SG\.[\w-]{22}\.[\w-]{43}/g],
  ["private key", /-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g],
  ["JSON Web Token", /(?<![\w.])eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000}/g],
];
const ADDRESS = /(?<![\w+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"`]{0,80}:([^\s@/'"`]{3,120})@[\w[]/gi;
const NAMED =
  /(?:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|密码|口令|密钥|令牌)["'`*]{0,2}\s{0,3}(?:[:=：＝]|:=|=>|is|are|was|是|为)\s{0,3}["'`“]?([^\s"'`“”，。；、,;]{6,200})/gi;

/** What stands where a secret would: it says so itself, or is taken from elsewhere. */
const PLACEHOLDER =
  /^[<{[$%(*.]|^(?:x{3,}|\.{3,}|\*{3,}|-+|_+)|example|sample|dummy|change.?me|placeholder|your|todo|redacted|process\.env|os\.environ|getenv|env\[|secrets\.|vault|^(?:test|password|passwd|secret|token|none|null|undefined|true|false)$|\*{3,}|x{4,}|\.{3}$/i;
/** Names of things: UUIDs, our own ids, digests with their algorithm, paths, versions and dates. */
const NAME =
  /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?:EXP|REQ|R|PR)-[\w-]+|sha\d+[:-].+|v?\d+(?:[.:-]\d+)*|[\w.-]*\/[\w./-]*|\d+\w{0,4})$/i;
const LEAST_ENTROPY = 2.7;

/** Finds credentials that must not be kept, since git forgets nothing. Placeholders, ids and digests are none. */
export function findSecrets(text: string): FoundSecret[] {
  const found: { kind: string; at: number }[] = [];
  for (const [kind, pattern] of KINDS)
    for (const match of text.matchAll(pattern))
      if (!/example|xxxx|\*\*\*/i.test(match[0])) found.push({ kind, at: match.index });
  for (const match of text.matchAll(ADDRESS))
    if (!isStandIn(match[1] ?? "")) found.push({ kind: "password in an address", at: match.index });
  for (const match of text.matchAll(NAMED)) {
    const value = match[1] ?? "";
    if (isSecretValue(value))
      found.push({ kind: "password or key", at: match.index + match[0].indexOf(value) });
  }
  const places = found.map(({ kind, at }) => ({ kind, ...placeOf(text, at) }));
  const isFirst = (place: FoundSecret, index: number) =>
    places.findIndex(({ line, column }) => line === place.line && column === place.column) === index;
  return places.sort((a, b) => a.line - b.line || a.column - b.column).filter(isFirst);
}

function isStandIn(value: string): boolean {
  return PLACEHOLDER.test(value) || /^(?:pass|pwd|pw|password|secret|user|postgres|root|admin)$/i.test(value);
}

function isSecretValue(value: string): boolean {
  if (PLACEHOLDER.test(value) || NAME.test(value) || /\(\)?$|[([{]/.test(value)) return false;
  // A word, a constant or a member expression names where the secret is; a secret mixes.
  const isMixed = /[A-Za-z]/.test(value) && /\d|[!@#$%^&*+=?~]/.test(value);
  if (!isMixed || /^[A-Za-z_]+(?:\.[A-Za-z_]+)+$/.test(value)) return false;
  return entropyOf(value) >= (value.length < 8 ? LEAST_ENTROPY - 0.5 : LEAST_ENTROPY);
}

/** Bits a character, after Shannon. */
function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
}
