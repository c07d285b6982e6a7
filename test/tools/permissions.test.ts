import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { simpleCommands } from "../../src/tools/command-words.js";
import { builtinTools, createRegistry, defineTool } from "../../src/tools/index.js";
import { openLocalWorkspace } from "../support/local-workspace.js";

const NEVER = new AbortController().signal;
let workspace: Awaited<ReturnType<typeof openLocalWorkspace>>;
beforeEach(async () => {
  workspace = await openLocalWorkspace();
});
afterEach(() => workspace.close());

const echo = (name: string) =>
  defineTool({
    name,
    description: name,
    kind: "read",
    input: z.strictObject({}),
    run: () => Promise.resolve(name),
  });
const registry = createRegistry([...builtinTools(), echo("mcp_jira_get"), echo("mcp_wiki_get")], {
  known: ["codebase-investigator"],
});
const names = (allow: string[], deny: string[] = []) =>
  registry
    .filter(allow, deny)
    .specs()
    .map(({ name }) => name);

async function outcome(allow: string[], deny: string[], command: string) {
  const call = { id: "t", name: "run", input: { command }, problem: null };
  const [result] = await registry.filter(allow, deny).execute([call], workspace.context, NEVER);
  expect(await workspace.context.files.read("pwned")).toBeNull();
  return result?.is_error === true ? "refused" : "run";
}

describe("an allow or deny list", () => {
  it("holds names, * and beginnings of names, and deny wins", () => {
    expect(names(["read_file", "run"])).toEqual(["read_file", "run"]);
    const writing = ["run", "write_file", "edit_file", "note", "todo", "mcp_*"];
    expect(names(["*"], writing)).toEqual(["list_files", "read_file", "search"]);
    expect(names(["read_file", "mcp_jira_*"])).toEqual(["mcp_jira_get", "read_file"]);
    expect(names(["*"], ["*"])).toEqual([]);
  });

  it("may hold what arrives with other modules, agents and servers that are not there", () => {
    const later = ["find_symbol", "find_references", "recall", "complete_task", "activate_skill"];
    expect(names([...later, "search_tools", "codebase-investigator", "mcp_gone_*", "ext_x", "run"])).toEqual([
      "run",
    ]);
    expect(() =>
      registry.filter(["*"], ["codebase-investigator"]).filter(["codebase-investigator"]),
    ).not.toThrow();
  });

  it.each([
    [["reed_file"], [], /"reed_file" names no tool. Did you mean "read_file"\?/],
    [["*"], ["rum"], /"rum" names no tool. Did you mean "run"\?/],
    [["*"], ["rum(git push)"], /Did you mean "run"\?/],
    [["find_it_*"], [], /names no tool/],
    [["run(npm test; rm x)"], [], /is not a simple command/],
    [["run($X)"], [], /is not a simple command/],
    [["run(npm run test:*)"], [], /has a wildcard/],
    [["search(src)"], [], /names a command, and search takes none. Write search/],
  ])("%j without %j is a configuration error", (allow, deny, message) => {
    expect(() => registry.filter(allow, deny)).toThrow(message);
    expect(() => registry.filter(allow, deny)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });

  it("tells the model what is allowed", () => {
    const [spec] = registry.filter(["run(npm test)", "run(npm run lint)"]).specs();
    expect(spec?.description).toContain("Only commands that begin with `npm test`, `npm run lint`.");
  });
});

describe("run(echo ok) and run(cat)", () => {
  it.each([
    ["echo ok", "run"],
    ["echo 'ok' more", "run"],
    ['e"ch"o o\\k', "run"],
    ["echo ok '$(not run)'", "run"],
    ['echo ok "a; b | c > d"', "run"],
    ["echo ok \\; touch pwned", "run"],
    ["echo ok *.ts ~ a=b", "run"],
    ["echo ok && echo ok || echo ok; echo ok | cat\necho ok;", "run"],
    ["echo ok &&\n\n echo ok |\n cat\n", "run"],
    ["echo ok 'two\nlines'", "run"],
    ["echo ok 2>&1 | cat >/dev/null 2> /dev/null", "run"],
    ["2>&1 echo ok>&2;echo ok", "run"],
    ["'ech'o ok; rm -rf /", "refused"],
    ["echo ok >&pwned", "refused"],
    ["echo ok >&1pwned", "refused"],
    ["echo ok >/dev/nullx", "refused"],
    ["echo ok >/dev/null/../../pwned", "refused"],
    ["echo ok 2>&1& touch pwned", "refused"],
    ["echo ok 2>&1 >pwned", "refused"],
    ["2>&1 touch pwned", "refused"],
    ["echo", "refused"],
    ["echo okay", "refused"],
    ["echo o?", "refused"],
    ["echo {ok,x}", "refused"],
    ["{echo,ok}", "refused"],
    ["true", "refused"],
    ["", "refused"],
    [";", "refused"],
    ["ECHO ok", "refused"],
    ["/bin/echo ok", "refused"],
    ["./echo ok", "refused"],
    ["~/echo ok", "refused"],
    ["echo ok && touch pwned", "refused"],
    ["touch pwned && echo ok", "refused"],
    ["echo ok; touch pwned", "refused"],
    ["echo ok\ntouch pwned", "refused"],
    ["echo ok | tee pwned", "refused"],
    ["echo ok |& tee pwned", "refused"],
    ["echo ok || touch pwned", "refused"],
    ["echo ok & touch pwned", "refused"],
    ["echo ok &", "refused"],
    ["echo ok > pwned", "refused"],
    ["echo ok>pwned", "refused"],
    ["echo ok 2>pwned", "refused"],
    ["echo ok &> pwned", "refused"],
    ["echo ok >| pwned", "refused"],
    ["echo ok < /etc/passwd", "refused"],
    ["cat <(touch pwned)", "refused"],
    ["cat <<x\n$(touch pwned)\nx", "refused"],
    ["cat <<< x", "refused"],
    ["echo ok $(touch pwned)", "refused"],
    ["echo ok `touch pwned`", "refused"],
    ['echo ok "$(touch pwned)"', "refused"],
    ['echo ok "`touch pwned`"', "refused"],
    ['echo ok "\\\\$(touch pwned)"', "refused"],
    ["echo ok $HOME", "refused"],
    ["echo ok $'x'", "refused"],
    ["(echo ok; touch pwned)", "refused"],
    ["{ echo ok; touch pwned; }", "refused"],
    ["echo() { touch pwned; }; echo ok", "refused"],
    ["if echo ok; then touch pwned; fi", "refused"],
    ["! echo ok", "refused"],
    ["time echo ok", "refused"],
    ["FOO=1 echo ok", "refused"],
    ["PATH=.; echo ok", "refused"],
    ["export PATH=.; echo ok", "refused"],
    ["alias echo=touch; echo ok", "refused"],
    ["env echo ok", "refused"],
    ["eval 'echo ok'", "refused"],
    ["sh -c 'echo ok'", "refused"],
    ["xargs echo ok", "refused"],
    ["command echo ok", "refused"],
    ["echo ok # comment", "refused"],
    ["echo ok;;", "refused"],
    ["echo ok && && echo ok", "refused"],
    ["echo ok &&", "refused"],
    ["echo ok |", "refused"],
    ["| echo ok", "refused"],
    ["echo ok 'open", "refused"],
    ['echo ok "open', "refused"],
    ["echo ok \\", "refused"],
    ["echo \\\nok", "refused"],
    ["echo ok \r touch pwned", "refused"],
    ["echo\u00a0ok", "refused"],
    ["echo ok\u2028touch pwned", "refused"],
    ["echo ok\u0000", "refused"],
    ["echo ok 'a\u0000b'", "refused"],
    ["echo ok 'a\rb'", "refused"],
  ])("make %j be %s", async (command, expected) => {
    expect(await outcome(["run(echo ok)", "run(cat)"], [], command)).toBe(expected);
  });
});

describe("run without run(git push) and run(rm)", () => {
  it.each([
    ["echo a && echo b | cat", "run"],
    ["echo git push", "run"],
    ["git --version", "run"],
    ["git --version *.md", "run"],
    ["echo 'git push'", "run"],
    ["git p'ush' origin", "refused"],
    ["g\\it push", "refused"],
    ["true && git push", "refused"],
    ["true | git push", "refused"],
    ["true\ngit push", "refused"],
    ["/usr/bin/git push", "refused"],
    ["../bin/git push", "refused"],
    ["~/git push", "refused"],
    ["git -C . push", "refused"],
    ["git -c a=b --no-pager push", "refused"],
    ["git pus?", "refused"],
    ["git p*h", "refused"],
    ["git *", "refused"],
    ["git pus[h]", "refused"],
    ["git {push,origin}", "refused"],
    ["{git,push}", "refused"],
    ["gi? push", "refused"],
    ["rm -rf x", "refused"],
    ["env git push", "refused"],
    ["/usr/bin/env -i git push", "refused"],
    ["A=1 git push", "refused"],
    ["sh -c 'git push'", "refused"],
    ["echo 'git push' | bash", "refused"],
    ["echo push | xargs git", "refused"],
    ["eval git push", "refused"],
    ["command git push", "refused"],
    ["exec git push", "refused"],
    ["nohup git push", "refused"],
    ["timeout 5 git push", "refused"],
    ["time git push", "refused"],
    ["find . -exec git push \\;", "refused"],
    ["hash -p /usr/bin/git x; x push", "refused"],
    [". ./x.sh", "refused"],
    ["source x.sh", "refused"],
    ["(git push)", "refused"],
    ["git push > x", "refused"],
    ["2>&1 git push", "refused"],
    ["git 2>/dev/null push", "refused"],
    ["git $X", "refused"],
  ])("make %j be %s", async (command, expected) => {
    expect(await outcome(["run"], ["run(git push)", "run(rm)"], command)).toBe(expected);
  });

  it("leave everything else of a plain run alone", async () => {
    expect(await outcome(["run"], [], "X=$(echo a); (echo $X) > out")).toBe("run");
    expect(await outcome(["run", "run(echo)"], [], "echo a && true")).toBe("run");
  });

  it("let a starter through that is allowed by name", async () => {
    expect(await outcome(["run(sh -c true)"], ["run(rm)"], "sh -c true")).toBe("run");
    expect(await outcome(["run(sh -c true)"], ["run(sh)"], "sh -c true")).toBe("refused");
  });
});

describe("a long command line", () => {
  it("is read to its end, however odd", () => {
    const counts = ["a b ", "a\\x", "a*a", "a && a ", "a|", "'", '"\\"', "{"].map((part) => {
      const commands = simpleCommands(`${part.repeat(20_000)}a`);
      return [part, commands?.length, commands?.[0]?.length];
    });
    expect(counts).toEqual([
      ["a b ", 1, 40_001],
      ["a\\x", 1, 1],
      // The program would be a pattern.
      ["a*a", undefined, undefined],
      ["a && a ", 20_001, 1],
      ["a|", 20_001, 1],
      ["'", 1, 1],
      ['"\\"', 1, 1],
      ["{", undefined, undefined],
    ]);
  });
});
