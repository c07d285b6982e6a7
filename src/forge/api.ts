import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isAccrueError, messageOf } from "../shared/index.js";
import { authenticate } from "./auth.js";
import { planGraphql } from "./graphql.js";
import type { Hub } from "./hub.js";
import { findRepository, inTurn } from "./lookup.js";
import type { ExchangeLog } from "./log.js";
import { notFound, Refusal } from "./refusal.js";
import { createRouter, parseJson, type Answer, type Call, type Plan } from "./router.js";
import { appRoutes } from "./routes/app.js";
import { checkRoutes } from "./routes/checks.js";
import { commentRoutes } from "./routes/comments.js";
import { commitRoutes } from "./routes/commits.js";
import { contentRoutes } from "./routes/contents.js";
import { deliveryRoutes } from "./routes/deliveries.js";
import { issueRoutes } from "./routes/issues.js";
import { labelRoutes } from "./routes/labels.js";
import { mergeRoutes } from "./routes/merges.js";
import { objectRoutes } from "./routes/objects.js";
import { pullRoutes } from "./routes/pulls.js";
import { reactionRoutes } from "./routes/reactions.js";
import { refRoutes } from "./routes/refs.js";
import { repositoryRoutes } from "./routes/repository.js";
import { reviewCommentRoutes } from "./routes/review-comments.js";
import { reviewRoutes } from "./routes/reviews.js";
import { statusRoutes } from "./routes/statuses.js";

const REST_PREFIX = "/api/v3";
const GRAPHQL_PATH = "/api/graphql";
const MAX_BODY_BYTES = 25 * 1024 * 1024;
const RATE_LIMIT = 5000;

/** A request with its answer to be, and what is called as soon as there is one. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  answered: (status: number) => void;
}

/**
 * Answers REST and GraphQL requests, with the headers that GitHub sends, and then does what follows from them.
 * Contract: rejects with an error of the forge itself, which the client got as a 500.
 */
export function createApi(hub: Hub, log: ExchangeLog) {
  const router = createRouter([
    ...appRoutes(hub),
    ...deliveryRoutes(hub),
    ...repositoryRoutes(hub),
    ...contentRoutes(hub),
    ...refRoutes(hub),
    ...objectRoutes(hub),
    ...commitRoutes(hub),
    ...issueRoutes(hub),
    ...labelRoutes(hub),
    ...commentRoutes(hub),
    ...reactionRoutes(hub),
    ...pullRoutes(hub),
    ...mergeRoutes(hub),
    ...reviewRoutes(hub),
    ...reviewCommentRoutes(hub),
    ...checkRoutes(hub),
    ...statusRoutes(hub),
  ]);

  async function understand(call: Call, request: IncomingMessage): Promise<Plan> {
    if (!request.headers["user-agent"])
      throw new Refusal(
        403,
        "Request forbidden by administrative rules. Please make sure your request has a User-Agent header.",
      );
    call.credential = authenticate(hub.state, hub.clock, request.headers.authorization);
    call.body = parseJson(await readBody(request));
    if (call.url.pathname === GRAPHQL_PATH) return planGraphql(hub, call);
    const found = router.find(call.method, call.path);
    if (!found) throw notFound();
    call.parameters = found.parameters;
    const { owner = "", repo = "" } = found.parameters;
    const repository = call.method === "GET" ? null : findRepository(hub.state, `${owner}/${repo}`);
    return { repository, serve: () => found.route.serve(call) };
  }

  return async function serveApi(url: URL, { request, response, answered }: Exchange): Promise<void> {
    const call: Call = {
      method: request.method ?? "GET",
      path: restPath(url.pathname),
      url,
      parameters: {},
      accept: request.headers.accept ?? "",
      credential: { kind: "anonymous" },
      body: undefined,
    };
    const isLogged = url.pathname !== GRAPHQL_PATH;
    const finish = (answer: Answer) => {
      const status = write(hub, call, answer, { request, response });
      answered(status);
      if (isLogged && answer.raw === undefined && status !== 304) log.exchange(entryOf(call, answer));
    };
    const work = async (plan: Plan) => {
      const answer = await plan.serve();
      finish(answer);
      await answer.after?.();
    };
    try {
      const plan = await understand(call, request);
      await (plan.repository ? inTurn(plan.repository, () => work(plan)) : work(plan));
    } catch (error) {
      if (!response.headersSent) finish(refusalAnswer(error));
      if (!(error instanceof Refusal)) throw error;
    }
  };
}

function entryOf(call: Call, answer: Answer) {
  return {
    method: call.method,
    path: call.path,
    request: call.body ?? null,
    status: answer.status,
    response: answer.body ?? null,
  };
}

/** The path as GitHub documents it, without the prefix of an Enterprise Server. */
export function restPath(pathname: string): string {
  return pathname.startsWith(`${REST_PREFIX}/`) ? pathname.slice(REST_PREFIX.length) : pathname;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Refusal(413, "Request body too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function refusalAnswer(error: unknown): Answer {
  const refusal =
    error instanceof Refusal
      ? error
      : new Refusal(500, `Server Error: ${isAccrueError(error) ? error.code : ""} ${messageOf(error)}`);
  return {
    status: refusal.status,
    headers: refusal.headers,
    body: {
      message: refusal.message,
      ...(refusal.errors ? { errors: refusal.errors } : {}),
      documentation_url: "https://docs.github.com/rest",
      status: String(refusal.status),
    },
  };
}

function write(
  hub: Hub,
  call: Call,
  answer: Answer,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): number {
  const bytes =
    answer.raw?.bytes ?? Buffer.from(answer.body === undefined ? "" : JSON.stringify(answer.body));
  const now = hub.clock.now();
  const headers: Record<string, string> = {
    // Clients correct their clock by this header when a token seems to come from the future.
    date: new Date(now).toUTCString(),
    "content-type": answer.raw?.type ?? "application/json; charset=utf-8",
    "x-github-media-type": "github.v3; format=json",
    "x-github-request-id": randomBytes(10).toString("hex").toUpperCase(),
    "x-github-enterprise-version": "3.19.0",
    "x-ratelimit-limit": String(RATE_LIMIT),
    "x-ratelimit-remaining": String(RATE_LIMIT - 1),
    "x-ratelimit-used": "1",
    "x-ratelimit-reset": String(Math.floor(now / 1000) + 3600),
    "x-ratelimit-resource": "core",
    ...answer.headers,
  };
  if (call.method === "GET" && answer.status === 200) {
    headers["etag"] = `W/"${createHash("sha256").update(bytes).digest("hex")}"`;
    if (request.headers["if-none-match"] === headers["etag"]) {
      response.writeHead(304, headers).end();
      return 304;
    }
  }
  if (answer.status === 204) response.writeHead(204, headers).end();
  else response.writeHead(answer.status, headers).end(bytes);
  return answer.status;
}
