import { actorOf, demand } from "./access.js";
import { tellPull, type PullAct } from "./happenings.js";
import type { Hub } from "./hub.js";
import { issuePage } from "./json/issue.js";
import { Refusal } from "./refusal.js";
import type { Answer, Call, Plan } from "./router.js";
import { isPull, nodeId } from "./lookup.js";
import type { PullIssue, Repository } from "./state.js";
import { z } from "zod";

const Request = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
});

/** One field of a query, with its arguments as written and the fields below it. */
interface Field {
  name: string;
  argumentText: string;
  fields: Field[];
}

const MUTATIONS = { markPullRequestReadyForReview: false, convertPullRequestToDraft: true } as const;

/**
 * The one thing that GitHub offers in GraphQL only: whether a pull request is a draft. Other queries get GraphQL's own
 * error for an unknown field.
 */
export function planGraphql(hub: Hub, call: Call): Plan {
  if (call.credential.kind === "anonymous")
    throw new Refusal(401, "This endpoint requires you to be authenticated.");
  const parsed = Request.safeParse(call.body);
  if (!parsed.success) throw new Refusal(400, "Problems parsing JSON: a query is missing");
  const { query, variables } = parsed.data;
  const [field] = parseQuery(query);
  const name = field?.name ?? "";
  if (!field || !(name === "markPullRequestReadyForReview" || name === "convertPullRequestToDraft"))
    return failure("undefinedField", `Field '${name}' doesn't exist on type 'Mutation'`);
  const id = argumentOf(field.argumentText, "pullRequestId", variables ?? {});
  const found = findPull(hub, id);
  if (!found) return failure("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'`);
  return {
    repository: found.repository,
    serve() {
      const { repository } = found;
      const denied = deniedText(hub, call, repository);
      if (denied !== null) return failure("FORBIDDEN", denied).serve();
      return changeDraft(hub, { ...found, actor: actorOf(hub.state, call) }, name, field.fields);
    },
  };
}

function deniedText(hub: Hub, call: Call, repository: Repository): string | null {
  try {
    demand(hub.state, call, repository, { permission: "pull_requests", level: "write" });
    return null;
  } catch (cause) {
    if (cause instanceof Refusal) return cause.message;
    throw cause;
  }
}

function changeDraft(hub: Hub, act: PullAct, name: keyof typeof MUTATIONS, fields: Field[]): Answer {
  const { issue } = act;
  const isDraft = MUTATIONS[name];
  const isChanged = issue.pull.draft !== isDraft;
  issue.pull.draft = isDraft;
  issue.updatedAt = hub.clock.now();
  const action = isDraft ? "converted_to_draft" : "ready_for_review";
  return {
    status: 200,
    body: { data: { [name]: select(payloadOf(hub, act), fields) } },
    after: () => (isChanged ? tellPull(hub, act, action) : undefined),
  };
}

function failure(type: string, message: string): Plan {
  const body = { data: null, errors: [{ type, message }] };
  return { repository: null, serve: () => ({ status: 200, body }) };
}

function findPull(hub: Hub, id: string): { repository: Repository; issue: PullIssue } | null {
  for (const repository of hub.state.repositories.values())
    for (const issue of repository.issues.values())
      if (isPull(issue) && nodeId("PR", issue.id) === id) return { repository, issue };
  return null;
}

function payloadOf({ state }: Hub, { repository, issue }: PullAct) {
  return {
    clientMutationId: null,
    pullRequest: {
      id: nodeId("PR", issue.id),
      number: issue.number,
      title: issue.title,
      isDraft: issue.pull.draft,
      state: issue.pull.mergedAt === null ? issue.state.toUpperCase() : "MERGED",
      url: issuePage(state, repository, issue),
    },
  };
}

/** Only the fields that were asked for, as GraphQL answers. */
function select(value: object, fields: Field[]): Record<string, unknown> {
  const all = Object.entries(value);
  return Object.fromEntries(
    fields.flatMap(({ name, fields: below }): [string, unknown][] => {
      const entry = all.find(([key]) => key === name);
      if (!entry) return [];
      const [key, found] = entry as [string, unknown];
      return [[key, typeof found === "object" && found !== null ? select(found, below) : found]];
    }),
  );
}

function argumentOf(text: string, name: string, variables: Record<string, unknown>): string {
  const literal = new RegExp(`${name}\\s*:\\s*"([^"]*)"`).exec(text)?.[1];
  if (literal !== undefined) return literal;
  const variable = new RegExp(`${name}\\s*:\\s*\\$(\\w+)`).exec(text)?.[1];
  const whole = /input\s*:\s*\$(\w+)/.exec(text)?.[1];
  const input = whole === undefined ? variables : (variables[whole] as Record<string, unknown> | undefined);
  const value = input?.[variable ?? name];
  return typeof value === "string" ? value : "";
}

/** Reads the selection sets of a query; arguments stay text. */
function parseQuery(query: string): Field[] {
  const tokens: string[] = query.match(/"[^"]*"|[A-Za-z_]\w*|[{}()]|[^\s\w"{}()]+|\d+/g) ?? [];
  let at = tokens.indexOf("{", skipArguments(tokens, 0));
  const fieldsHere = (): Field[] => {
    const fields: Field[] = [];
    at += 1;
    while (at < tokens.length && tokens[at] !== "}") {
      const field: Field = { name: tokens[at] ?? "", argumentText: "", fields: [] };
      at += 1;
      if (tokens[at] === "(") {
        const end = skipArguments(tokens, at);
        field.argumentText = tokens.slice(at, end).join(" ").replaceAll("$ ", "$");
        at = end;
      }
      if (tokens[at] === "{") field.fields = fieldsHere();
      fields.push(field);
    }
    at += 1;
    return fields;
  };
  return at < 0 ? [] : fieldsHere();
}

/** The place after the first pair of parentheses from here on, if it comes before any brace. */
function skipArguments(tokens: string[], from: number): number {
  const start = tokens.findIndex((token, index) => index >= from && (token === "(" || token === "{"));
  if (tokens[start] !== "(") return from;
  const end = tokens.indexOf(")", start);
  return end < 0 ? tokens.length : end + 1;
}
