import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMcpBench, type McpBench } from "../../support/mcp-bench.js";

let bench: McpBench;
beforeEach(async () => {
  bench = await openMcpBench();
});
afterEach(async () => {
  expect(await bench.close()).toEqual([]);
});

describe("a tool that may change things", () => {
  it("is called where the server is trusted or the tool is named, and one that only reads always", async () => {
    const servers = await bench.open({
      trusted: bench.stdio("all"),
      named: bench.stdio("all", { trust: false, include_tools: ["echo", "slow"] }),
      plain: bench.stdio("all", { trust: false }),
    });
    const isError = async (name: string, input: Record<string, unknown>) =>
      (await bench.call(servers, name, input)).isError;
    expect(await isError("mcp_trusted_echo", { say: "hi" })).toBe(false);
    expect(await isError("mcp_named_echo", { say: "hi" })).toBe(false);
    expect(await isError("mcp_plain_slow", { ms: 0 })).toBe(false);
    const refused = await bench.call(servers, "mcp_plain_echo", { say: "hi" });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(
      /nobody can be asked here.*writes echo into mcp\.plain\.include_tools, or trust: true/u,
    );
    const kinds = new Map(servers.tools.map(({ name, kind }) => [name, kind]));
    expect(kinds.get("mcp_plain_slow")).toBe("read");
    expect(kinds.get("mcp_trusted_echo")).toBe("write");
  });

  it("is asked for once in a run, and the answer holds", async () => {
    const servers = await bench.open({ s: bench.stdio("all", { trust: false }) });
    const asked: string[] = [];
    bench.context.askPerson = (question) => {
      asked.push(question);
      if (asked.length === 1) return Promise.reject(new Error("the terminal went away"));
      return Promise.resolve(question.includes('"echo"'));
    };
    const echo = () => bench.call(servers, "mcp_s_echo", { say: "hi" });
    await expect(echo()).rejects.toThrow("the terminal went away");
    expect((await echo()).text).toContain("you said hi");
    expect((await echo()).text).toContain("you said hi");
    for (const _ of [1, 2]) {
      const refused = await bench.call(servers, "mcp_s_empty");
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("did not allow") });
    }
    expect(asked.slice(1)).toEqual([
      'May "echo" of the MCP server "s" be called in this run? First with: {"say":"hi"}',
      'May "empty" of the MCP server "s" be called in this run? First with: {}',
    ]);
  });
});
