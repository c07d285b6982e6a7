import { expect, test } from "vitest";
import { inertLine, inertSubject, inertText } from "../../src/shared/index.js";

test.each([
  ["names", "thanks @alice and @acme/core", "thanks `@alice` and `@acme/core`"],
  ["a name behind a sign", "(@alice) /@bob", "(`@alice`) /`@bob`"],
  ["an escaped name", String.raw`\@alice`, "`@alice`"],
  ["an entity", "&#64;alice &commat;bob", "&amp;#64;alice &amp;commat;bob"],
  ["a stray backtick before a name", "a ` b @alice", "a \\` b `@alice`"],
  ["an open fence", "```\n@alice", "\\`\\`\\` `@alice`"],
  ["HTML", "<img src=x> <details> <!-- a", "&lt;img src=x> &lt;details> &lt;!-- a"],
  ["an image", "![x](http://a.example/x.png)", "\\![x](http://a.example/x.png)"],
  ["what would close an issue", "Closes #7, fixes: a/b#8", "Closes `#7`, fixes: `a/b#8`"],
  ["an open fence of tildes", "~~~ x", "\\~~~ x"],
])("%s in words of others take no effect", (_, text, inert) => {
  expect(inertLine(text)).toBe(inert);
});

test("an address that would close an issue is shown as code", () => {
  expect(inertLine("resolves https://github.com/a/b/issues/7")).toBe(
    "resolves `https://github.com/a/b/issues/7`",
  );
});

test.each([
  "mail a@example.com",
  "`@alice` and ``a ` @bob``",
  "https://example.com/@alice",
  "see #7 & *that*, 3 < 4 is not kept",
])("%s keeps what is harmless", (text) => {
  expect(inertLine(text)).toBe(text.replace("<", "&lt;"));
});

test("a subject line of git names nobody and closes nothing", () => {
  expect(inertSubject("ask @alice,\nfixes #12 and closes GH-3 as a@b.example said of #4")).toBe(
    "ask alice, fixes 12 and closes 3 as a@b.example said of #4",
  );
});

test("ends soon on hostile texts of the largest size that GitHub takes", () => {
  expect(inertLine("`".repeat(65_536)).length).toBeGreaterThan(0);
  expect(inertLine("``a`".repeat(16_384)).length).toBeGreaterThan(0);
  expect(inertLine("@a-".repeat(21_845)).length).toBeGreaterThan(0);
});

test("several lines keep their paragraphs, lists and code blocks, and notify nobody", () => {
  expect(inertText("Ask @alice.\n\n- one\n  - `@two`\n\n```ts\n@Decorated()\n```\nfixes #12")).toBe(
    "Ask `@alice`.\n\n- one\n  - `@two`\n\n```ts\n@Decorated()\n```\nfixes `#12`",
  );
});

test("code that quotes a marker of ours does not pass for the comment that it marks", () => {
  expect(inertLine("see `<!-- accrue:status REQ-1 -->`")).toBe("see `<!- accrue:status REQ-1 -->`");
  expect(inertText("```\n<!-- accrue:status REQ-1 -->\n<!-- x -->\n```")).toBe(
    "```\n<!- accrue:status REQ-1 -->\n<!-- x -->\n```",
  );
});

test.each([
  ["a block that nobody closes", "```\n@a", "```\n@a\n```"],
  ["a block within a list, which its next item ends", "- x\n  ```\n@alice", "- x\n  \\`\\`\\`\n`@alice`"],
  ["a block that another kind of sign does not end", "~~~\n```\n~~~\n@alice", "~~~\n```\n~~~\n`@alice`"],
  ["a line that only looks like the begin of one", "```a`\n@alice", "\\`\\``a`\n`@alice`"],
  ["lines of an old Macintosh", "```\r@a\r```\r@alice", "```\n@a\n```\n`@alice`"],
])("%s lets no name out", (_, text, inert) => {
  expect(inertText(text)).toBe(inert);
});
