import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { terminalInterviewer } from "../../src/cli/index.js";
import { accrue, personalRepository, stayingAccrue, temporaryFolder } from "../support/command-line.js";
import { readFolder } from "../support/stack.js";

const folder = temporaryFolder();
const typed = stayingAccrue();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Result {
  created: string[];
  updated: string[];
  kept: string[];
}

describe("accrue init", () => {
  it("writes the scaffold, never over a file of a person's, also before the first commit; no merge=union (KN-57)", async () => {
    const { root, write, git } = personalRepository(join(folder, "init"), { files: false });
    write(".github/agent.yml", "label: bot\n");
    write("src/a.js", "");
    const { status, json } = await accrue(["init", "--json", "--repo", "src"], { cwd: root });
    expect(status).toBe(0);
    const { created, updated, kept } = json() as unknown as Result;
    expect([updated, kept]).toEqual([[], [".github/agent.yml"]]);
    expect(readFileSync(join(root, ".github/agent.yml"), "utf8")).toBe("label: bot\n");
    const shipped = [
      ...Object.keys(readFolder("rules/scaffold")),
      ...Object.keys(readFolder("rules/experience")).map((name) => `context/rules/${name}`),
      ".gitignore",
      "CLAUDE.md",
      "context/INDEX.md",
    ];
    expect([...created, ...kept].sort()).toEqual(shipped.sort());
    expect(created.every((path) => existsSync(join(root, path)))).toBe(true);

    // GitHub does not know union merges: a file that asks for one leaves pull requests in conflict.
    expect(existsSync(join(root, ".gitattributes"))).toBe(false);
    const again = await typed(["init"], { cwd: root });
    expect(again.out).not.toMatch(/created|updated/);
    git("add", "-A");
    git("commit", "-q", "-m", "Start");
    const check = await typed(["config", "check"], { cwd: root });
    expect(check).toMatchObject({ status: 0, out: ".github/agent.yml is right.\n" });
    expect((await typed(["rules", "check"], { cwd: root })).status).toBe(0);
  });

  it("adds a block to a person's AGENTS.md, CLAUDE.md and .gitignore, and keeps every byte of theirs (KN-63)", async () => {
    const { root, write } = personalRepository(join(folder, "agents"), { files: false });
    const mine = "# Mine\r\n\r\nNever touch `legacy/`.";
    write("AGENTS.md", mine);
    write("CLAUDE.md", "Be brief.\n");
    write(".gitignore", "node_modules\n.agent");
    const read = (path: string) => readFileSync(join(root, path), "utf8");
    const first = await typed(["init", "--json", "--name", "shop", "--position", "sells goods -->"], {
      cwd: root,
    });
    expect((first.json() as unknown as Result).updated).toEqual([".gitignore", "AGENTS.md", "CLAUDE.md"]);
    expect(read("AGENTS.md").startsWith(`${mine}\n\n<!-- accrue:start`)).toBe(true);
    expect(read("AGENTS.md")).toContain("**shop**: sells goods \n");
    expect(read("AGENTS.md").match(/-->/g)).toHaveLength(2);
    expect(read("CLAUDE.md")).toBe("Be brief.\n\n<!-- accrue:start -->\n@AGENTS.md\n<!-- accrue:end -->\n");
    expect(read(".gitignore")).toBe("node_modules\n.agent\n/context/session/\n/workspace/\n");
    write("AGENTS.md", `${read("AGENTS.md")}\nMine below.\n`);
    await typed(["init", "--name", "store"], { cwd: root });
    expect(read("AGENTS.md")).toContain("**store**");
    expect(read("AGENTS.md")).not.toContain("**shop**");
    expect(read("AGENTS.md").endsWith("\nMine below.\n")).toBe(true);
    expect(read("AGENTS.md").startsWith(mine)).toBe(true);
  });

  it("seeds what manifests say, with evidence, and what a person says (S2)", async () => {
    const { root, write } = personalRepository(join(folder, "seeds"), { files: false });
    write(
      "package.json",
      JSON.stringify({
        scripts: { test: "vitest", lint: "x", start: "node ." },
        dependencies: { express: "5", pg: "8", "express-session": "1" },
      }),
    );
    write("Dockerfile", "FROM node:20 AS build\nFROM gcr.io/distroless/nodejs20\n");
    write(
      "compose.yml",
      "services:\n  web:\n    image: x\n  cache:\n    image: redis:7\nvolumes:\n  data:\n",
    );
    write(".env.example", "# comment\nDATABASE_URL=postgres://secret\nexport PORT=1\n");
    write("Makefile", "check: all\n\techo\nVAR:=1\n");
    write(".github/workflows/ci.yml", "on: push\n");
    const args = [
      "init",
      "--json",
      "--position",
      "虚拟商品商城",
      "--services",
      "goods-service, ../evil，wallet",
    ];
    const { created } = (await typed(args, { cwd: root })).json() as unknown as Result;
    expect(created).toEqual(
      expect.arrayContaining([
        "context/business/overview.md",
        "context/tech/services/goods-service.md",
        "context/tech/services/wallet.md",
        "context/tech/stack.md",
      ]),
    );
    expect(created.join()).not.toContain("evil");
    const stack = readFileSync(join(root, "context/tech/stack.md"), "utf8");
    expect(stack.replace(/sha256:[0-9a-f]{16}/g, "sha256:…")).toBe(`# 技术栈

## 框架

- \`express\`
- 证据: \`package.json\` sha256:…

## 数据存储

- \`redis\`
- \`postgresql\`
- 证据: \`compose.yml\` sha256:…
- 证据: \`package.json\` sha256:…

## 部署

- \`GitHub Actions workflow ci\`
- \`container from gcr.io/distroless/nodejs20\`
- \`compose services web, cache\`
- 证据: \`.github/workflows/ci.yml\` sha256:…
- 证据: \`Dockerfile\` sha256:…
- 证据: \`compose.yml\` sha256:…

## 环境变量

- \`DATABASE_URL\`
- \`PORT\`
- 证据: \`.env.example\` sha256:…

## 检查命令

- \`make check\`
- \`npm test\`
- \`npm run lint\`
- 证据: \`Makefile\` sha256:…
- 证据: \`package.json\` sha256:…
`);
    expect(readFileSync(join(root, "AGENTS.md"), "utf8")).toContain(
      "## Checks\n\n- `make check`\n- `npm test`\n",
    );
  });
});

describe("the questions of accrue init", () => {
  const QUESTIONS = [
    { question: "Name", offered: "shop" },
    { question: "Purpose", offered: "" },
  ];
  const terminal = (isTTY: boolean) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    for (const stream of [input, output]) Object.assign(stream, { isTTY });
    const shown: string[] = [];
    output.on("data", (chunk: Buffer) => shown.push(chunk.toString()));
    const interview = terminalInterviewer(input as never, output as never);
    return { input, interview, shown: () => shown.join("") };
  };
  const signal = new AbortController().signal;

  it("are answered line by line, also pasted at once; Enter takes what is offered", async () => {
    const { input, interview, shown } = terminal(true);
    const answers = interview?.(QUESTIONS, signal);
    input.write("\n 虚拟商品商城 \n");
    expect(await answers).toEqual(["shop", "虚拟商品商城"]);
    expect(shown()).toContain("Name (shop): ");
    expect(shown()).toContain("Purpose: ");
  });

  it("are left by Ctrl-C, the end of the input, or a signal; then nothing is written", async () => {
    const leaving = [
      (input: PassThrough) => input.write("\u0003"),
      (input: PassThrough) => input.end(),
      (_: PassThrough, stop: AbortController) => stop.abort(),
    ];
    for (const leave of leaving) {
      const { input, interview } = terminal(true);
      const stop = new AbortController();
      const answers = interview?.(QUESTIONS, stop.signal);
      setImmediate(() => leave(input, stop));
      await expect(answers).rejects.toMatchObject({ code: "RUN_STOPPED" });
    }
  });

  it("are asked of nobody where no person sits at a terminal", () => {
    expect(terminal(false).interview).toBeNull();
  });

  it("are not needed again: what was said the last time stays", async () => {
    const { root } = personalRepository(join(folder, "again"), { files: false });
    await typed(["init", "--name", "shop", "--position", "sells goods"], { cwd: root });
    const first = readFileSync(join(root, "AGENTS.md"), "utf8");
    const { updated } = (await typed(["init", "--json"], { cwd: root })).json() as unknown as Result;
    expect([updated, readFileSync(join(root, "AGENTS.md"), "utf8")]).toEqual([[], first]);
  });
});
