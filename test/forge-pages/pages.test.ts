import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { playScene, type Scene } from "./scene.js";

let scene: Scene;
beforeAll(async () => {
  scene = await playScene();
});
afterAll(() => scene.close());

describe("pages", () => {
  it("show an issue with its state, labels, comments and reactions", async () => {
    const { status, html, text } = await scene.page(`/acme/shop/issues/${scene.issue}`);
    expect(status).toBe(200);
    expect(html).toContain("Add CSV export &amp; &lt;script&gt;");
    expect(html).not.toContain("<script");
    expect(text).toContain("lee opened this issue 2026-03-01 12:00 UTC · 1 comment agent enhancement");
    expect(text).toContain("accrue bot commented");
    expect(text).toContain("👀 1");
    expect(text).toContain("👍 1");
    expect(html).toContain(`id="issuecomment-${scene.commentId}"`);
  });

  it("show a pull request with its branch, review, bill and checks", async () => {
    const { html, text } = await scene.page(`/acme/shop/pull/${scene.pull}`);
    expect(text).toContain(
      "Draft accrue bot wants to merge 1 commit into main from agent/REQ-1-csv-export +3 −1",
    );
    expect(text).toContain("lee requested changes");
    expect(text).toContain("Use a constant here.");
    expect(text).toContain("Failed: 2 type errors after 3 tries");
    expect(html).toContain(
      `href="/acme/shop/issues/${scene.issue}" rel="nofollow noopener">#${scene.issue}</a>`,
    );
    expect(html).toContain("<svg");
    const asIssue = await scene.page(`/acme/shop/issues/${scene.pull}`);
    expect(asIssue.html).toBe(html);
  });

  it("show a diff in its colours with the comment at its line", async () => {
    const { html } = await scene.page(`/acme/shop/pull/${scene.pull}/files`);
    expect(html).toContain('<tr class="minus"><td>2</td><td></td><td><pre>-  return value;</pre></td></tr>');
    const rows = html.split('<tr class="');
    const commented = rows.findIndex((row) => row.startsWith("note"));
    expect(rows[commented - 1]).toContain("<td>3</td>");
    expect(html.match(/class="box file"/g)).toHaveLength(2);
  });

  it("show commits, and each with its own diff", async () => {
    const list = await scene.page(`/acme/shop/pull/${scene.pull}/commits`);
    expect(list.html).toContain(`/acme/shop/commit/${scene.head}`);
    const one = await scene.page(`/acme/shop/commit/${scene.head}`);
    expect(one.text).toContain("Quote values with commas");
    expect(one.html).toContain('class="plus"');
    expect((await scene.page(`/acme/shop/commit/${"0".repeat(40)}`)).status).toBe(404);
  });

  it("show a check run with summary, details, annotations and buttons", async () => {
    const { html, text } = await scene.page(`/acme/shop/runs/${scene.checkRun}`);
    expect(text).toContain("Failure accrue for");
    expect(text).toContain("took 2 min 10 s");
    expect(html).toContain("<pre>Type &lt;T&gt; is wrong</pre>");
    expect(html).toContain(`/acme/shop/blob/${scene.head}/src/export/csv.ts#L2`);
    expect(text).toContain("Retry");
    expect((await scene.page(`/acme/shop/pull/${scene.pull}/checks`)).text).toContain(
      "accrue Failed: 2 type errors",
    );
  });

  it("show the repository's files with its README", async () => {
    const { html, text } = await scene.page("/acme/shop");
    expect(text).toContain("lee Add the export &lt;b&gt;module&lt;/b&gt;");
    expect(html).toContain('<a href="/acme/shop/tree/main/src">src</a>');
    expect(html).toContain(
      '<a href="/acme/shop/blob/main/src/export/csv.ts" rel="nofollow noopener">the export</a>',
    );
    expect((await scene.page("/acme/shop/tree/main/src")).text).toContain("a.ts");
  });

  it("show a file with numbered lines, on a branch with slashes in its name", async () => {
    const { html } = await scene.page(`/acme/shop/blob/${scene.branch}/src/export/csv.ts`);
    expect(html).toContain('<tr id="L2"><td><a href="#L2">2</a></td><td><pre>export function quote');
    const bySha = await scene.page(`/acme/shop/blob/${scene.head}/src/export/csv.ts`);
    expect(bySha.html).toContain('id="L4"');
  });

  it("show Markdown files rendered, with their head and source, and say what they cannot show", async () => {
    const { html, text } = await scene.page("/acme/shop/blob/main/docs/%E6%8C%87%E5%8D%97.md");
    expect(text).toContain("title: 指南");
    expect(html).toContain('href="/acme/shop/blob/main/src/a.ts"');
    expect(html).toContain('<summary class="empty">Source</summary>');
    expect((await scene.page("/acme/shop/blob/main/bin/logo.bin")).text).toContain(
      "A binary file is not shown.",
    );
  });

  it("list issues, pull requests and repositories", async () => {
    expect((await scene.page("/acme/shop/issues")).text).toContain(`1 open 0 closed`);
    expect((await scene.page("/acme/shop/pulls")).text).toContain("Add CSV export");
    expect((await scene.page("/")).html).toContain('<a href="/acme/shop"><b>acme/shop</b></a>');
    expect((await scene.page("/lee")).text).toContain("There are no repositories.");
  });

  it("show an empty repository, and one with a first commit only", async () => {
    await scene.world.forge.control.addRepository({ owner: "acme", name: "empty" });
    expect((await scene.page("/acme/empty")).text).toContain("This repository is empty.");
    const sha = await scene.world.forge.control.commit({
      repository: "acme/empty",
      branch: "main",
      files: { a: "1\n" },
      message: "First",
      login: "lee",
    });
    expect((await scene.page(`/acme/empty/commit/${sha}`)).html).toContain("<pre>+1</pre>");
  });

  it.each([
    "/acme/none",
    "/nobody",
    "/acme/shop/issues/999",
    "/acme/shop/issues/x",
    "/acme/shop/pull",
    "/acme/shop/blob/main/none.ts",
    "/acme/shop/blob/main/..%2f..%2fetc",
    "/acme/shop/blob/--help/x",
    "/acme/shop/blob/main/a%0Ab",
    "/acme/shop/commit/--output=x",
    "/acme/shop/runs/1",
    "/acme/shop/settings",
    "/%E0%A4%A",
  ])("have nothing at %s", async (path) => {
    expect((await scene.page(path)).status).toBe(404);
  });

  it("carry a policy that lets nothing run, and escape every name", async () => {
    const page = await scene.page(`/acme/shop/issues/${scene.issue}`);
    expect(page.html).toContain("default-src &#39;none&#39;");
    await scene.world.ask("POST", "/repos/acme/shop/labels", {
      token: scene.world.lee,
      body: { name: '"><b>', color: "ff0000" },
    });
    await scene.world.ask("POST", `/repos/acme/shop/issues/${scene.issue}/labels`, {
      token: scene.world.lee,
      body: { labels: ['"><b>'] },
    });
    expect((await scene.page("/acme/shop/issues")).html).toContain("&quot;&gt;&lt;b&gt;");
  });

  it("name a deleted person a ghost, and show who closed an issue", async () => {
    await scene.world.ask("PATCH", `/repos/acme/shop/issues/${scene.issue}`, {
      token: scene.world.bot,
      body: { state: "closed" },
    });
    scene.world.forge.control.deleteUser("lee");
    const { text } = await scene.page(`/acme/shop/issues/${scene.issue}`);
    expect(text).toContain("Closed ghost opened this issue");
    expect(text).toContain("accrue bot closed this");
  });
});
