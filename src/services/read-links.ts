import type { Tree } from "../knowledge/index.js";
import { filesLike, linesOf, plain } from "./lines.js";
import { isCode } from "./pick-files.js";
import { variables } from "./read-configuration.js";
import type { Fact } from "./types.js";

/** Another service that is known by its document or by the configuration. */
export interface KnownService {
  name: string;
  /** Its document; empty when there is none. */
  document: string;
  /** Path of that document. */
  path: string;
}

/** Variables that say where another service is, and no store. */
const ADDRESS =
  /^(?!(?:\w*_)?(?:DATABASE|DB|POSTGRES|PG|MYSQL|MONGO|MONGODB|REDIS|KAFKA|AMQP|RABBITMQ|SENTRY|ELASTIC\w*|S3)_)(?<name>[A-Z][A-Z0-9_]*?)_(?:BASE_)?(?:URL|URI|HOST|ADDR|ADDRESS|ENDPOINT)$/;
const MANIFEST =
  /^(?:package\.json|pyproject\.toml|requirements\.txt|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?)$/;
const WIRING =
  /(?:^|\/)(?:(?:docker-)?compose\.ya?ml|\.env\.(?:example|sample))$|^(?:config|conf|src\/main\/resources)\//;
/** The service is where it listens itself. */
const OWN = /^(?:PUBLIC|BASE|APP|SERVER|SERVICE|SELF|LISTEN|BIND|HTTP|API|ROOT)$/;

/** Which services this one calls (→), and which known ones say that they call it (←). */
export function readLinks(service: string, files: Tree, known: readonly KnownService[]): Fact[] {
  const others = known.filter(({ name }) => name !== service);
  const named = others.flatMap(({ name }) => firstNaming(files, name) ?? []);
  const isNamed = (text: string) => others.some(({ name }) => namePattern(name).test(text));
  const addresses = variables(files).flatMap(({ text, pointer }) => {
    const about = ADDRESS.exec(text)?.groups?.["name"];
    return about === undefined || OWN.test(about) || isNamed(text) ? [] : [{ text: `→ ${text}`, pointer }];
  });
  const callers = others.flatMap(({ name, document, path }) => {
    const isCaller = linesOf(document).some(
      ({ text }) => text.startsWith("- → ") && namePattern(service).test(text),
    );
    return isCaller ? [{ text: `← ${name}`, pointer: path }] : [];
  });
  return [...named, ...packages(files), ...addresses, ...callers];
}

/** Where the files of a service first name another one: its client, its address, its package. */
function firstNaming(files: Tree, name: string): Fact | null {
  const pattern = namePattern(name);
  const beginning = (/^[\p{L}\p{N}]+/u.exec(name)?.[0] ?? "").toLowerCase();
  const wired = filesLike(files, WIRING);
  const declared = filesLike(files, MANIFEST);
  const code = [...files].filter(([path]) => isCode(path)).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [path, text] of [...wired, ...declared, ...code]) {
    // Looked for first: of many services a file names few.
    if (!text.toLowerCase().includes(beginning) || !pattern.test(text)) continue;
    const line = linesOf(text).find((candidate) => pattern.test(candidate.text));
    if (line) return { text: `→ ${name}`, pointer: `${path}:${line.number}` };
  }
  return null;
}

/**
 * `wallet-service`, `wallet_service`, `WALLET_SERVICE_URL`, `walletServiceClient`: the whole name, however it is joined. A name of one
 * word is one of many words of code: it counts as an address, a package or a client only.
 */
function namePattern(name: string): RegExp {
  const words = name.split(/[-_.\s]+/).map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, "."));
  const [only = ""] = words;
  if (words.length > 1)
    return new RegExp(
      String.raw`(?<![\p{L}\p{N}])${words.join("[-_. ]?")}(?:Client|Stub|Api|Url)?(?![\p{L}\p{N}])`,
      "iu",
    );
  const role = String.raw`[-_]?(?:client|service|svc|api|url|uri|host|addr|endpoint|base_url)`;
  return new RegExp(
    String.raw`(?<![\p{L}\p{N}])${only}${role}(?![\p{L}\p{N}])|//${only}[:/"'.]|@[\w-]+/${only}(?![\w-])|\.\w+/[\w.-]+/${only}(?![\w-])|→ ${only}$`,
    "imu",
  );
}

/** Packages of the same owner: a client of another service, or what several share. */
function packages(files: Tree): Fact[] {
  return filesLike(files, /^(?:package\.json|go\.mod)$/).flatMap(([path, text]) => {
    const isGo = path === "go.mod";
    const own = (isGo ? /^module\s+(\S+)/m : /"name"\s*:\s*"(@[^"/]+\/[^"]+)"/).exec(text)?.[1] ?? "";
    const scope = isGo ? /^[^/]+\.[^/]+\/[^/]+\//.exec(own)?.[0] : /^@[^/]+\//.exec(own)?.[0];
    if (!scope) return [];
    return linesOf(text).flatMap((line) => {
      const other =
        (isGo ? /^\s*(?:require\s+)?(\S+)\s+v\d/ : /^\s*"(@[^"]+)"\s*:\s*"/).exec(line.text)?.[1] ?? "";
      if (!other.startsWith(scope) || other === own) return [];
      return [{ text: `→ ${plain(other)}`, pointer: `${path}:${line.number}` }];
    });
  });
}
