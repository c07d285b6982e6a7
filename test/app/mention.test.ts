import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readComment } from "./events.js";

const heard = (body: string) => !("ignored" in readComment(body));

describe("TR-05: a mention", () => {
  it.each([
    ["@agent!"],
    ["(@agent)"],
    ["@agent,"],
    ["@agent"],
    ["please @agent."],
    ["cc:@agent fix it"],
    ["@agent's turn"],
    ["请@agent看看"],
    ["@agent记住这个"],
    ["，@agent：停止"],
    ["text\n- @agent fix"],
    ["@agent- fix"],
  ])("is heard in %j", (body) => expect(heard(body)).toBe(true));

  it.each([
    ["@agent-bot"],
    ["user@agent.io"],
    ["`@agent`"],
    ["@agentx"],
    ["@agent_x"],
    ["@agent/team"],
    ["x@agent"],
    ["@agent.io is a host"],
    ["@@agent"],
    ["thanks!"],
    [""],
  ])("is not heard in %j", (body) => expect(heard(body)).toBe(false));

  it.each([["@Agent please"], ["@AGENT stop"], ["@Accrue fix it"], ["@accrue[bot] fix it"]])(
    "TR-04: is heard in any case and by the app's own handle: %j",
    (body) => expect(heard(body)).toBe(true),
  );
});

describe("TR-01: a mention is not heard where it is only shown", () => {
  it.each([
    ["an address", "see https://example.com/@agent/issues or http://x.y?u=@agent"],
    ["a fence", "```\n@agent stop\n```"],
    ["a fence with tildes that holds a shorter one", "~~~~\n~~~\n@agent stop\n~~~\n~~~~"],
    ["a fence in a list", "- ```sh\n  @agent stop\n  ```"],
    ["a fence that never ends", "```\n@agent stop"],
    ["a quote", "> @agent stop\n\nI agree"],
    ["inline code over two lines", "`a\n@agent stop` b"],
    ["inline code with two backticks", "``a ` @agent stop ``"],
    ["a hidden comment", "<!-- @agent stop --> nothing"],
    ["a hidden comment that never ends", "text <!-- @agent stop"],
    ["code by its indentation", "see:\n\n    @agent stop\n    more\n\nok"],
    ["code by its indentation at the beginning", "\t@agent stop"],
    ["an element of code", "say <code>@agent stop</code> to end it"],
    ["an element of preformatted text", "<PRE class=x>\n@agent stop\n</PRE>"],
    ["a quote in HTML", "<blockquote>\n\n@agent stop\n</blockquote>"],
  ])("such as %s", (_, body) => expect(heard(body)).toBe(false));

  it.each([
    ["a fence", "```\ncode\n```\n@agent stop"],
    ["a quote", "> what he said\n\n@agent stop"],
    ["an address in Chinese text", "见 https://example.com/a，@agent 停止"],
    ["a single backtick in another paragraph", "it's a ` here\n\n@agent stop and ` there"],
    ["one line of code with three backticks", "```code``` @agent stop"],
    ["a hidden comment", "<!-- note -->@agent stop"],
    ["code by its indentation", "    code\n@agent stop"],
    ["an item of a list, indented below it", "- first\n\n    @agent stop"],
    ["a long line, indented as its continuation", "text\n    @agent stop"],
    ["an element that is never closed", "the <code> tag: @agent stop"],
    ["two elements of code", "<code>a</code> <code>b</code> @agent stop"],
  ])("and is heard after %s", (_, body) => expect(heard(body)).toBe(true));

  it("TR-02: nor in the middle of other words", () => {
    expect(heard("rename @agentic to agent, see docs/agent.md and @agents")).toBe(false);
  });
});

describe("reading a comment", () => {
  it("never throws and stays quick, whatever the text is", () => {
    const piece = fc.constantFrom(
      "`",
      "``",
      "```\n",
      "> ",
      "<!--",
      "-->",
      "@agent",
      "://",
      "\n\n",
      " ",
      "a",
      "停",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        readComment(pieces.join(""));
      }),
    );
    for (const text of ["`a``b", "<!--", "://", "> ", "a@", "~~~\n"]) readComment(text.repeat(12_000));
  });
});
