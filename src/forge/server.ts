import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { mkdir } from "node:fs/promises";
import { AccrueError, messageOf, sleep } from "../shared/index.js";
import { createApi, restPath } from "./api.js";
import { registerApp, type AppRegistration } from "./app.js";
import { createControl } from "./control.js";
import { createFaults, type Faults } from "./faults.js";
import { createGitHttp } from "./git-http.js";
import { createGit } from "./git.js";
import type { Hub } from "./hub.js";
import { createExchangeLog } from "./log.js";
import type { ForgeState } from "./state.js";
import { createOutbox } from "./outbox.js";
import { createPages } from "./pages/create-pages.js";
import { escapeHtml } from "./pages/html.js";
import { createPostman } from "./postman.js";
import { createTasks } from "./tasks.js";
import type { FaultRule, Forge, ForgeExchange, ForgeOptions, ForgePage, ForgePages } from "./types.js";
import { createWebhooks } from "./webhooks.js";

const FIRST_ID = 1000;

/** Starts a GitHub of one's own on this machine, for the demo and the tests: real HTTP, real git, strict as the real one. */
export async function startForge(options: ForgeOptions): Promise<Forge> {
  const registration = registerApp(options.app);
  const { host = "127.0.0.1", port = 0, clock } = options;
  await mkdir(options.root, { recursive: true });
  const stop = new AbortController();
  const { signal } = stop;
  const log = createExchangeLog(options.logFile ?? null);
  const state = newState(registration, clock.now());
  const git = createGit({ signal }, { searchPath: options.searchPath });
  const postman = createPostman({ state, signal }, { secret: registration.webhookSecret });
  const outbox = createOutbox({ state, clock, postman });
  const webhooks = createWebhooks({ state, log, outbox });
  const hub: Hub = { state, clock, git, webhooks, outbox };
  const faults = createFaults();
  const tasks = createTasks(signal);
  const listeners = new Set<(exchange: ForgeExchange) => void>();
  const doors: Doors = {
    hub,
    faults,
    signal,
    serveApi: createApi(hub, log),
    serveGit: createGitHttp(hub),
    pages: options.pages ?? createPages({ git }),
    tell: (exchange) => {
      for (const listener of listeners) listener(exchange);
    },
  };
  const server = createServer((request, response) => {
    void tasks.run(() => answer(doors, request, response));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) =>
      reject(
        new AccrueError("GITHUB_FAILED", `The forge cannot listen on ${host}:${port}: ${cause.message}.`, {
          cause,
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  state.web = `http://${host}:${bound}`;
  state.api = `${state.web}/api/v3`;
  return {
    url: state.web,
    apiUrl: state.api,
    control: createControl(hub, { faults, tasks, listeners, postman, root: options.root }),
    async close() {
      stop.abort(new AccrueError("RUN_STOPPED", "The forge was closed."));
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      await tasks.drain();
      await outbox.settle();
    },
  };
}

function newState(registration: AppRegistration, now: number): ForgeState {
  const owner = { id: FIRST_ID + 1, login: registration.owner, type: "User" as const, createdAt: now };
  const bot = {
    id: FIRST_ID + 2,
    login: `${registration.slug}[bot]`,
    type: "Bot" as const,
    createdAt: now,
  };
  const { id, clientId, slug, name, permissions, events } = registration;
  return {
    web: "",
    api: "",
    app: {
      id,
      clientId,
      slug,
      name,
      ownerId: owner.id,
      publicKey: registration.privateKey,
      permissions,
      events,
      createdAt: now,
      botId: bot.id,
    },
    accounts: new Map([owner, bot].map((account) => [account.id, account])),
    tokens: new Map(),
    installations: new Map(),
    repositories: new Map(),
    lastId: bot.id,
  };
}

interface Doors {
  hub: Hub;
  faults: Faults;
  signal: AbortSignal;
  serveApi: ReturnType<typeof createApi>;
  serveGit: ReturnType<typeof createGitHttp>;
  pages: ForgePages;
  tell: (exchange: ForgeExchange) => void;
}

async function answer(doors: Doors, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", doors.hub.state.web);
  const method = request.method ?? "GET";
  const path = restPath(url.pathname);
  const fault = doors.faults.take(method, path);
  if (fault?.delayMs) await sleep(fault.delayMs, doors.signal);
  if (fault && (fault.drop || fault.status !== undefined)) {
    answerFault(fault, request, response);
  } else if (url.pathname.startsWith("/api/")) {
    const answered = (status: number) => doors.tell({ method, path, status });
    await doors.serveApi(url, { request, response, answered });
    return;
  } else if (!(await doors.serveGit(url, request, response))) {
    await answerPage(doors, url, request, response);
    return;
  }
  if (!fault?.drop) doors.tell({ method, path, status: response.statusCode });
}

function answerFault(rule: FaultRule, request: IncomingMessage, response: ServerResponse): void {
  if (rule.drop) {
    request.socket.destroy();
    return;
  }
  request.resume();
  const isText = typeof rule.body === "string";
  const body = rule.body ?? { message: "Server Error", documentation_url: "https://docs.github.com/rest" };
  response
    .writeHead(rule.status ?? 500, {
      "content-type": isText ? "text/html; charset=utf-8" : "application/json; charset=utf-8",
      ...rule.headers,
    })
    .end(isText ? rule.body : JSON.stringify(body));
}

async function answerPage(
  doors: Doors,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  request.resume();
  const page = await doors.pages(url.pathname, doors.hub.state).catch((error: unknown): ForgePage => ({
    status: 500,
    html: `This page could not be made: ${escapeHtml(messageOf(error))}`,
  }));
  response
    .writeHead(page?.status ?? 404, { "content-type": "text/html; charset=utf-8" })
    .end(page?.html ?? "Not Found");
}
