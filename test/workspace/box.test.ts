import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandRequest, Workspace } from "../../src/workspace/index.js";
import { type Fixture, makeFixture } from "./fixture.js";

let fixture: Fixture;
let workspace: Workspace;

beforeEach(async () => {
  fixture = makeFixture({ sandbox: { level: "auto", uid: 65534, network: [] } });
  workspace = await fixture.open();
});
afterEach(() => fixture.close());

const run = (command: string, more: Partial<CommandRequest> = {}) =>
  workspace.box.run({ command, timeoutMs: 20_000, ...more }, fixture.signal);

/** Every test of the box holds on a machine without one too: then commands are refused, with the cure. */
async function usable(): Promise<boolean> {
  const report = await fixture.workspaces.sandbox();
  if (report.usable) return true;
  expect(report.hint).not.toBe("");
  await expect(run("true")).rejects.toMatchObject({ code: "SANDBOX_UNAVAILABLE" });
  return false;
}

describe("the box", () => {
  it("gives the exit code and both outputs in order", async () => {
    if (!(await usable())) return;
    const result = await run("echo one; echo two >&2; echo three; exit 3");
    expect(result).toMatchObject({ exitCode: 3, output: "one\ntwo\nthree\n", timedOut: false });
    expect(await run("cd nowhere")).toMatchObject({ exitCode: 1 });
  });

  it("starts in a folder of the workspace, and in no other", async () => {
    if (!(await usable())) return;
    expect((await run("pwd; cat a.txt", { folder: "src" })).output).toBe("/workspace/src\none\ntwo\nthree\n");
    for (const folder of ["..", "/etc", "src/../../..", "a\0b"]) {
      expect(await run("pwd", { folder })).toMatchObject({ exitCode: 126 });
    }
    expect((await run("pwd", { folder: "nowhere" })).exitCode).not.toBe(0);
  });

  it("hands a text to the command's standard input, also to one that does not read it", async () => {
    if (!(await usable())) return;
    const stdin = `章 ${"x".repeat(300_000)}\nlast`;
    expect((await run("wc -c; cat", { stdin })).output).toBe(`${Buffer.byteLength(stdin)}\n`);
    expect((await run("head -c 3", { stdin, network: ["example.org"] })).output).toBe("章");
    expect(await run("exit 4", { stdin })).toMatchObject({ exitCode: 4, output: "" });
  });

  it("FI-15 answers an over-long command with what to do instead", async () => {
    if (!(await usable())) return;
    const long = await run(`cat <<'END'\n${"x".repeat(200_000)}\nEND`);
    expect(long).toMatchObject({ exitCode: 126, output: expect.stringContaining("write a script file") });
    expect(await run("echo a\0b")).toMatchObject({ exitCode: 126 });
  });

  it("T10 is not root, has no capability and cannot change the kernel", async () => {
    if (!(await usable())) return;
    const { output } = await run(
      "id -u; grep CapEff /proc/self/status; echo x > /proc/sys/kernel/core_pattern",
    );
    expect(output).not.toMatch(/^0\n/);
    expect(output).toContain("CapEff:\t0000000000000000");
    expect(output).toMatch(/Read-only file system|Permission denied/);
    expect((await run("unshare -Ur true")).exitCode).not.toBe(0);
  });

  it("SE-47 SE-50 T8 sees nothing of our environment, our processes and our files", async () => {
    if (!(await usable())) return;
    process.env["ACCRUE_TEST_SECRET"] = "sk-FAKE-SECRET";
    writeFileSync(join(fixture.data, "accrue.db"), "sk-FAKE-SECRET");
    const { output } = await run(
      `env; cat /proc/*/environ | tr '\\0' '\\n'; ls /proc | grep -c '^[0-9]'; ls / /root ${fixture.data} ${workspace.path}; cat ${fixture.data}/accrue.db /etc/shadow`,
    );
    delete process.env["ACCRUE_TEST_SECRET"];
    expect(output).not.toContain("sk-FAKE-SECRET");
    expect(output).not.toContain("forge.git");
    expect(output).not.toContain("mirror.git");
    expect(Number(/^(\d+)$/m.exec(output)?.[1])).toBeLessThan(10);
  });

  it("T11 writes its checkout, its home and its /tmp, and nothing else", async () => {
    if (!(await usable())) return;
    const places = ["/workspace/x", "$HOME/x", "/tmp/x", "/usr/x", "/etc/x", `${fixture.root}/x`, "/x"];
    const { output } = await run(
      places.map((place) => `(echo > "${place}") 2>/dev/null && echo "${place}"`).join("; "),
    );
    const written = output.split("\n").filter((line) => line && !line.startsWith(fixture.root));
    // Some of the box's own folders are writable and vanish with it.
    expect(written).toEqual(expect.arrayContaining(["/workspace/x", "/home/agent/x", "/tmp/x"]));
    expect(written).not.toContain("/usr/x");
    expect(existsSync("/x") || existsSync("/etc/x") || existsSync(join(fixture.root, "x"))).toBe(false);
    expect((await run("ls /tmp/x; ls ~/x")).output).toContain("/home/agent/x");
  });

  it("has no network: no loopback of ours, no abstract socket, no route", async () => {
    if (!(await usable())) return;
    const server = await listen();
    const abstract = createSocketServer().listen("\0accrue-test");
    const { output } = await run(`node -e '
      const net = require("node:net"), dgram = require("node:dgram");
      const tell = (name) => (error) => console.log(name, error ? error.code : "REACHED");
      net.connect(${portOf(server)}, "127.0.0.1").on("error", tell("tcp")).on("connect", () => tell("tcp")());
      net.connect("\\0accrue-test").on("error", tell("abstract")).on("connect", () => tell("abstract")());
      const udp = dgram.createSocket("udp4").unref();
      udp.connect(53, "1.1.1.1", tell("udp"));'`);
    expect(output).not.toContain("REACHED");
    expect(output).toMatch(/tcp ECONNREFUSED/);
    abstract.close();
    await close(server);
  });

  it("SE-80 is stopped when its time is up, with all that it started", async () => {
    if (!(await usable())) return;
    const result = await run("echo begun; setsid sleep 4711 & sleep 4711", { timeoutMs: 700 });
    expect(result).toMatchObject({ exitCode: null, timedOut: true, output: "begun\n" });
    expect(processesWith("4711")).toEqual([]);
  });

  it("leaves no process behind when the command ends, not even a daemon that holds its output", async () => {
    if (!(await usable())) return;
    const result = await run("setsid sleep 4712 & disown; echo done");
    expect(result).toMatchObject({ exitCode: 0, output: "done\n" });
    expect(processesWith("4712")).toEqual([]);
  });

  it("rejects with the signal's reason when it fires, and stops the command", async () => {
    if (!(await usable())) return;
    const controller = new AbortController();
    const running = workspace.box.run({ command: "sleep 4713", timeoutMs: 20_000 }, controller.signal);
    setTimeout(() => controller.abort(new Error("stopped by a person")), 300);
    await expect(running).rejects.toThrow("stopped by a person");
    expect(processesWith("4713")).toEqual([]);
    await expect(workspace.box.run({ command: "true", timeoutMs: 1000 }, controller.signal)).rejects.toThrow(
      "person",
    );
  });

  it("keeps the head and the tail of an endless output", async () => {
    if (!(await usable())) return;
    const { output } = await run("echo first; head -c 30000000 /dev/zero | tr '\\0' x; echo; echo 章last");
    expect(output.length).toBeLessThan(1_100_000);
    expect(output.startsWith("first\n")).toBe(true);
    expect(output.endsWith("章last\n")).toBe(true);
    expect(output).toMatch(/\n… \d+ bytes left out …\n/);
  });

  it("limits processes, memory and the size of a file", async () => {
    if (!(await usable())) return;
    const bomb = "i=0; while [ $i -lt 1500 ]; do sleep 20 & i=$((i+1)); echo $i > /tmp/n; done";
    const { output } = await run(
      `ulimit -u; ulimit -c; sh -c '${bomb}' 2> /dev/null; read n < /tmp/n; echo $n`,
    );
    const [limit = 0, core, started] = output.trim().split("\n").map(Number);
    expect(core).toBe(0);
    expect(started).toBeLessThan(limit);
    // Kibibytes per process; Node itself starts well below it.
    expect((await run("ulimit -d")).output).toBe("4194304\n");
    expect((await run("truncate -s 2G /workspace/big")).exitCode).not.toBe(0);
  });
});

describe("the box's proxy", () => {
  const get = (url: string) => `curl -sS --max-time 5 -w ' %{http_code}' ${url}`;

  it("reaches an address that is listed with its port, and says why it reaches no other", async () => {
    if (!(await usable())) return;
    const server = await listen();
    const other = await listen();
    const network = [`127.0.0.1:${portOf(server)}`];
    expect((await run(get(`http://127.0.0.1:${portOf(server)}/x`), { network })).output).toBe("hello /x 200");
    const tunnel = `${get(`http://127.0.0.1:${portOf(server)}/t`)} --proxytunnel`;
    expect((await run(tunnel, { network })).output).toContain("hello /t 200");
    const refused = await run(get(`http://127.0.0.1:${portOf(other)}/`), { network });
    expect(refused.output).toContain("is not among the hosts this box may reach");
    expect(refused.output).toContain("403");
    await close(server);
    await close(other);
  });

  it("refuses a listed name that leads to a private address, unless that address is listed too", async () => {
    if (!(await usable())) return;
    const server = await listen();
    const name = `localhost:${portOf(server)}`;
    const refused = await run(get(`http://${name}/`), { network: [name] });
    expect(refused.output).toContain("private address");
    const allowed = await run(get(`http://${name}/`), { network: [name, `127.0.0.1:${portOf(server)}`] });
    expect(allowed.output).toBe("hello / 200");
    await close(server);
  });

  it("leaves no socket behind and is not there without network", async () => {
    if (!(await usable())) return;
    expect((await run("env | grep -ic proxy; ls /run", { network: ["example.org"] })).output).toContain(
      "proxy.sock",
    );
    expect((await run("env | grep -ic proxy; ls /run")).output).toBe("0\n");
    expect(readdirSync(join(fixture.data, "box")).filter((name) => name.endsWith(".sock"))).toEqual([]);
  });

  it("carries the command's exit code", async () => {
    if (!(await usable())) return;
    expect(await run("exit 7", { network: ["example.org"] })).toMatchObject({ exitCode: 7 });
  });
});

describe("the sandbox's self-test", () => {
  it("says which sandbox is used, or how to get one", async () => {
    const report = await fixture.workspaces.sandbox();
    expect(report.level).toBe("bwrap");
    expect(report.reason).not.toBe("");
    expect(report.usable || report.hint !== "").toBe(true);
    expect(await fixture.workspaces.sandbox()).toBe(report);
  });

  it("SE-82 names the missing program and never steps down by itself", async () => {
    const tools = join(fixture.root, "tools");
    mkdirSync(tools);
    const workspaces = fixture.again({ path: tools });
    const report = await workspaces.sandbox();
    expect(report).toMatchObject({ level: "bwrap", usable: false, reason: expect.stringContaining("bwrap") });
    expect(report.hint).toContain("apt-get install bubblewrap");
  });

  it("SE-82 names the cure when the machine forbids it", async () => {
    const tools = join(fixture.root, "tools");
    mkdirSync(tools);
    const words = "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted";
    for (const name of ["bwrap", "prlimit", "setpriv"]) {
      writeFileSync(join(tools, name), `#!/bin/sh\necho '${words}' >&2\nexit 1\n`, { mode: 0o755 });
    }
    const report = await fixture.again({ path: `${tools}:${process.env["PATH"]}` }).sandbox();
    expect(report).toMatchObject({ usable: false, reason: expect.stringContaining("RTM_NEWADDR") });
    expect(report.hint).toContain("kernel.apparmor_restrict_unprivileged_userns=0");
  });

  it("D2 refuses to run commands as root", async () => {
    for (const level of ["auto", "none"] as const) {
      const report = await fixture.again({ uid: 0, sandbox: { level, uid: 0, network: [] } }).sandbox();
      expect(report).toMatchObject({ usable: false, reason: expect.stringContaining("root") });
    }
  });
});

describe("without a sandbox, where that was asked for", () => {
  it("runs with a clean environment in the checkout, not as root", async () => {
    const workspaces = fixture.again({ sandbox: { level: "none", uid: 65534, network: [] } });
    expect(await workspaces.sandbox()).toMatchObject({ level: "none", usable: true });
    const mirror = await workspaces.mirror(fixture.mirrorInput(), fixture.signal);
    const open = await workspaces.open(
      { mirror, base: "main", branch: "agent/x", run: "01NONE" },
      fixture.signal,
    );
    process.env["ACCRUE_TEST_SECRET"] = "sk-FAKE-SECRET";
    const request = { command: "pwd; env; id -u; git rev-parse 2>&1; exit 4", timeoutMs: 10_000 };
    const result = await open.box.run(request, fixture.signal);
    delete process.env["ACCRUE_TEST_SECRET"];
    expect(result).toMatchObject({ exitCode: 4 });
    expect(result.output).toContain(`${open.path}\n`);
    expect(result.output).not.toContain("sk-FAKE-SECRET");
    expect(result.output).not.toMatch(/^0$/m);
    expect(result.output).toContain("not a git repository");
    const late = await open.box.run({ command: "sleep 4714 & sleep 4714", timeoutMs: 500 }, fixture.signal);
    expect(late).toMatchObject({ exitCode: null, timedOut: true });
    expect(processesWith("4714")).toEqual([]);
  });
});

function processesWith(word: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")];
      } catch {
        return [];
      }
    })
    .filter((line) => line.startsWith("sleep") && line.includes(word));
}

function listen(): Promise<Server> {
  const server = createServer((request, response) => response.end(`hello ${request.url}`));
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
