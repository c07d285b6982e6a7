import { describe, expect, it } from "vitest";
import { createMarkdown, type MarkdownLinks } from "../../src/forge/pages/markdown.js";

const LINKS: MarkdownLinks = {
  issue: (number) => (number === 12 ? "/acme/shop/issues/12" : null),
  account: (login) => (login === "lee" ? "/lee" : null),
  file: (path) => `/acme/shop/blob/main/${path}`,
};
const render = createMarkdown();
const shown = (source: string) =>
  render(source, LINKS).markup.replaceAll(' rel="nofollow noopener"', "").trim();
const tagsOf = (markup: string) => (markup.match(/<[^>]*>/g) ?? []).join("");

describe("Markdown", () => {
  it("knows tables, strikethrough, task lists and folded parts", () => {
    expect(shown("| a | b |\n| --- | ---: |\n| 1 | 2 |")).toContain('<th align="right">b</th>');
    expect(shown("~~old~~")).toBe("<p><s>old</s></p>");
    expect(shown("- [x] done\n- [ ] open")).toBe(
      '<ul>\n<li class="task"><input type="checkbox" disabled checked=""> done</li>\n<li class="task"><input type="checkbox" disabled> open</li>\n</ul>',
    );
    const folded = shown("<details open><summary>More</summary>\n\n**x**\n</details>\n<sub>small</sub>");
    expect(folded).toContain(
      '<details open=""><summary>More</summary>\n<p><strong>x</strong></p>\n</details>',
    );
    expect(folded).toContain("<sub>small</sub>");
  });

  it("links issues and people that exist, outside of code and links", () => {
    expect(shown("see #12, #13, @lee and @nobody, mail a@lee.com")).toContain(
      'see <a href="/acme/shop/issues/12">#12</a>, #13, <a href="/lee">@lee</a> and @nobody',
    );
    expect(shown("`#12` [#12](https://example.com)")).toBe(
      '<p><code>#12</code> <a href="https://example.com">#12</a></p>',
    );
    expect(shown('<a href="https://example.com">@lee</a>')).not.toContain('"/lee"');
  });

  it("leads relative addresses to files", () => {
    expect(shown("[x](src/a.ts#L3)")).toContain('href="/acme/shop/blob/main/src/a.ts#L3"');
    expect(shown("[x](#top) [y](/a/b)")).toMatch(/href="#top".*href="\/a\/b"/);
  });

  it("draws a bar chart, and shows any other diagram as text", () => {
    const chart = shown('```mermaid\nxychart-beta\n  title "<b>"\n  x-axis ["a", "b"]\n  bar [1, 0.5]\n```');
    expect(chart.match(/<rect/g)).toHaveLength(2);
    expect(chart).toContain("&lt;b&gt;");
    expect(shown("```mermaid\ngraph TD; a-->b\n```")).toContain(
      '<code class="language-mermaid">graph TD; a--&gt;b',
    );
    expect(shown("```mermaid\nxychart-beta\n  bar [x]\n```")).toContain("language-mermaid");
    expect(shown("\u00000\u0000 &#0;")).not.toContain("<svg");
  });

  it.each([
    ["<script>alert(1)</script>", "alert"],
    ["a <script>alert(1)", "alert"],
    ["<ScRiPt src=//x>y</sCrIpT >", "script"],
    ["<style>body{display:none}</style>", "display"],
    ['<img src=x onerror="alert(1)">', "onerror"],
    ["<img src='x'onerror=alert(1)>", "onerror"],
    ['<a href="javascript:alert(1)">x</a>', "javascript"],
    ['<a href="java\tscript:alert(1)">x</a>', "script:"],
    ['<a href="&#106;avascript&colon;alert(1)">x</a>', "avascript"],
    ['<a href=" &#x1;javascript:alert(1)">x</a>', '"javascript'],
    ["[x](javascript:alert(1))", "href"],
    ["[x](data:text/html;base64,x)", "href"],
    ['<a href="vbscript:x">x</a>', "vbscript"],
    ["<iframe srcdoc='<script>1</script>'></iframe>", "<iframe"],
    ["<svg onload=alert(1)><circle/></svg>", "<svg"],
    ["<math><mi xlink:href='javascript:1'>", "<m"],
    ["<form action=/x><button>y</button></form>", "<form"],
    ["<meta http-equiv=refresh content=0>", "<meta"],
    ["<base href=//x>", "<base"],
    ['<div style="position:fixed">x</div>', "style"],
    ['<p id="issue-1" class="state open">x</p>', "state"],
    ['<details ontoggle="x" open>y</details>', "ontoggle"],
    ["<input type=text value=x autofocus>", "autofocus"],
    ["<a\nhref=javascript:alert(1)\n>x</a>", "javascript"],
    ["<!-- hidden <b> -->", "<b>"],
    ['<a title="a>b" onclick="x">y</a>', "onclick"],
    ["`<b onclick=1>`\n\n<b onclick=1>z</b>", "<b onclick"],
  ])("makes %s harmless", (source, gone) => {
    expect(tagsOf(shown(source))).not.toContain(gone);
  });

  it("drops code and comments with their content, and marks links as a stranger's", () => {
    const source = "a\n\n<script>alert(1)</script>\n\n<style>b{}</style>\n\n<!-- hidden -->\n\nz";
    expect(shown(source).replaceAll(/\s+/g, "")).toBe("<p>a</p><p>z</p>");
    expect(shown("a <script>alert(1)")).toBe("<p>a </p>");
    expect(render("[x](https://example.com)", LINKS).markup).toContain('rel="nofollow noopener"');
  });

  it("closes what a comment left open, and keeps what closes nothing from the page", () => {
    expect(shown("<details><summary>x\n\n<b>")).toMatch(/<\/b><\/summary><\/details>$/);
    expect(shown("</section></div></table>\n\ntext")).toBe("<p>text</p>");
    expect(shown("1 < 2 > 0 & <3")).toBe("<p>1 &lt; 2 &gt; 0 &amp; &lt;3</p>");
  });

  it("reads hostile text of the largest size", () => {
    for (const unit of ["<", "<a ", "<!--", '<a "', "<script", "[", "`", "<b>", "*a", "#1 ", "@a"]) {
      expect(shown(unit.repeat(Math.floor(65_536 / unit.length)))).not.toContain("<script");
    }
  });
});
