// The whole product on a repository that extends it, with an operator's MCP servers and a gate before the model.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../src/db/index.js";
import { type Ledger, createLedger } from "../../src/ledger/index.js";
import { type McpHttp, openMcpHttp } from "./mcp-http.js";
import { type ModelGate, startModelGate } from "./model-gate.js";
import { type Stack, readFolder, startStack } from "./stack.js";

/** A request as the model got it. */
export interface Sent {
  system: string;
  /** The first message. */
  task: string;
  /** Names of the tools that were offered. */
  tools: string[];
  /** All messages, as JSON. */
  messages: string;
}

export interface Extended {
  stack: Stack;
  gate: ModelGate;
  mcp: McpHttp;
  /** The request that a step of a scenario answered, and whose text contains `words`; throws when there is none. */
  sent(step: string, words?: string): Sent;
  /** Looks into the server's ledger. */
  withLedger<T>(look: (ledger: Ledger) => T): T;
  close(): Promise<void>;
}

const CONFIG = `
mcp:
  own: { command: ./start.sh }
  jira: { include_tools: [get_issue] }
agent:
  prompts: { workflow-feature: false, mandates: .agents/mandates.md }
tools:
  discovery_command: node tools/agent.mjs --list
  call_command: node tools/agent.mjs --call
`;

const operatorFile = (url: string) => `
mcp:
  jira:
    url: ${url}/mcp
    role: tracker
    items: 'ABC-\\d+'
    role_tools: { fetch: get_issue, update: add_comment }
  wiki: { url: "${url}/mcp", role: wiki, role_tools: { search: search_pages }, include_tools: [search_pages] }
  dead: { command: /nonexistent/mcp-server }
`;

const scenarios = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../fixtures/scenarios/${name}.json`, import.meta.url), "utf8"),
  ) as unknown[];

interface Wire {
  system: { text: string }[];
  messages: { content: string | { text?: string }[] }[];
  tools?: { name: string }[];
}

function sentIn(body: unknown): Sent {
  const { system, messages, tools = [] } = body as Wire;
  const first = messages[0]?.content ?? "";
  return {
    system: system.map(({ text }) => text).join("\n"),
    task: typeof first === "string" ? first : first.map(({ text = "" }) => text).join("\n"),
    tools: tools.map(({ name }) => name),
    messages: JSON.stringify(messages),
  };
}

/** Starts it; the repository is the tiny project with files of every kind below `.agents/`. */
export async function startExtended(): Promise<Extended> {
  const folder = mkdtempSync(join(tmpdir(), "accrue-operator-"));
  const mcp = await openMcpHttp("tracker");
  writeFileSync(join(folder, "accrue.server.yml"), operatorFile(mcp.url));
  const env: Record<string, string> = { ACCRUE_SERVER_FILE: join(folder, "accrue.server.yml") };
  const stack = await startStack({
    files: { ...readFolder("test/fixtures/tiny/"), ...readFolder("test/fixtures/extended/") },
    scenarios: JSON.stringify([...scenarios("extended"), ...scenarios("tiny")]),
    config: CONFIG,
    env,
    start: false,
  });
  const gate = await startModelGate(stack.model.url);
  env["ANTHROPIC_BASE_URL"] = gate.url;
  await stack.startServer();
  return {
    stack,
    gate,
    mcp,
    sent: (step, words = "") => {
      const found = stack.model
        .requests()
        .find(({ body, matched }) => matched === step && JSON.stringify(body).includes(words));
      if (!found) throw new Error(`${step} answered no request with ${words}`);
      return sentIn(found.body);
    },
    withLedger: (look) => {
      const db = openDatabase(join(stack.data, "accrue.db"));
      try {
        return look(createLedger(db));
      } finally {
        db.close();
      }
    },
    close: async () => {
      await stack.close();
      await gate.close();
      await mcp.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
