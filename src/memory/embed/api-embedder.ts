import { z } from "zod";
import { AccrueError, messageOf } from "../../shared/index.js";
import type { Embedder } from "../types.js";
import { toUnit } from "./vectors.js";

/** Texts in one request: what all known servers take. */
const BATCH = 64;
const PROBE = "How wide are your vectors?";
const CHARS_SHOWN = 300;

/** Where an OpenAI-compatible server answers, and as whom to ask it. */
export interface ApiEmbedderOptions {
  /** Up to and with the version: `https://api.openai.com/v1`, `http://localhost:11434/v1`. */
  baseUrl: string;
  model: string;
  /** Empty for a server that wants none. */
  key: string;
  fetch: typeof fetch;
  /** Of the model, where they were measured; the default merges only what is nearly the same. */
  thresholds?: Embedder["thresholds"];
}

const Answer = z.object({
  data: z.array(z.object({ index: z.int().nonnegative().optional(), embedding: z.array(z.number()) })),
});

function failed(
  where: string,
  what: string,
  options: { retryable?: boolean; cause?: unknown } = {},
): AccrueError {
  return new AccrueError("EMBEDDER_FAILED", `The embedding server at ${where} ${what}`, options);
}

async function post(
  options: ApiEmbedderOptions,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const where = `${options.baseUrl.replace(/\/+$/, "")}/embeddings`;
  const request = {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(options.key ? { authorization: `Bearer ${options.key}` } : {}),
    },
    body: JSON.stringify({ model: options.model, input: texts, encoding_format: "float" }),
    signal,
  };
  const answer = await options.fetch(where, request).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw failed(where, `cannot be reached: ${messageOf(error)}. Check the address.`, {
      retryable: true,
      cause: error,
    });
  });
  const body = await answer.text();
  if (answer.ok) return body;
  const isLater = answer.status === 408 || answer.status === 429 || answer.status >= 500;
  const advice = isLater ? "Try again later." : "Check key, address and model.";
  throw failed(where, `answered ${answer.status}: ${body.slice(0, CHARS_SHOWN)}. ${advice}`, {
    retryable: isLater,
  });
}

function vectorsIn(body: string, options: ApiEmbedderOptions, wanted: number): Float32Array[] {
  const wrong = (why: string, cause?: unknown) =>
    failed(
      options.baseUrl,
      `gave ${why} for model ${options.model}. Check that the model makes embeddings.`,
      { cause },
    );
  let answer: z.infer<typeof Answer>;
  try {
    answer = Answer.parse(JSON.parse(body));
  } catch (error) {
    throw wrong(`no embeddings (${body.slice(0, CHARS_SHOWN)})`, error);
  }
  if (answer.data.length !== wanted) throw wrong(`${answer.data.length} vectors for ${wanted} texts`);
  const rows = answer.data.map((row, place) => ({ at: row.index ?? place, embedding: row.embedding }));
  rows.sort((a, b) => a.at - b.at);
  if (rows.some((row, place) => row.at !== place)) throw wrong("vectors numbered twice or not at all");
  if (rows.some((row) => row.embedding.length === 0)) throw wrong("an empty vector");
  return rows.map((row) => toUnit(Float32Array.from(row.embedding)));
}

/** Makes vectors on an OpenAI-compatible server; asks it once at the start how wide they are. Retries are the caller's. */
export async function createApiEmbedder(options: ApiEmbedderOptions, signal: AbortSignal): Promise<Embedder> {
  const ask = async (texts: readonly string[], signal: AbortSignal) =>
    vectorsIn(await post(options, texts, signal), options, texts.length);
  const [probe] = await ask([PROBE], signal);
  const width = probe?.length ?? 0;
  return {
    id: `${options.model}@${new URL(options.baseUrl).host}/${width}`,
    width,
    thresholds: options.thresholds ?? { same: 0.92, related: 0.75 },
    async embed(texts, signal) {
      const out: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += BATCH)
        out.push(...(await ask(texts.slice(at, at + BATCH), signal)));
      const other = out.find((vector) => vector.length !== width);
      if (other !== undefined)
        throw failed(
          options.baseUrl,
          `now makes vectors of ${other.length} numbers where it made ${width}. Start again.`,
        );
      return out;
    },
  };
}
