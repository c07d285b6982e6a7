import { z } from "zod";
import { AccrueError, messageOf } from "../../shared/index.js";

const Text = z.string().min(1);
const Texts = z.union([Text.transform((text) => [text]), z.array(Text).min(1)]);

const Pattern = Text.transform((source, issues) => {
  try {
    return new RegExp(source, "mu");
  } catch (error) {
    issues.addIssue({ code: "custom", message: messageOf(error) });
    return z.NEVER;
  }
});

/** What a request must look like. All given conditions must hold; of a list of texts, each one. */
const Match = z.strictObject({
  model: Text.optional(),
  tools: Texts.optional(),
  systemContains: Texts.optional(),
  /** The task is the first user message. */
  taskContains: Texts.optional(),
  taskNotContains: Texts.optional(),
  taskMatches: Pattern.optional(),
  /** Seen is all that the model was shown: system prompt, task, tool results and notes, never its own words. */
  seen: Texts.optional(),
  notSeen: Texts.optional(),
  seenMatches: Pattern.optional(),
});
/** {@link Match} as parsed. */
export type Match = z.output<typeof Match>;

const Call = z.strictObject({
  tool: Text,
  input: z.record(z.string(), z.unknown()).default({}),
  /** Sent instead of `input` as it stands, to play a model that writes broken JSON. */
  raw: z.string().optional(),
});

const Step = z
  .strictObject({
    when: Match.optional(),
    think: Text.optional(),
    say: Text.optional(),
    call: z.array(Call).min(1).optional(),
    /** Default: `tool_use` with calls, else `end_turn`. */
    stop: Text.optional(),
    /** A step is played once; a repeated one as long as its `when` holds. */
    repeat: z.boolean().default(false),
  })
  .refine((step) => step.say !== undefined || step.call !== undefined || step.stop !== undefined, {
    error: "a turn needs at least one of say, call and stop",
  });
/** One answer of a scenario. */
export type Step = z.output<typeof Step>;

const Scenario = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/, "use a-z, 0-9 and -"),
  when: Match,
  turns: z.array(Step).min(1),
});
/** What the scripted model answers to one kind of conversation. */
export type Scenario = z.output<typeof Scenario>;

const Scenarios = z
  .array(Scenario)
  .min(1)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
    error: "two scenarios have the same name",
  });

/** Reads scenarios from JSON text: a list, in the order in which they are tried. */
export function parseScenarios(json: string): Scenario[] {
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch (cause) {
    throw new AccrueError(
      "INPUT_INVALID",
      `The scenarios are not JSON: ${messageOf(cause)}. Correct the file.`,
      {
        cause,
      },
    );
  }
  const parsed = Scenarios.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw new AccrueError(
    "INPUT_INVALID",
    `The scenarios are wrong:\n${z.prettifyError(parsed.error)}\nCorrect these keys.`,
  );
}
