import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FILES, TINY_STEPS, asksFor, fixPull, names, rewrite, step, write } from "../support/fix-pull.js";
import { newPlace, startTinyStack } from "../support/place.js";
import type { Stack } from "../support/stack.js";

const rule = (query: string) =>
  `agent:\n  reviewers: []\nvalidate:\n  custom:\n    - name: rounds\n      language: javascript\n      query: '${query}'\n      message: Cents are rounded, never cut off.\n`;
const SCENARIOS = [
  step(
    "rule-right",
    [asksFor("write a lint rule for this"), "passes on the code before the change too"],
    [...rewrite(".github/agent.yml", rule('((property_identifier) @finding (#eq? @finding "trunc"))'))],
  ),
  step(
    "rule-blind",
    [asksFor("write a lint rule for this")],
    [...rewrite(".github/agent.yml", rule('((property_identifier) @finding (#eq? @finding "floor"))'))],
  ),
  step("linter", [asksFor("写一条 lint 规则")], [write("lint-rules/trunc.txt", "Math.trunc\n")]),
  ...TINY_STEPS,
];
const LINT = `import { existsSync, readFileSync, readdirSync } from "node:fs";
const rules = existsSync("lint-rules") ? readdirSync("lint-rules") : [];
let found = 0;
for (const rule of rules) for (const file of readdirSync("src")) {
  const word = readFileSync("lint-rules/" + rule, "utf8").trim();
  readFileSync("src/" + file, "utf8").split("\\n").forEach((text, i) => {
    if (text.includes(word)) console.log(\`src/\${file}:\${i + 1}: \${word} is not used here\`, (found += 1));
  });
}
process.exitCode = found > 0 ? 1 : 0;
`;

let stack: Stack;
beforeAll(async () => {
  stack = await startTinyStack({ scenarios: JSON.stringify(SCENARIOS) });
}, 60_000);
afterAll(async () => {
  await stack.close();
});

describe("a lint rule that a person asks for", () => {
  it("is a query of the repository's configuration where there is no linter, and is proved like a test", async () => {
    const place = await newPlace(stack, { files: FILES });
    const { number, answer, check } = await fixPull(stack, place);
    await place.say(number, "@agent write a lint rule for this");
    const said = await answer();
    expect(said).toContain("✅ **Lint rule proved and pushed**");
    expect(said).toMatch(/before: .+ \| src\/euros\.js:1 rounds: Cents are rounded, never cut off\. \|/);
    expect(names(stack, place)).toContain("rule-blind#1");
    expect(await place.read(".github/agent.yml", "round")).toContain('"trunc"');
    expect((await check())?.output.title).toMatch(/^Lint rule proved · /);
  });

  it("is one of the repository's own linter where it has one", async () => {
    const manifest = JSON.parse(FILES["package.json"] ?? "{}") as { scripts: object };
    const place = await newPlace(stack, {
      files: {
        ...FILES,
        "lint.js": LINT,
        "package.json": JSON.stringify({
          ...manifest,
          scripts: { ...manifest.scripts, lint: "node lint.js" },
        }),
      },
    });
    const { number, answer } = await fixPull(stack, place, undefined, "半分钱要向上取整");
    await place.say(number, "@agent 写一条 lint 规则");
    const said = await answer();
    expect(said).toContain("✅ **lint 规则已验证并推送**");
    expect(said).toMatch(
      /`npm run --silent lint` \| 1 \| src\/euros\.js:1 lint: .*Math\.trunc is not used here/,
    );
    expect(await place.files("lint-rules", "round")).toEqual(["trunc.txt"]);
  });
});
