import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ModelGate, startModelGate } from "../support/model-gate.js";
import { type Place, newPlace, startTinyStack } from "../support/place.js";
import { SERVICES, TWO_REPOSITORIES } from "../support/two-repositories.js";
import type { Stack } from "../support/stack.js";

let stack: Stack;
let gate: ModelGate;
let shop: Place;
let wallet: Place;
beforeAll(async () => {
  const env: Record<string, string> = {};
  stack = await startTinyStack({ scenarios: TWO_REPOSITORIES, env, start: false });
  gate = await startModelGate(stack.model.url);
  env["ANTHROPIC_BASE_URL"] = gate.url;
  await stack.startServer();
  shop = await newPlace(stack, { config: SERVICES, repository: { name: "shop" } });
  wallet = await newPlace(stack, { repository: { name: "wallet" } });
});
afterAll(async () => {
  await stack.close();
  await gate.close();
});

const answered = (method: string, path: RegExp): Promise<void> =>
  new Promise((resolve) => {
    const end = stack.forge.control.watch((exchange) => {
      if (exchange.method !== method || exchange.path.search(path) < 0) return;
      end();
      resolve();
    });
  });
const subjects = async (place: Place, branch: string): Promise<string[]> =>
  ((await place.as("maya", "GET", `/commits?sha=${branch}`)) as { commit: { message: string } }[]).map(
    ({ commit }) => commit.message.split("\n")[0] ?? "",
  );

describe("a requirement of two repositories", () => {
  it("goes on after being killed between its repositories, repeats nothing, and opens each pull request once", async () => {
    const moments = [
      () => gate.hold("Do task T2 of"),
      () => gate.hold("fail after the change"),
      () => answered("POST", /\/repos\/acme\/wallet\/pulls$/),
      () => answered("PATCH", /\/repos\/acme\/wallet\/check-runs\/\d+$/),
    ];
    const [first, ...later] = moments.map((moment) => ({ moment }));
    const reached = first?.moment();
    const issue = await shop.openIssue("show the balance");
    await reached;
    await stack.kill();
    for (const { moment } of later) {
      const next = moment();
      await stack.startServer();
      await next;
      await stack.kill();
    }
    await stack.startServer();
    await shop.ended(issue, "Ready for review");
    const [own, other] = [await shop.pulls("all"), await wallet.pulls("all")];
    expect([own.length, other.length]).toEqual([1, 1]);
    expect(own[0]?.body).toContain(`acme/wallet#${other[0]?.number}`);
    expect(other[0]?.body).toContain(`acme/shop#${own[0]?.number}`);
    const there = await subjects(wallet, other[0]?.head.ref ?? "");
    expect(there.filter((subject) => subject.startsWith("T1: "))).toHaveLength(1);
    expect(there.filter((subject) => subject.startsWith("Fix: "))).toHaveLength(1);
    const here = await subjects(shop, own[0]?.head.ref ?? "");
    expect(here.filter((subject) => subject.startsWith("T2: "))).toHaveLength(1);
    for (const [place, pull] of [
      [shop, own[0]],
      [wallet, other[0]],
    ] as const) {
      const path = `/commits/${pull?.head.sha}/check-runs?filter=all`;
      const { check_runs: checks } = (await place.as("maya", "GET", path)) as {
        check_runs: { conclusion: string }[];
      };
      expect(checks.map(({ conclusion }) => conclusion)).toEqual(["success"]);
    }
  }, 240_000);

  it("merges what a person commits to the service's branch meanwhile, checks it again, and readies all of them", async () => {
    const place = await newPlace(stack, { config: `autonomy: auto\n${SERVICES}` });
    const pause = gate.pause("Do task T2 of");
    const issue = await place.openIssue("show the balance");
    await pause.reached;
    const [, name = ""] = place.repository.split("/");
    const branch = `agent/acme_${name}_REQ-${issue}-show-the-balance`;
    await stack.forge.control.commit({
      repository: "acme/wallet",
      login: "maya",
      branch,
      message: "Note it",
      files: { "NOTES.md": "By hand.\n" },
    });
    pause.goOn();
    await place.ended(issue, "Ready for review");
    const pull = (await wallet.pulls()).find(({ head }) => head.ref === branch);
    expect(await wallet.read("NOTES.md", branch)).toBe("By hand.\n");
    expect([pull?.draft, (await place.pulls()).map(({ draft }) => draft)]).toEqual([false, [false]]);
    expect(await wallet.read("src/balance.js", branch)).toContain("=> 2");
    const path = `/commits/${pull?.head.sha}/check-runs?filter=all`;
    const { check_runs: checks } = (await wallet.as("maya", "GET", path)) as {
      check_runs: { conclusion: string }[];
    };
    expect(checks.map(({ conclusion }) => conclusion)).toEqual(["success"]);
  }, 120_000);
});
