import {
  type Check,
  type Command,
  type Failure,
  type QueryRule,
  detectLint,
  ruleCommand,
  rulesIn,
} from "../../validator/index.js";
import type { Run } from "../types.js";

const CONFIGURATION = ".github/agent.yml";
const PLACE = /(?<path>[\w./@+-]+\.\w+):(?<line>\d+)/;
const PLACE_AT_START = new RegExp(String.raw`^\s*${PLACE.source}[:\s]*`);

/** What has to be run to see the rules that were written, or in a sentence why there are none. */
export async function rulesWritten(
  { workspace, settings }: Pick<Run, "workspace" | "settings">,
  written: readonly string[],
  from: string,
): Promise<{ commands: Command[]; rules: QueryRule[] } | string> {
  const { files, mirror } = workspace;
  const now = rulesIn((await files.read(CONFIGURATION))?.toString("utf8") ?? "");
  if (typeof now === "string") return now;
  const before = rulesIn((await mirror.readFiles(from, [CONFIGURATION])).get(CONFIGURATION) ?? "");
  const known = new Set((typeof before === "string" ? [] : before).map((rule) => JSON.stringify(rule)));
  const own = now.filter((rule) => !known.has(JSON.stringify(rule)));
  const rules = own.filter((rule) => "query" in rule);
  const commands = own.flatMap((rule) => ("command" in rule ? [ruleCommand(rule.name, rule.command)] : []));
  const isOfLinter = written.some((path) => path !== CONFIGURATION);
  const linter = isOfLinter ? await detectLint(files, settings.validate) : null;
  if (linter) commands.push(linter);
  if (rules.length + commands.length > 0) return { commands, rules };
  return isOfLinter ? "the repository has no linter that could run it" : "";
}

/** What a check finds in the code that the pull request changes. Output that nobody parses still names places. */
export function findingsIn(check: Check, sources: readonly string[]): Failure[] {
  if (check.outcome !== "failed") return [];
  const isOfChange = ({ path }: Failure) => path !== null && sources.includes(path);
  if (check.failures.length > 0) return check.failures.filter(isOfChange);
  return check.output.split("\n").flatMap((text): Failure[] => {
    const { path = "", line } = PLACE.exec(text)?.groups ?? {};
    const named = sources.find((source) => path === source || path.endsWith(`/${source}`));
    if (named === undefined) return [];
    return [
      {
        title: check.name,
        path: named,
        line: Number(line),
        message: text.replace(PLACE_AT_START, "").trim(),
      },
    ];
  });
}
