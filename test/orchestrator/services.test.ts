import { describe, expect, it } from "vitest";
import { openService } from "../../src/orchestrator/open-service.js";
import { proofLine, takeCommitted } from "../../src/orchestrator/service-commits.js";
import { joinChecked } from "../../src/orchestrator/join-checked.js";
import { foreignName, foreignThread, requirementOfBranch } from "../../src/orchestrator/requirement-of.js";
import { servicesText } from "../../src/orchestrator/services.js";
import { pullsTogether, togetherText } from "../../src/orchestrator/texts/together.js";
import type { ServiceSite } from "../../src/orchestrator/site.js";
import type { Run, ServicePublication } from "../../src/orchestrator/types.js";
import type { PlannedTask } from "../../src/requirements/index.js";
import { loadSkills } from "../../src/skills/index.js";
import type { Check, Validation } from "../../src/validator/index.js";

const shop = { host: "github.com", owner: "acme", name: "shop" };
const wallet = { host: "github.com", owner: "acme", name: "wallet" };
const skills = loadSkills(new URL("../../rules/", import.meta.url));

const check = (outcome: Check["outcome"], more: Partial<Check> = {}): Check => ({
  kind: "tests",
  name: "tests",
  command: "npm test",
  outcome,
  reason: "",
  durationMs: 1,
  output: "",
  passed: null,
  failed: null,
  failures: [],
  ...more,
});
const validation = (
  outcome: Validation["outcome"],
  reason: string,
  checks = [check(outcome)],
): Validation => ({
  outcome,
  reason,
  checks,
  known: [],
});
const checked = (home: Validation, other: Validation, isTouched = true) =>
  joinChecked([
    { site: { service: "", repository: shop, checked: home }, isTouched },
    { site: { service: "wallet", repository: wallet, checked: other }, isTouched: true },
  ]);

describe("the checks of several repositories", () => {
  it("fail together where one fails, and say which", () => {
    const failure = { path: "src/a.js", line: 3, title: "gives the balance", message: "1 is not 2" };
    const red = validation("failed", "1 of 2 tests fails", [check("failed", { failures: [failure] })]);
    const joined = checked(validation("passed", "4 checks passed"), red);
    expect(joined.outcome).toBe("failed");
    expect(joined.reason).toBe("acme/shop: 4 checks passed; acme/wallet: 1 of 2 tests fails");
    expect(joined.checks.map(({ name }) => name)).toEqual(["tests", "wallet: tests"]);
    // No line of this repository is to be marked for it.
    expect(joined.checks[1]?.failures).toEqual([
      { path: null, line: null, title: "wallet src/a.js:3 gives the balance", message: "1 is not 2" },
    ]);
  });

  it("did not run where those of one that was changed did not", () => {
    const green = validation("passed", "4 checks passed");
    const none = validation("not-run", "no test command found");
    expect(checked(green, none).outcome).toBe("not-run");
    expect(checked(none, green).outcome).toBe("not-run");
    expect(checked(none, green, false).outcome).toBe("passed");
  });

  it("of one repository alone stay as they are", () => {
    const green = validation("passed", "4 checks passed");
    expect(joinChecked([{ site: { service: "", repository: shop, checked: green }, isTouched: true }])).toBe(
      green,
    );
  });
});

describe("a branch in a service's repository", () => {
  it.each(["agent/{requirement}-{slug}", "{requirement}", "bot/{requirement}/{slug}"])(
    "speaks of no requirement of that repository (%s)",
    (pattern) => {
      const branch = pattern.replace("{requirement}", foreignName(shop, "REQ-12")).replace("{slug}", "csv");
      expect(requirementOfBranch(branch)).toBeNull();
      expect(foreignThread(branch)).toBe("acme/shop#12");
    },
  );

  it("is not taken for one where the repository's own is meant", () => {
    expect(foreignThread("agent/REQ-12-a_b_REQ")).toBeNull();
    expect(foreignThread(`agent/${foreignName(shop, "REQ-20260101-ABCDEF")}-x`)).toBe(
      "REQ-20260101-ABCDEF (acme/shop)",
    );
  });
});

describe("pull requests that belong together", () => {
  it("are found again in the body that names them", () => {
    const services = [{ site: { repository: wallet, pull: 7 } }, { site: { repository: shop, pull: null } }];
    const [text = ""] = togetherText(services as unknown as ServicePublication[], "en");
    expect(text).toContain("acme/wallet#7");
    expect(pullsTogether(`Closes #1\n\n${text}\n\nmore`)).toEqual([{ repository: "acme/wallet", pull: 7 }]);
    expect(pullsTogether("Belongs together with acme/other#7")).toEqual([]);
  });
});

describe("a designer", () => {
  const services = {
    wallet: { repository: "acme/wallet", base: "", paths: ["pay/**"] },
    shop: { repository: "Acme/Shop" },
  };
  const told = (port: unknown, knowledge: [string, string][] = []) =>
    servicesText({
      settings: { services },
      repository: shop,
      doors: { port },
      knowledge: new Map(knowledge),
      skills,
    } as unknown as Run);

  it("is told of other repositories, their paths and what describes them, and not of its own", () => {
    const text = told({}, [["context/tech/services/wallet.md", "# Wallet"]]);
    expect(text).toContain(
      "- wallet: `acme/wallet`, only `pay/**`, described in context/tech/services/wallet.md",
    );
    expect(text).not.toContain("Acme/Shop");
    expect(text).toContain("names its `service`");
  });

  it("is told to leave them to others on the command line", () => {
    expect(told(null)).toContain("`external`");
  });
});

describe("a service that the plan names", () => {
  const open = (services: object) =>
    openService(
      { settings: { services }, repository: shop, ask: {}, doors: { port: null } } as unknown as Run,
      ["wallet"],
      AbortSignal.timeout(1000),
    );

  it("has to be configured", async () => {
    await expect(open({})).rejects.toThrow(
      "The plan names the service wallet, which is not configured any more",
    );
  });

  it("is out of reach from the command line", async () => {
    const services = { wallet: { repository: "acme/wallet", base: "", paths: [] } };
    await expect(open(services)).rejects.toThrow("acme/wallet is out of reach from the command line");
  });
});

describe("a task whose commit arrived before it could be ticked", () => {
  const task = (id: string, more: Partial<PlannedTask> = {}): PlannedTask => ({
    id,
    title: `Step ${id}`,
    kind: "feature",
    criteria: [],
    files: [],
    after: [],
    done: false,
    evidence: [],
    service: "wallet",
    ...more,
  });
  const claim = { criterion: "AC-1", path: "test/a.test.js", test: "gives the balance" };
  const siteOf = (messages: string[]) =>
    ({
      names: ["wallet"],
      workspace: {
        baseSha: "base",
        head: () => Promise.resolve("head"),
        mirror: {
          ahead: () => Promise.resolve(messages.length),
          history: () => Promise.resolve(messages.map((message) => ({ sha: "1", message, files: [] }))),
        },
      },
    }) as unknown as ServiceSite;

  it("is done, with the evidence that the commit names", async () => {
    const tasks = [task("T1"), task("T2"), task("T3", { service: "goods" })];
    const run = { id: "RUN", repository: shop, requirement: "REQ-12", tasks } as unknown as Run;
    const message = `T1: Step T1\n\n${proofLine(claim)}\n\nacme/shop REQ-12, run RUN\n`;
    const found = await takeCommitted(run, siteOf([message]));
    expect(found.map(({ id }) => id)).toEqual(["T1"]);
    expect(tasks.map(({ done }) => done)).toEqual([true, false, false]);
    expect(tasks[0]?.evidence).toEqual([claim]);
  });

  it("is not done for a commit of another run, which a person may have opened again", async () => {
    const run = { id: "RUN", repository: shop, requirement: "REQ-12", tasks: [task("T1")] } as unknown as Run;
    const messages = [
      "T1: Step T1\n\nacme/shop REQ-12, run OTHER",
      "T1: Step T1\n\nacme/goods REQ-12, run RUN",
    ];
    expect(await takeCommitted(run, siteOf(messages))).toEqual([]);
  });
});
