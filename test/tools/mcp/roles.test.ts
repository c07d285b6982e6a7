import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMcpBench, type McpBench } from "../../support/mcp-bench.js";

const NEVER = new AbortController().signal;
let bench: McpBench;
beforeEach(async () => {
  bench = await openMcpBench();
});
afterEach(async () => {
  expect(await bench.close()).toEqual([]);
});

const tracker = (more: object = {}) =>
  bench.stdio("tracker", {
    trust: false,
    role: "tracker",
    items: "\\b([A-Z]+-\\d+)\\b",
    role_tools: { fetch: "get_issue", update: "add_comment" },
    ...more,
  });

describe("a server in the role of a tracker", () => {
  it("gives the items that a text names, marked and cut, and takes the status once", async () => {
    const servers = await bench.open({ jira: tracker() });
    const { tracker: jira } = servers.roles;
    expect(jira?.itemsIn("ABC-1: as in XY-22, not abc-3; again ABC-1")).toEqual(["ABC-1", "XY-22"]);
    const item = await jira?.fetch("ABC-1", NEVER);
    expect(item).toMatch(/^<untrusted source="mcp:jira">\nABC-1: Login fails\./u);
    expect(item?.length).toBeLessThan(4200);
    await jira?.writeStatus?.("ABC-1", "PR 7 is ready", NEVER);
    await jira?.writeStatus?.("ABC-1", "PR 7 is ready", NEVER);
    await jira?.writeStatus?.("XY-22", "PR 7 is ready", NEVER);
    expect(await jira?.fetch("ABC-1", NEVER)).toContain("ABC-1 PR 7 is ready | XY-22 PR 7 is ready xxx");
    await expect(jira?.fetch("ABC-404", NEVER)).rejects.toThrow(
      /get_issue failed:\n<untrusted[\s\S]*no such issue/u,
    );
    await expect(jira?.fetch("ABC-1", AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
  });

  it("is written to by the host only", async () => {
    const servers = await bench.open({ jira: tracker() });
    const names = servers.tools.map(({ name }) => name);
    expect(names).toContain("mcp_jira_get_issue");
    expect(names).not.toContain("mcp_jira_add_comment");
  });

  it("only reads when no tool to write is configured", async () => {
    const servers = await bench.open({ jira: tracker({ role_tools: { fetch: "get_issue" } }) });
    expect(servers.roles.tracker?.writeStatus).toBeNull();
  });

  it("that is not as configured is a problem, and so is a second one", async () => {
    const servers = await bench.open({
      jira: tracker({ role_tools: { fetch: "get_isue" } }),
      other: tracker(),
      wiki: bench.stdio("tracker", { role: "wiki", role_tools: { search: "find" } }),
    });
    expect(servers.roles).toEqual({ tracker: null, wiki: null });
    expect(servers.problems).toEqual([
      expect.stringMatching(/"other": it is not used as tracker: "jira" is it already/u),
      expect.stringMatching(/"jira": it has no tool get_isue for its role\. Did you mean get_issue\?/u),
      expect.stringMatching(/"wiki": it is not clear which arguments find takes\. Write .*space, cql/u),
    ]);
  });
});

describe("a server in the role of a wiki", () => {
  it("is searched by the name of the tool, or with arguments as they are written", async () => {
    const plain = { role: "wiki", role_tools: { search: "search_pages" } };
    const byName = await bench.open({ wiki: bench.stdio("tracker", plain) });
    expect(await byName.roles.wiki?.search("login", NEVER)).toBe(
      '<untrusted source="mcp:wiki">\nsolution of login\n</untrusted>',
    );
    const written = { space: "DEV", cql: ["text ~ {{query}}"] };
    const search = { tool: "find", arguments: written };
    const byTemplate = await bench.open({
      wiki: bench.stdio("tracker", { role: "wiki", role_tools: { search } }),
    });
    expect(await byTemplate.roles.wiki?.search("a {{item}} {{query}}", NEVER)).toContain(
      'found by {"space":"DEV","cql":["text ~ a {{item}} {{query}}"]}',
    );
  });
});
