import { z } from "zod";
import { messageOf } from "../shared/index.js";
import type { Question } from "./ask-chain.js";
import type { Block, ModelAnswer, ModelRequest, ModelTurn } from "./types.js";

const MAX_TRIES = 2;
const FENCED = /^```(?:json)?\s*(?<json>[\s\S]*?)\s*```$/u;

type Fitted<Output> = { output: Output; problem: null } | { output: null; problem: string };

function textOf(content: readonly Block[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** Reads a text as JSON that a schema accepts. */
function fit<Output>(schema: z.ZodType<Output>, text: string): Fitted<Output> {
  const json = FENCED.exec(text.trim())?.groups?.["json"] ?? text;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { output: null, problem: `It is not valid JSON: ${messageOf(error)}` };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { output: parsed.data, problem: null };
  return { output: null, problem: z.prettifyError(parsed.error) };
}

function fitTurn<Output>(
  schema: z.ZodType<Output>,
  { stopReason, content }: Pick<ModelTurn, "stopReason" | "content">,
): Fitted<Output> {
  if (stopReason === "refusal") return { output: null, problem: "The model refused to answer." };
  const fitted = fit(schema, textOf(content));
  if (fitted.problem === null || stopReason !== "max_tokens") return fitted;
  return { output: null, problem: `It was cut off at the limit of output tokens. ${fitted.problem}` };
}

type Spent = Pick<ModelTurn, "usage" | "costNanoUsd">;

function sum(a: Spent, b: Spent): Spent {
  return {
    usage: {
      input: a.usage.input + b.usage.input,
      cacheRead: a.usage.cacheRead + b.usage.cacheRead,
      cacheWrite: a.usage.cacheWrite + b.usage.cacheWrite,
      output: a.usage.output + b.usage.output,
    },
    costNanoUsd: a.costNanoUsd === null || b.costNanoUsd === null ? null : a.costNanoUsd + b.costNanoUsd,
  };
}

/** Asks for an answer that fits; one that does not is shown its problems and may be given once more. */
export async function answerFitting<Output>(
  ask: (question: Question) => Promise<ModelTurn>,
  first: ModelRequest,
  schema: z.ZodType<Output>,
  misfit: (problem: string) => string,
): Promise<ModelAnswer<Output>> {
  const isUsable: Question["isUsable"] = (reply) => fitTurn(schema, reply).problem === null;
  let request = first;
  let spent: Spent | null = null;
  for (let tries = 1; ; tries++) {
    const turn = await ask({ request, schema, isUsable });
    const { content, model, stopReason } = turn;
    spent = spent === null ? turn : sum(spent, turn);
    const { usage, costNanoUsd } = spent;
    const fitted = fitTurn(schema, turn);
    if (fitted.problem === null || stopReason === "refusal" || tries === MAX_TRIES) {
      return { ...fitted, stopReason, model, usage, costNanoUsd };
    }
    const shown = content.filter(({ type }) => type === "text");
    const note: Block = { type: "text", text: misfit(fitted.problem) };
    request = {
      ...request,
      messages: [
        ...request.messages,
        ...(shown.length > 0 ? [{ role: "assistant" as const, content: shown, model }] : []),
        { role: "user", content: [note] },
      ],
    };
  }
}
