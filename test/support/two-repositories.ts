// What a scripted model does where a requirement of acme/shop changes acme/wallet, too.
import { readFileSync } from "node:fs";

const call = (tool: string, input: object) => ({ tool, input });
const proves = (path: string, test: string) => [{ criterion: "AC-1", path, test }];
const done = (summary: string, evidence: object[] = []) => ({
  call: [call("complete_task", { summary, evidence })],
});
const write = (path: string, content: string) => ({ call: [call("write_file", { path, content })] });
const step = (id: string, title: string, more: object = {}) => ({
  id,
  title,
  kind: "feature",
  criteria: ["AC-1"],
  files: [],
  after: [],
  ...more,
});
const design = (tasks: object[]) => ({
  call: [
    call("complete_task", {
      summary: "As planned.",
      archaeology: [],
      decisions: [],
      files: [],
      risks: [],
      tests: [],
      tasks,
    }),
  ],
});
const plan = (name: string, ...turns: object[]) => ({
  name: `design-${name.replaceAll(" ", "-")}`,
  when: { systemContains: "Your job: the design", taskContains: name },
  turns,
});
const work = (name: string, of: string, words: string[], turns: object[]) => ({
  name: `${name.replaceAll(" ", "-")}-${of}`,
  when: { systemContains: "Your job: one task", taskContains: [...words, name] },
  turns,
});
const test = (title: string, body: string) =>
  `import assert from "node:assert";\nimport test from "node:test";\nimport { balance } from "../src/balance.js";\ntest("${title}", () => ${body});\n`;

/** Scenarios in which "show the balance" needs the wallet's repository first, and "reach the vault" only that of the vault. */
export const TWO_REPOSITORIES = JSON.stringify([
  plan(
    "show the balance",
    design([step("T1", "Give the balance", { service: "walet" })]),
    design([
      step("T1", "Give the balance", { service: "wallet", files: ["src/balance.js"] }),
      step("T2", "Show the balance", { after: ["T1"], files: ["src/page.js"] }),
    ]),
  ),
  work(
    "show the balance",
    "wallet",
    ["Do task T1 of", "`acme/wallet`"],
    [
      write("src/balance.js", "export const balance = () => 1;\n"),
      write("test/balance.test.js", test("gives the balance", "assert.equal(balance(), 2)")),
      done("The balance is there.", proves("test/balance.test.js", "gives the balance")),
    ],
  ),
  work(
    "show the balance",
    "fix",
    ["fail after the change", "in `acme/wallet`"],
    [
      { call: [call("read_file", { path: "src/balance.js" })] },
      write("src/balance.js", "export const balance = () => 2;\n"),
      done("It counts right."),
    ],
  ),
  work(
    "show the balance",
    "shop",
    ["Do task T2 of"],
    [write("src/page.js", "export const page = true;\n"), done("The page shows it.")],
  ),
  {
    name: "round-it",
    when: {
      systemContains: "Your job: the requirement",
      taskContains: ["has changed since it was understood", "rounded"],
    },
    turns: [
      {
        call: [
          call("complete_task", {
            title: "show the balance",
            problem: "It is missing today.",
            scope: ["One new file"],
            criteria: [{ id: "AC-1", text: "WHEN the file is imported THEN it says done: show the balance" }],
            nonGoals: [],
            questions: [],
            service: "wallet",
          }),
        ],
      },
    ],
  },
  work(
    "show the balance",
    "rounded",
    ["Do task T3 of", "`acme/wallet`"],
    [write("src/round.js", "export const round = Math.round;\n"), done("It is rounded.")],
  ),
  plan("reach the vault", design([step("T1", "Open it", { service: "vault" })])),
  ...(JSON.parse(
    readFileSync(new URL("../fixtures/scenarios/tiny.json", import.meta.url), "utf8"),
  ) as object[]),
]);

/** Once the page is there, so is the wallet's checkout, and it can only be read. */
const TOGETHER =
  "if [ -f src/page.js ]; then grep -q balance /services/wallet/src/balance.js && ! touch /services/wallet/x; fi";

/** `.github/agent.yml` of acme/shop. */
export const SERVICES = `validate:
  custom:
    - { name: both, command: "${TOGETHER}" }
services:
  wallet: { repository: acme/wallet }
  shop: { repository: acme/shop }
`;
