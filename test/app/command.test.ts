import { describe, expect, it } from "vitest";
import { intentOf } from "./events.js";

describe("a command", () => {
  it.each([
    ["@agent help", { kind: "help", unknown: null }],
    ["@agent 帮助", { kind: "help", unknown: null }],
    ["@agent stop", { kind: "stop", reason: "" }],
    ["@agent: Stop, wrong approach", { kind: "stop", reason: "wrong approach" }],
    ["@agent please stop!", { kind: "stop", reason: "" }],
    ["@agent停止", { kind: "stop", reason: "" }],
    ["@agent 请停止运行：方向不对", { kind: "stop", reason: "方向不对" }],
    ["@agent retry", { kind: "retry", text: "" }],
    ["@agent 重试", { kind: "retry", text: "" }],
    ["@agent bill", { kind: "bill" }],
    ["@agent 账单。", { kind: "bill" }],
    ["@agent continue anyway", { kind: "continue", text: "anyway", merged: false }],
    ["@agent 继续", { kind: "continue", text: "", merged: false }],
    ["(@agent) approve", { kind: "approve", text: "" }],
    ["@agent 批准", { kind: "approve", text: "" }],
    ["@agent confirm", { kind: "approve", text: "" }],
    ["@agent 确认", { kind: "approve", text: "" }],
    ["@agent autonomy auto", { kind: "autonomy", level: "auto" }],
    ["@agent Autonomy: Confirm.", { kind: "autonomy", level: "confirm" }],
    ["@agent autonomy review", { kind: "autonomy", level: "review" }],
    ["@agent autonomy full", { kind: "autonomy", level: null }],
    ["@agent autonomy", { kind: "autonomy", level: null }],
    ["@agent 自主级别 自动", { kind: "autonomy", level: "auto" }],
    ["@agent自主级别设为确认。", { kind: "autonomy", level: "confirm" }],
    ["@agent 自主程度：评审", { kind: "autonomy", level: "review" }],
    ["@agent 自主级别 全部", { kind: "autonomy", level: null }],
    ["@agent reject", { kind: "change", text: "" }],
    ["@agent 驳回。", { kind: "change", text: "" }],
    ["@agent continue REQ-12", { kind: "continue", text: "REQ-12", merged: false }],
    ["@agent 继续做 REQ-12", { kind: "continue", text: "REQ-12", merged: false }],
    ["@agent继续做REQ-12", { kind: "continue", text: "REQ-12", merged: false }],
    ["@agent budget $15", { kind: "budget", text: "$15" }],
    ["@agent budget: 50k tokens", { kind: "budget", text: "50k tokens" }],
    ["@agent Budget", { kind: "budget", text: "" }],
    ["@agent 预算 5 美元", { kind: "budget", text: "5 美元" }],
    ["@agent 预算５美元", { kind: "budget", text: "５美元" }],
    ["@agent budget ＄5", { kind: "budget", text: "＄5" }],
    ["@agent budget $", { kind: "budget", text: "$" }],
    ["@agent预算+$5", { kind: "budget", text: "+$5" }],
    ["@agent 预算加 $5", { kind: "budget", text: "+$5" }],
    ["@agent 预算提高到 20 美元", { kind: "budget", text: "20 美元" }],
    ["@agent ask which encoding is used?", { kind: "ask", text: "which encoding is used?" }],
    ["@agent ask", { kind: "ask", text: "" }],
    ["@agent 问：为什么要缓存？", { kind: "ask", text: "为什么要缓存？" }],
    ["@agent请问这个怎么用", { kind: "ask", text: "这个怎么用" }],
    ["@agent 问一下 谁在用它", { kind: "ask", text: "谁在用它" }],
    ["@agent 提问 谁在用它", { kind: "ask", text: "谁在用它" }],
    ["> it is cached\n\n@agent why?", { kind: "ask", text: "> it is cached\n\nwhy?" }],
    ["> it is cached\n\n@agent ask since when?", { kind: "ask", text: "> it is cached\n\nsince when?" }],
    ["@agent 为什么这样改？", { kind: "ask", text: "为什么这样改？" }],
    ["@agent forget EXP-7K3M2P9Q", { kind: "forget", text: "EXP-7K3M2P9Q" }],
    ["@agent 忘记 R-7K3M2P。", { kind: "forget", text: "R-7K3M2P。" }],
    ["@agent forget", { kind: "forget", text: "" }],
    ["@agent optimize-flow run the linter first", { kind: "optimize-flow", text: "run the linter first" }],
    ["@agent /optimize-flow", { kind: "optimize-flow", text: "" }],
    ["/optimize-flow 先跑 lint 再提交", { kind: "optimize-flow", text: "先跑 lint 再提交" }],
    ["@agent /stop", { kind: "stop", reason: "" }],
    ["@agent hlep", { kind: "help", unknown: "hlep" }],
    ["@agent Stopp!", { kind: "help", unknown: "Stopp" }],
  ])("%j is read on issues and pull requests", (body, intent) => {
    expect(intentOf(body, "issue")).toEqual(intent);
    expect(intentOf(body, "pull")).toEqual(intent);
  });

  it.each([
    "autonomy of the rover is a field",
    "reject empty names",
    "继续做导出功能",
    "问题列表要分页",
    "问卷要能导出",
    "自主研发的钱包要能用",
  ])("is not made of a wish that begins like one: %s", (wish) => {
    expect(intentOf(`@agent ${wish}`, "pull")).toEqual({ kind: "change", text: wish });
  });

  it.each([
    "approve, but rename the column",
    "approve once the tests pass",
    "approve if nobody minds",
    "同意，但是表头要加粗",
    "批准，不过先改标题",
    "批准，如果测试通过",
    "retry, but write it in lower case",
    "retry and remove the old file",
    "continue, but use tabs",
    "继续，但不要动数据库",
    "重试，并且修改标题",
  ])("that has a but is a wish, and no approval: %s", (said) => {
    expect(intentOf(`@agent ${said}`, "pull")).toEqual({ kind: "change", text: said });
    expect(intentOf(`@agent ${said}`, "issue")).toEqual({ kind: "start", text: said });
  });

  it.each([
    ["@agent approve REQ-12", { kind: "approve", text: "REQ-12" }],
    ["@agent approve, thanks!", { kind: "approve", text: "thanks!" }],
    ["@agent 同意，请继续", { kind: "approve", text: "请继续" }],
    ["@agent retry, the key is set now", { kind: "retry", text: "the key is set now" }],
    ["@agent continue REQ-12, but blue", { kind: "continue", text: "REQ-12, but blue", merged: false }],
  ])("stays one with other words behind it: %s", (body, intent) => {
    expect(intentOf(body, "pull")).toEqual(intent);
  });

  it("CM-24: folds its own word only, the rest keeps its case", () => {
    expect(intentOf("@AGENT WHY is README.md not ReadMe.md")).toEqual({
      kind: "ask",
      text: "WHY is README.md not ReadMe.md",
    });
    expect(intentOf("@agent Remember `Foo.BAR`")).toEqual({
      kind: "remember",
      text: "`Foo.BAR`",
      into: "knowledge",
    });
  });

  it.each([
    ["@agent load-service acme/wallet acme/goods", "acme/wallet acme/goods"],
    ["@agent /load-service acme/wallet", "acme/wallet"],
    ["/load-service acme/wallet", "acme/wallet"],
    ["@agent Load-Services acme/Wallet", "acme/Wallet"],
    ["@agent 加载服务 acme/wallet、acme/goods", "acme/wallet、acme/goods"],
    ["@agent 加载服务：wallet", "wallet"],
    ["@agent load-service", ""],
  ])("reads services: %s", (body, text) => {
    expect(intentOf(body)).toEqual({ kind: "load-service", text });
  });

  it.each([["import"]])("that is not known yet starts no work: %s", (request) => {
    expect(intentOf(`@agent ${request}`)).toEqual({ kind: "help", unknown: request.split(" ")[0] });
  });
});

describe("what is to be remembered", () => {
  it.each([
    ["@agent remember virtual goods go to the virtual wallet", "virtual goods go to the virtual wallet"],
    ["@agent 记住：虚拟商品发到虚拟钱包", "虚拟商品发到虚拟钱包"],
    ["@agent记住虚拟商品发到虚拟钱包", "虚拟商品发到虚拟钱包"],
    ["@agent remember that exports go through src/export", "exports go through src/export"],
    ["@agent remember this pitfall: a claim needs a key", "a claim needs a key"],
    ["@agent 记住这个坑 缓存要先失效", "缓存要先失效"],
    ["@agent 记住这个坑：缓存要先失效", "缓存要先失效"],
    ["记住这个坑，缓存要先失效", "缓存要先失效"],
    ["@agent remember this wallet is virtual", "this wallet is virtual"],
    ["@agent 记住这个接口要加锁", "这个接口要加锁"],
    ["Exports go through src/export. @agent remember", "Exports go through src/export."],
    ["Exports go through src/export. @agent remember this!", "Exports go through src/export."],
    ["@agent remember", ""],
    ["@agent remember this", ""],
    ["@agent please remember that.", ""],
    ["Good catch, thanks! @agent remember this", ""],
    ["@agent 记住这个", ""],
    ["@agent 记住这个坑", ""],
    ["记住这个坑。", ""],
    ["> a quote\n\n@agent remember this", "> a quote"],
  ])("is what is said, or what was said before: %j", (body, text) => {
    expect(intentOf(body)).toEqual({ kind: "remember", text, into: "knowledge" });
  });

  it.each([
    ["@agent add this to AGENTS.md", ""],
    ["@agent 把这个加到 AGENTS.md", ""],
    ["Run npm test first. @agent add this to `AGENTS.md`.", "Run npm test first."],
    ["@agent add to AGENTS.md: run npm test first", "run npm test first"],
    ["@agent 加到 AGENTS.md：先跑测试", "先跑测试"],
  ])("may be a line for the instructions of agents: %j", (body, text) => {
    expect(intentOf(body, "pull")).toEqual({ kind: "remember", text, into: "instructions" });
  });

  it.each([
    ["add a section about exports to AGENTS.md"],
    ["add this test to test/a.test.js"],
    ["optimize the flow of the checkout"],
    ["把这个按钮加到页面上"],
  ])("is none of it in a wish: %s", (text) => {
    expect(intentOf(`@agent ${text}`)).toEqual({ kind: "start", text });
  });
});

describe("thanks", () => {
  it.each(["thanks!", "Thank you so much :)", "谢谢！", "辛苦了"])("alone ask for nothing: %s", (text) => {
    const intent = { kind: "ignore", reason: "it only says thanks" };
    expect(intentOf(`@agent ${text}`, "pull")).toEqual(intent);
    expect(intentOf(`@agent ${text}`)).toEqual(intent);
  });

  it("with a wish around them are a wish", () => {
    expect(intentOf("@agent thanks, now make it blue", "pull")).toMatchObject({ kind: "change" });
    expect(intentOf("Make it blue. @agent thanks", "pull")).toMatchObject({ kind: "change" });
  });
});

describe("a small request on a pull request", () => {
  it.each([
    ["write a regression test for this", "test"],
    ["Please add regression tests for the rounding", "test"],
    ["can you write a test for this bug?", "test"],
    ["write a failing test that reproduces this", "test"],
    ["write a unit test for this", "test"],
    ["再写一个回归测试", "test"],
    ["write a test that shows this", "test"],
    ["give us a failing regression test", "test"],
    ["给这个写一个回归测试", "test"],
    ["请帮我补一条回归测试", "test"],
    ["write a lint rule for this", "lint"],
    ["add an ESLint rule that forbids Math.trunc here", "lint"],
    ["写一条 lint 规则", "lint"],
    ["给这种写法加一条静态检查规则", "lint"],
  ])("is to be proved: %s", (text, proof) => {
    expect(intentOf(`@agent ${text}`, "pull")).toMatchObject({ kind: "change", proof });
    expect(intentOf(`@agent ${text}`)).not.toHaveProperty("proof");
  });

  it("is to be proved with what stands before it, on a line of the diff too", () => {
    expect(intentOf("This broke twice. @agent write a regression test for this", "pull")).toEqual({
      kind: "change",
      text: "This broke twice. write a regression test for this",
      proof: "test",
    });
  });

  it.each([
    "add unit tests for the exporter",
    "不要写回归测试",
    "write a regression test for this and fix the rounding",
    "给这个写一个回归测试，并修复它",
    "the regression test is slow",
    "rename the lint rule",
    "write a test runner",
    "write a test for thistle",
    "remove the lint rules",
  ])("is no other wish: %s", (text) => {
    expect(intentOf(`@agent ${text}`, "pull")).toEqual({ kind: "change", text });
  });
});

describe("a wish", () => {
  it("starts work on an issue and is a change on a pull request", () => {
    expect(intentOf("@agent add a header row")).toEqual({ kind: "start", text: "add a header row" });
    expect(intentOf("@agent add a header row", "pull")).toEqual({ kind: "change", text: "add a header row" });
  });

  it("is what a command of the repository stands for, also where it begins with a word of ours", () => {
    for (const text of ["/team:check src/a.js", "/stop:all"]) {
      expect(intentOf(`@agent ${text}`)).toEqual({ kind: "start", text });
      expect(intentOf(`@agent ${text}`, "pull")).toEqual({ kind: "change", text });
    }
  });

  it("CM-20: is the whole comment, also what stands before the mention", () => {
    expect(intentOf("The button is dead.\n@agent only fix the second point", "pull")).toEqual({
      kind: "change",
      text: "The button is dead. only fix the second point",
    });
  });

  it("CM-18: keeps its text as it was typed", () => {
    const text = "title `<class 'ValueError'> \"quoted\" $(id)`\n\n```ts\nconst a = `@agent`;\n```";
    expect(intentOf(`@agent ${text}`)).toEqual({ kind: "start", text });
  });

  it.each([
    ["help me with this test"],
    ["bill page is broken"],
    ["stopwatch shows the wrong time"],
    ["import the parser from foo.ts"],
    ["forget about the cache"],
    ["停止词列表要更新"],
    ["approval mails are late"],
    ["budget page shows the wrong sum"],
    ["budget-report needs a header"],
    ["预算页面的合计不对"],
  ])("may begin like a command: %s", (text) => {
    expect(intentOf(`@agent ${text}`)).toEqual({ kind: "start", text });
  });

  it("may be empty on an issue, which speaks for itself, but not on a pull request", () => {
    expect(intentOf("@agent")).toEqual({ kind: "start", text: "" });
    expect(intentOf("@agent", "pull")).toEqual({ kind: "help", unknown: null });
  });
});
