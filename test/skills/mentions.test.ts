import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/shared/index.js";
import { ATTACHMENT_LIMITS, expandMentions, workspaceTexts } from "../../src/skills/index.js";
import { openLocalWorkspace } from "../support/local-workspace.js";

const FILES: Record<string, string> = {
  "src/a.ts": "a",
  "src/b.ts": "b",
  "src/it's here.ts": "spaces",
  "src/deep/c.ts": "c",
  "app/(group)/[id]/page.tsx": "page",
  "文档/设计.md": "设计",
  "docs/guide.md": "guide",
  Makefile: "all:",
  "octocat/x.md": "x",
  "packages/@scope/pkg/index.js": "scoped",
  "many/1.txt": "1",
};

let workspace: Awaited<ReturnType<typeof openLocalWorkspace>>;
beforeAll(async () => {
  workspace = await openLocalWorkspace();
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(workspace.root, path)), { recursive: true });
    await writeFile(join(workspace.root, path), text);
  }
  await writeFile(join(workspace.base, "secret.txt"), "secret");
  await symlink(join(workspace.base, "secret.txt"), join(workspace.root, "src/link.txt"));
  await symlink(workspace.base, join(workspace.root, "out"));
});
afterAll(() => workspace.close());

const mentions = (text: string, limits = ATTACHMENT_LIMITS) =>
  expandMentions(text, workspaceTexts(workspace.context.files), limits, new AbortController().signal);
const pathsIn = async (text: string) => (await mentions(text)).files.map(({ path }) => path);

describe("a mention of a file", () => {
  it.each<[string, string[]]>([
    ["look at @src/a.ts", ["src/a.ts"]],
    ["@./src/a.ts, @src/b.ts.", ["src/a.ts", "src/b.ts"]],
    ["(see @src/a.ts)!? **@src/b.ts** _@docs/guide.md_", ["src/a.ts", "src/b.ts", "docs/guide.md"]],
    ["at @src/a.ts:12 and @src/b.ts:1-9, @docs/guide.md#L3-L5", ["src/a.ts", "src/b.ts", "docs/guide.md"]],
    ["@app/(group)/[id]/page.tsx", ["app/(group)/[id]/page.tsx"]],
    ['@"src/it\'s here.ts"', ["src/it's here.ts"]],
    ["'@src/a.ts' \"@src/b.ts\"", ["src/a.ts", "src/b.ts"]],
    ["请看@文档/设计.md，谢谢", ["文档/设计.md"]],
    ["请看@src/a.ts的测试和「@src/b.ts」", ["src/a.ts", "src/b.ts"]],
    ["@Makefile @src/a.ts @src/a.ts", ["Makefile", "src/a.ts"]],
    ["@packages/@scope/pkg/index.js", ["packages/@scope/pkg/index.js"]],
  ])("brings it in: %j", async (text, paths) => {
    expect(await pathsIn(text)).toEqual(paths);
  });

  it.each([
    "RT-85: use `x` from @inertiajs/react, @types/node and @repo//pkg:target",
    "RT-86: @octocat please look, mail a@b.com, a_@src/b.ts or src@src/a.ts",
    "RT-86: shown\n```ts\n@Component()\n@src/a.ts\n```\nand `@src/a.ts`, ``@src/b.ts ` ``",
    "> quoted @src/a.ts",
    "<!-- hidden @src/a.ts --> https://x.dev/@src/a.ts",
    "@src/*.ts @src/a @a.ts @src/a.ts.bak @src/A.ts @src/a.tsx",
    "@../secret.txt @src/../../secret.txt @/etc/passwd @~/x @src//a.ts @src/./a.ts @.git/config",
    "@src/link.txt @out/secret.txt @out/ @out/work/src/a.ts",
    "@ @/ @. @.. @./ @\"\" @'' @docs @src\\a.ts @%2e%2e/secret.txt @src/a.ts\0",
    '@"../secret.txt" @"/etc/passwd" @\'src/../src/a.ts\'',
  ])("leaves other text alone: %j", async (text) => {
    expect(await mentions(text)).toEqual({ files: [], notices: [] });
  });

  it("of a folder brings in its files, a name alone being a person's", async () => {
    expect(await pathsIn("@src/ and @octocat")).toEqual([
      "src/a.ts",
      "src/b.ts",
      "src/deep/c.ts",
      "src/it's here.ts",
    ]);
    expect(await pathsIn("@src/deep, @octocat/")).toEqual(["src/deep/c.ts", "octocat/x.md"]);
  });

  it("stays within the limits and says what is missing", async () => {
    const { files } = workspace.context;
    await files.write("big/long.txt", `${"行\n".repeat(2500)}end\r\n`);
    await files.write("big/wide.txt", "word ".repeat(20_000));
    await files.write("big/one.txt", "one\r\ntwo");
    await files.write("big/data.bin", Buffer.from([1, 0, 2]));
    const long = await mentions("@big/long.txt @big/wide.txt @big/data.bin");
    expect(long.files.map(({ path }) => path)).toEqual(["big/long.txt"]);
    expect(long.notices).toEqual([
      "big/long.txt: the first 2000 of 2502 lines.",
      "big/wide.txt: left out, there is no room for it.",
      "big/data.bin: left out: it is no text.",
    ]);
    const folder = await mentions("@big/");
    expect(folder.files).toEqual([{ path: "big/one.txt", content: "one\r\ntwo" }]);
    expect(folder.notices).toEqual(["big/: 3 of 4 files left out: too large, no text, or no room."]);
    const few = await mentions("@src/", { lines: 2000, tokens: 3 });
    expect(few.files.map(({ path }) => path)).toEqual(["src/a.ts", "src/b.ts", "src/deep/c.ts"]);
    expect(few.notices).toEqual(["src/: 1 of 4 files left out: too large, no text, or no room."]);
    const tight = await mentions("@big/long.txt @src/", { lines: 2000, tokens: 50 });
    const total = tight.files.reduce((sum, { content }) => sum + estimateTokens(content), 0);
    expect(total).toBeLessThanOrEqual(50);
    expect(tight.notices[0]).toMatch(/the first \d+ of 2502 lines/);
  });

  it("in a text made to cost much is found or not without many look-ups", async () => {
    let lookUps = 0;
    const texts = workspaceTexts(workspace.context.files);
    const counted = { ...texts, isFile: (path: string) => ((lookUps += 1), texts.isFile(path)) };
    const text = `@a/${")".repeat(390)} `.repeat(1000) + "`".repeat(10_000) + "@".repeat(10_000);
    const found = await expandMentions(text, counted, ATTACHMENT_LIMITS, new AbortController().signal);
    expect(found.files).toEqual([]);
    expect(lookUps).toBeLessThanOrEqual(50 * 20);
  });

  it("never leads out of the workspace, whatever is written", async () => {
    const piece = fc.constantFrom(
      "..",
      ".",
      "/",
      "\\",
      "~",
      "secret.txt",
      "src",
      "a.ts",
      "link.txt",
      "out",
      '"',
      " ",
      "@",
      "%2e",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const { files } = await mentions(`@${pieces.join("")}`);
        for (const { path, content } of files) expect(content).toBe(FILES[path]);
      }),
      { numRuns: 200 },
    );
  });
});
