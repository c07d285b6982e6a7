import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Workspace } from "../../src/workspace/index.js";
import { type Fixture, makeFixture } from "./fixture.js";

let fixture: Fixture;
let workspace: Workspace;
let outside = "";

beforeEach(async () => {
  fixture = makeFixture();
  workspace = await fixture.open();
  outside = join(fixture.root, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "secret"), "SECRET");
});
afterEach(() => fixture.close());

const inTree = (...parts: string[]) => join(workspace.path, ...parts);
const read = async (path: string) => (await workspace.files.read(path))?.toString() ?? null;

describe("files", () => {
  it("writes what it is given and reads it back, byte for byte", async () => {
    const bytes = Buffer.from([0, 255, 13, 10]);
    await workspace.files.write("deep/er/故事.bin", bytes);
    expect((await workspace.files.read("deep/er/故事.bin"))?.equals(bytes)).toBe(true);
    await workspace.files.write("./deep//er/../text.txt", "t");
    expect(await read("deep/text.txt")).toBe("t");
  });

  it("keeps the mode of a file, and gives new ones to the box's user", async () => {
    await workspace.files.write("run.sh", "1");
    await workspace.box.run({ command: "chmod 755 run.sh", timeoutMs: 10_000 }, fixture.signal);
    await workspace.files.write("run.sh", "2");
    await workspace.files.write("new/folder/file", "3");
    expect(statSync(inTree("run.sh")).mode & 0o777).toBe(0o755);
    const { output } = await workspace.box.run(
      {
        command: "echo 4 >> new/folder/file && echo 5 > new/other && cat new/folder/file",
        timeoutMs: 10_000,
      },
      fixture.signal,
    );
    expect(output).toBe("34\n");
  });

  it("is null for what is not there, also below a file", async () => {
    expect(await workspace.files.read("nothing")).toBeNull();
    expect(await workspace.files.read("no/thing")).toBeNull();
    expect(await workspace.files.read("README.md/x")).toBeNull();
    expect(await workspace.files.remove("nothing")).toBe(false);
  });

  it("removes a file, and of a link the link", async () => {
    symlinkSync("README.md", inTree("link"));
    expect(await workspace.files.remove("link")).toBe(true);
    expect(existsSync(inTree("README.md"))).toBe(true);
    await expect(workspace.files.remove("src")).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });

  it("lists tracked and new files without ignored ones, below a folder too", async () => {
    await workspace.files.write(".gitignore", "*.log\n");
    await workspace.files.write("a.log", "");
    await workspace.files.write("src/[x].txt", "");
    await workspace.files.write("src2/b.txt", "");
    await workspace.files.remove("README.md");
    expect(await workspace.files.list()).toEqual([".gitignore", "src/[x].txt", "src/a.txt", "src2/b.txt"]);
    expect(await workspace.files.list("./src/")).toEqual(["src/[x].txt", "src/a.txt"]);
    expect(await workspace.files.list("src/[x].txt")).toEqual(["src/[x].txt"]);
  });

  it("FI-04 follows a link that stays inside and copes with one that leads nowhere", async () => {
    symlinkSync("README.md", inTree("CLAUDE.md"));
    symlinkSync("../README.md", inTree("src/up.md"));
    symlinkSync("nowhere", inTree("dangling"));
    symlinkSync("loop", inTree("loop"));
    symlinkSync("src", inTree("folder"));
    expect(await read("CLAUDE.md")).toBe("# Shop\n");
    expect(await read("src/up.md")).toBe("# Shop\n");
    expect(await read("folder/a.txt")).toBe("one\ntwo\nthree\n");
    expect(await read("dangling")).toBeNull();
    await expect(read("loop")).rejects.toMatchObject({ code: "INPUT_INVALID" });
    await workspace.files.write("CLAUDE.md", "edited");
    expect(readFileSync(inTree("README.md"), "utf8")).toBe("edited");
  });
});

describe("files never leave the workspace", () => {
  it.each(["../outside/secret", "/etc/passwd", "src/../../outside/secret", "a\0b", ".."])(
    "SE-61 by the path %j",
    async (path) => {
      await expect(workspace.files.read(path)).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
      await expect(workspace.files.write(path, "x")).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
      await expect(workspace.files.remove(path)).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
    },
  );

  it("by a link, at the end or on the way, to read, write or remove", async () => {
    symlinkSync(join(outside, "secret"), inTree("result.md"));
    symlinkSync(outside, inTree("folder"));
    symlinkSync("../../../../../../../outside", inTree("relative"));
    symlinkSync("folder", inTree("twice"));
    for (const path of ["result.md", "folder/secret", "relative/secret", "twice/secret"]) {
      await expect(workspace.files.read(path)).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
      await expect(workspace.files.write(path, "PWN")).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
    }
    await expect(workspace.files.remove("folder/secret")).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("SECRET");
  });

  it.each([".git/config", "sub/.GIT/hooks/pre-push", ".git"])("into git's own %s", async (path) => {
    await expect(workspace.files.write(path, "x")).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });

  it("T12 and do not hang or fail on pipes, sockets, folders and huge files", async () => {
    execFileSync("mkfifo", [inTree("fifo.md")]);
    writeFileSync(inTree("huge"), "");
    truncateSync(inTree("huge"), 5 * 1024 ** 3);
    const server = createServer().listen(inTree("s"));
    await new Promise((resolve) => server.once("listening", resolve));
    for (const path of ["fifo.md", "src", "huge", "s"]) {
      await expect(workspace.files.read(path)).rejects.toMatchObject({ code: "INPUT_INVALID" });
    }
    await expect(workspace.files.write("fifo.md", "x")).rejects.toMatchObject({ code: "INPUT_INVALID" });
    await expect(workspace.files.write("README.md/x", "x")).rejects.toMatchObject({ code: "INPUT_INVALID" });
    await expect(workspace.files.write("big", Buffer.alloc(11 * 1024 * 1024))).rejects.toThrow(
      /bytes, more than/,
    );
    await expect(workspace.files.read("n".repeat(300))).rejects.toMatchObject({ code: "WORKSPACE_FAILED" });
    await new Promise((resolve) => server.close(resolve));
  });

  it("T12 while somebody swaps a folder for a link all the time", async () => {
    const flipper = await startFlipping();
    const counts = { done: 0, refused: 0 };
    for (let i = 0; i < 400; i++) {
      await workspace.files.write("d/secret", "PWN").then(
        () => counts.done++,
        () => counts.refused++,
      );
      const seen = await workspace.files.read("d/secret").catch(() => null);
      expect(seen?.toString() ?? "").not.toBe("SECRET");
    }
    flipper.kill("SIGKILL");
    expect(counts.done + counts.refused).toBe(400);
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("SECRET");
  });
});

async function startFlipping(): Promise<ChildProcess> {
  mkdirSync(inTree("real"));
  symlinkSync(outside, inTree("link"));
  const script = `
    const fs = require("node:fs"); process.chdir(${JSON.stringify(workspace.path)});
    fs.symlinkSync("real", "d"); console.log("ready");
    for (;;) { fs.renameSync("link", "x"); fs.renameSync("d", "link"); fs.renameSync("x", "d"); }`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"] });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return child;
}
