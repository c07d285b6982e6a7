import { z } from "zod";

/** Something that must not be in the code, as a tree-sitter query: each match is a finding. */
export const QueryRule = z.strictObject({
  name: z.string().min(1).max(100),
  /** A language of the code map. */
  language: z.string().min(1),
  /** What is captured as `@finding` is the place; without such a capture the first one is. */
  query: z.string().min(1),
  /** Findings that this query captures too are none: what excuses them. */
  unless: z.string().default(""),
  message: z.string().min(1).max(500),
  only: z.enum(["changed", "all"]).default("changed"),
});
/** See the schema of the same name. */
export type QueryRule = z.infer<typeof QueryRule>;

/** A command of the repository's own that has to end well. */
export const CommandRule = z.strictObject({
  name: z.string().min(1).max(100),
  command: z.string().min(1),
});

/** `validate:` of `.github/agent.yml`. */
export const ValidateConfig = z.strictObject({
  commands: z
    .record(z.enum(["tests", "types"]), z.string())
    .or(z.record(z.string(), z.string()))
    .default({})
    .describe(
      "Commands that replace what is detected, by name: tests, types, or a name of your own. An empty text switches one off.",
    ),
  custom: z
    .array(CommandRule.or(QueryRule))
    .default([])
    .describe("Rules of your own, run last: commands, and queries whose matches are findings."),
});

/** See the schema of the same name. */
export type ValidateConfig = z.infer<typeof ValidateConfig>;

/** The rules of your own that are queries. */
export function queryRules({ custom }: ValidateConfig): QueryRule[] {
  return custom.filter((rule) => "query" in rule);
}
