import { z } from "zod";
import { CompressionOptions } from "../agent/index.js";
import { BudgetOptions } from "../ledger/index.js";
import { PromptOptions } from "../skills/index.js";
import { KnowledgeOptions } from "./knowledge-options.js";
import { ServiceOptions } from "./service-options.js";

/** More than a day is a slip, and a timer cannot hold more than 24 of them. */
const MAX_MINUTES = 24 * 60;

/** How long one agent may work, with these defaults. */
const agentLimits = (turns: number, minutes: number) => ({
  max_turns: z
    .number()
    .int()
    .min(1)
    .default(turns)
    .describe("Model calls of one agent before it has to report."),
  max_minutes: z
    .number()
    .positive()
    .max(MAX_MINUTES)
    .default(minutes)
    .describe("Wall-clock minutes of one agent before it has to report; at most 1440."),
});

const outputTokens = (tokens: number, kind: string) =>
  z.number().int().min(256).default(tokens).describe(`Output tokens of one call that ${kind}.`);

/** How a repository wants its requirements run: the top-level keys of `.github/agent.yml` that this module reads. */
export const RunOptions = z.strictObject({
  mention: z
    .string()
    .regex(/^@[\w-]+$/, "a mention looks like @agent")
    .default("@agent")
    .describe("What people write to call the bot, besides the app's own handle."),
  label: z.string().min(1).max(50).default("agent").describe("The issue label that starts a requirement."),
  language: z
    .enum(["auto", "en", "zh"])
    .default("auto")
    .describe("Language of what the bot writes; auto follows the issue."),
  autonomy: z
    .enum(["confirm", "review", "auto"])
    .default("review")
    .describe(
      "confirm stops after the requirement and after the design until a person approves; review stops at the draft pull request; auto too, and marks it as ready when everything passed. Nothing is ever merged by itself.",
    ),
  base: z
    .string()
    .default("")
    .describe("Branch that work starts from and pull requests go to; empty: the default branch."),
  branch: z
    .string()
    .regex(/\{requirement\}/, "the pattern has to contain {requirement}")
    .default("agent/{requirement}-{slug}")
    .describe("Pattern of a requirement's branch; {requirement} and {slug} are filled in."),
  agent: z
    .strictObject({
      ...agentLimits(15, 5),
      executor: z
        .strictObject(agentLimits(60, 30))
        .prefault({})
        .describe("The same limits for the agent that writes code."),
      investigate: z
        .enum(["auto", "always", "never"])
        .default("auto")
        .describe(
          "Whether pitfalls, reuse and conventions are investigated before a design; auto: where nothing known fits and it is no small change.",
        ),
      parallel_tasks: z
        .number()
        .int()
        .min(1)
        .max(16)
        .default(3)
        .describe(
          "Tasks of a plan that are done at the same time where none needs another, each in a copy of its own.",
        ),
      test_first: z
        .boolean()
        .default(false)
        .describe("Write the tests of a step before its code, as a task of its own."),
      reviewers: z
        .array(z.string().regex(/^[a-z0-9-]+$/, "a name looks like security"))
        .max(8)
        .default(["correctness", "security"])
        .describe(
          "Agents that review a change before it is published: correctness, security, performance, architecture, or your own.",
        ),
      review_from: z
        .number()
        .int()
        .min(0)
        .default(30)
        .describe("Changed lines of code from which on a change is reviewed."),
      retry_limit: z
        .number()
        .int()
        .min(0)
        .max(10)
        .default(3)
        .describe("Failed validations that go back to the executor before a person is asked."),
      max_output_tokens: z
        .strictObject({
          plan: outputTokens(4000, "plans"),
          generate: outputTokens(8000, "writes code or lessons"),
          validate: outputTokens(2000, "judges"),
        })
        .prefault({})
        .describe("Output tokens of one model call, by kind of call."),
      compression: CompressionOptions.prefault({}).describe("How long conversations are kept short."),
      prompts: PromptOptions,
    })
    .prefault({})
    .describe("Limits of the agents."),
  budget: BudgetOptions.prefault({}).describe(
    "What work may cost; at a limit the run pauses before the next model call.",
  ),
  knowledge: KnowledgeOptions.prefault({}).describe(
    "Where knowledge is read, and how what people teach is written down; see knowledge.md.",
  ),
  services: ServiceOptions.describe(
    "Other repositories that a requirement may change and speaks of, by name; see requirements.md and services.md.",
  ),
  context: z
    .strictObject({
      max_context_tokens: z
        .number()
        .int()
        .min(500)
        .default(8000)
        .describe("Tokens of knowledge and code shown to an agent unasked."),
      max_file_tokens: z.number().int().min(100).default(2000).describe("Of one file among them."),
    })
    .prefault({})
    .describe("What agents are shown unasked."),
  permissions: z
    .strictObject({
      trigger: z
        .enum(["write", "maintain", "admin"])
        .default("write")
        .describe("Permission that a person needs to call the bot, checked through the API."),
      allowed_bots: z
        .array(z.string())
        .default([])
        .describe("Logins of bots that may call the bot; nobody else's do."),
    })
    .prefault({})
    .describe("Who may call the bot."),
});

/** See the schema of the same name. */
export type RunOptions = z.infer<typeof RunOptions>;
