import { parse } from "yaml";
import type { z } from "zod";
import { closest, messageOf } from "../shared/index.js";
import { invalid } from "./problems.js";

const FENCED = /^---[ \t]*\n(?<yaml>(?:[^\n]*\n)*?)---[ \t]*(?:\n|$)/u;
/** A value on one line that YAML cannot read as it stands, such as `Use when: asked`. */
const UNQUOTED = /^(?<key>[A-Za-z_][\w-]*):[ \t]+(?<value>[^\s"'[{|>&*!#][^\n]*)$/gmu;

/** A Markdown file's head between `---` lines, and the text below it. */
export interface Headed {
  /** Null where there is no head. */
  head: Record<string, unknown> | null;
  body: string;
}

/** Splits a file with plain line ends. Values with a colon may stand without quotes, as people write them. */
export function splitFrontmatter(text: string, file: string): Headed {
  const found = FENCED.exec(text);
  if (found === null) return { head: null, body: text.trim() };
  const head = parseHead(found.groups?.["yaml"] ?? "", file);
  return { head, body: text.slice(found[0].length).trim() };
}

function parseHead(yaml: string, file: string): Record<string, unknown> {
  const value = parseYaml(yaml, file) ?? {};
  if (typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalid(file, "the frontmatter has to be a list of keys, such as `name: reviewer`.");
}

function parseYaml(yaml: string, file: string): unknown {
  // Names that stand for other parts can fill the memory, and nothing here needs them.
  const options = { maxAliasCount: 0, logLevel: "error" } as const;
  try {
    return parse(yaml, options);
  } catch (cause) {
    const quoted = yaml.replace(UNQUOTED, (line, key: string, value: string) =>
      /:(?:\s|$)|^[@`%]/.test(value) ? `${key}: ${JSON.stringify(value.trim())}` : line,
    );
    try {
      if (quoted !== yaml) return parse(quoted, options);
    } catch {
      // The first error speaks of what the person wrote.
    }
    const [reason = ""] = messageOf(cause).split("\n");
    // The head begins in the file's second line.
    const there = reason
      .replace(/:$/, "")
      .replace(/at line (\d+)/, (_, line) => `at line ${Number(line) + 1}`);
    const message = `the frontmatter is not valid YAML: ${there}. Text with signs such as : or # goes into double quotes.`;
    throw invalid(file, message, cause);
  }
}

/** The head as the schema wants it; an unknown key comes with the one that was probably meant. */
export function checkHead<Schema extends z.ZodObject>(
  schema: Schema,
  head: Record<string, unknown>,
  file: string,
): z.output<Schema> {
  const parsed = schema.safeParse(head);
  if (parsed.success) return parsed.data;
  const known = Object.keys(schema.shape);
  const lines = parsed.error.issues.flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") return [`${issue.path.join(".")}: ${issue.message}`];
    return issue.keys.map((key) => {
      const meant = closest(key, known);
      return `${key} is no key here; ${meant ? `did you mean ${meant}?` : `known: ${known.join(", ")}`}`;
    });
  });
  throw invalid(file, `correct the frontmatter: ${lines.join("; ")}`);
}
