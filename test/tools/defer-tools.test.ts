import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { builtinTools, createRegistry, defineTool, type ToolKind } from "../../src/tools/index.js";
import { openLocalWorkspace } from "../support/local-workspace.js";

const NEVER = new AbortController().signal;
let workspace: Awaited<ReturnType<typeof openLocalWorkspace>>;
beforeEach(async () => {
  workspace = await openLocalWorkspace();
});
afterEach(() => workspace.close());

const log: string[] = [];
function extra(name: string, description: string, kind: ToolKind = "read") {
  return defineTool({
    name,
    description,
    kind,
    input: z.strictObject({ id: z.string() }),
    async run({ id }) {
      log.push(`+${id}`);
      await new Promise((soon) => setTimeout(soon, 5));
      log.push(`-${id}`);
      return `${name} ${id}`;
    },
  });
}
const extras = [
  extra("mcp_jira_getIssue", "Reads one issue of the tracker."),
  extra("mcp_jira_add_comment", "Writes a comment on an issue.", "write"),
  extra("mcp_wiki_search", "Searches pages. 检索文档"),
  extra("ext_deploy", "Deploys a preview."),
  ...Array.from({ length: 300 }, (_, at) => extra(`mcp_many_tool${at}`, "Does a thing of no interest.")),
];
const registry = createRegistry([...builtinTools(), ...extras]);

async function use(...calls: [string, Record<string, unknown>][]) {
  const asked = calls.map(([name, input], at) => ({ id: `t${at}`, name, input, problem: null }));
  const results = await registry.execute(asked, workspace.context, NEVER);
  return results.map(({ content, is_error }) => (is_error === true ? `ERROR ${content}` : content));
}

describe("tools of others", () => {
  it("are listed while they are few", () => {
    const few = createRegistry([...builtinTools(), ...extras.slice(0, 4)]);
    expect(few.specs().map(({ name }) => name)).toEqual(
      expect.arrayContaining(["ext_deploy", "mcp_wiki_search"]),
    );
    expect(few.specs().some(({ name }) => name === "search_tools")).toBe(false);
  });

  it("RT-70: are found by search_tools when they are many, and the list stays the same bytes", async () => {
    const names = registry.specs().map(({ name }) => name);
    expect(names).toEqual([...builtinTools().map(({ name }) => name), "call_tool", "search_tools"].sort());
    const before = JSON.stringify(registry.specs());
    const [found] = await use(["search_tools", { query: "comment on a tracker issue" }]);
    expect(found?.startsWith("mcp_jira_add_comment: Writes a comment on an issue.\ninput: {")).toBe(true);
    expect(found).toContain("mcp_jira_getIssue: ");
    expect(found).toContain('"required":["id"]');
    expect(JSON.stringify(registry.specs())).toBe(before);
    const reordered = createRegistry([...builtinTools(), ...extras].toReversed());
    expect(JSON.stringify(reordered.specs())).toBe(before);
    expect(before).toContain("304 more (ext_*, mcp_jira_*, mcp_many_*, mcp_wiki_*)");
  });

  it.each([
    ["mcp_many_tool7", /^mcp_many_tool7: /],
    ["getissue", /^Nothing fits|^mcp_jira_getIssue: /],
    ["get issues", /^mcp_jira_getIssue: /],
    ["文档", /^mcp_wiki_search: /],
    ["deployment", /^ext_deploy: /],
    ["zzz", /^Nothing fits. There are: ext_deploy, mcp_jira_add_comment, /],
  ])("are found by %j", async (query, expected) => {
    expect((await use(["search_tools", { query }]))[0]).toMatch(expected);
  });

  it("are run by call_tool or by name as what they are: checked, reads side by side, writes alone", async () => {
    log.length = 0;
    const results = await use(
      ["call_tool", { name: "mcp_jira_getIssue", input: { id: "1" } }],
      ["mcp_wiki_search", { id: "2" }],
      ["call_tool", { name: "mcp_jira_add_comment", input: { id: "3" } }],
      ["call_tool", { name: "mcp_wiki_search", input: { no: 1 } }],
    );
    expect(log.slice(0, 2)).toEqual(["+1", "+2"]);
    expect(log.slice(4)).toEqual(["+3", "-3"]);
    expect(results.slice(0, 3)).toEqual([
      "mcp_jira_getIssue 1",
      "mcp_wiki_search 2",
      "mcp_jira_add_comment 3",
    ]);
    expect(results[3]).toMatch(/^ERROR Invalid arguments:/);
  });

  it.each([
    [
      { name: "mcp_jira_getIssu", input: {} },
      /knows no "mcp_jira_getIssu". Did you mean "mcp_jira_getIssue"\?/,
    ],
    [{ name: "run", input: { command: "touch pwned" } }, /listed are called directly/],
    [{ name: "mcp_jira_getIssue", input: [] }, /Invalid arguments/],
    [{ input: {} }, /Invalid arguments/],
  ])("are not run by call_tool with %j", async (input, message) => {
    expect((await use(["call_tool", input]))[0]).toMatch(message);
    expect(await workspace.context.files.list()).toEqual([]);
  });

  it("are neither found nor run when they are not allowed", async () => {
    const allowed = registry.filter(["read_file", "mcp_*"], ["mcp_jira_*"]);
    const calls = [
      { id: "1", name: "search_tools", input: { query: "issue comment" }, problem: null },
      {
        id: "2",
        name: "call_tool",
        input: { name: "mcp_jira_add_comment", input: { id: "x" } },
        problem: null,
      },
      { id: "3", name: "mcp_jira_add_comment", input: { id: "x" }, problem: null },
    ];
    log.length = 0;
    const [found, called, direct] = await allowed.execute(calls, workspace.context, NEVER);
    expect(found?.content).not.toContain("mcp_jira");
    expect(called?.content).toContain('knows no "mcp_jira_add_comment"');
    expect(direct?.content).toContain('no tool "mcp_jira_add_comment"');
    expect(log).toEqual([]);
  });
});
