import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openMcpBench, type McpBench } from "../../support/mcp-bench.js";
import { openMcpHttp, type McpHttp } from "../../support/mcp-http.js";
import { callsSoFar } from "../../support/mcp-server.mjs";

let bench: McpBench;
let http: McpHttp;
beforeEach(async () => {
  bench = await openMcpBench();
  http = await openMcpHttp("all");
});
afterEach(async () => {
  await bench.close();
  await http.close();
});

/** Configurations of the same server, reached in both ways. */
const WAYS = [
  ["streamable HTTP", () => ({ url: `${http.url}/mcp`, trust: true })],
  ["SSE", () => ({ url: `${http.url}/sse`, type: "sse", trust: true })],
] as const;

describe.each(WAYS)("a server over %s", (_way, configuration) => {
  it("gives its tools and prompts, and gets the configured headers with each request", async () => {
    const headers = { Authorization: "Bearer ${ACCRUE_MCP_KEY}" };
    const env = { ACCRUE_MCP_KEY: "k-123456" };
    const servers = await bench.open({ remote: { ...configuration(), headers } }, { env });
    expect(servers.problems).toEqual([]);
    expect(servers.commands.map(({ name }) => name)).toEqual(["remote:review", "remote:talk"]);
    expect((await bench.call(servers, "mcp_remote_echo", { say: "hi" })).text).toContain("you said hi");
    expect(new Set(http.authorizations)).toEqual(new Set(["Bearer k-123456"]));
  });

  it("that was restarted is spoken with again in a new session, within one call (RT-77)", async () => {
    const servers = await bench.open({ remote: configuration() });
    const said = { text: '<untrusted source="mcp:remote">\nyou said hi\n</untrusted>', isError: false };
    http.forget();
    expect(await bench.call(servers, "mcp_remote_echo", { say: "hi" })).toEqual(said);
    expect(http.sessions()).toBe(2);
    http.restart();
    // A connection that ends is noticed with the next turn of the event loop.
    await new Promise((soon) => setTimeout(soon, 300));
    expect(await bench.call(servers, "mcp_remote_echo", { say: "hi" })).toEqual(said);
    expect(http.sessions()).toBe(3);
  });

  it("that breaks off during a call is asked again only for what changes nothing", async () => {
    const servers = await bench.open({ remote: configuration() });
    const breakOffDuring = async (name: string) => {
      const before = callsSoFar();
      const result = bench.call(servers, name, { ms: 200 });
      await vi.waitFor(() => expect(callsSoFar()).toBe(before + 1), { interval: 5 });
      http.restart();
      return { ...(await result), calls: callsSoFar() - before };
    };
    expect(await breakOffDuring("mcp_remote_slow")).toMatchObject({
      isError: false,
      text: expect.stringContaining("slept"),
      calls: 2,
    });
    expect(await breakOffDuring("mcp_remote_book")).toMatchObject({
      isError: true,
      text: expect.stringContaining("done or not"),
      calls: 1,
    });
  });

  it("that refuses us is a problem that says where to look", async () => {
    const locked = await openMcpHttp("all", "right-key");
    const url = configuration().url.replace(http.url, locked.url);
    const headers = { Authorization: "Bearer ${ACCRUE_MCP_KEY}" };
    const env = { ACCRUE_MCP_KEY: "wrong-key" };
    const servers = await bench.open({ locked: { ...configuration(), url, headers } }, { env });
    await locked.close();
    expect(servers.problems).toEqual([expect.stringMatching(/"locked": .*401.*Check its headers/su)]);
    expect(servers.problems.join("")).not.toContain("wrong-key");
  });
});

describe("a server", () => {
  it("that is not there, or speaks otherwise than configured, is a problem that says what to do", async () => {
    const gone = await openMcpHttp("all");
    await gone.close();
    const servers = await bench.open({ gone: { url: gone.url }, sse: { url: `${http.url}/nowhere` } });
    expect(servers.problems.sort()).toEqual([
      expect.stringMatching(/"gone": .*ECONNREFUSED.*whether the server runs/u),
      expect.stringMatching(/"sse": .*400/u),
    ]);
  });
});
