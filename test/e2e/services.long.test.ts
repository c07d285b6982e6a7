import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CheckRun, type Place, asked, newPlace, placeOf, startTinyStack } from "../support/place.js";
import { SERVICES, TWO_REPOSITORIES } from "../support/two-repositories.js";
import { type Pull, type Stack, until } from "../support/stack.js";
import { gitIn } from "../support/story-audit.js";

let stack: Stack;
let shop: Place;
let wallet: Place;
beforeAll(async () => {
  stack = await startTinyStack({ scenarios: TWO_REPOSITORIES });
  shop = await newPlace(stack, { config: SERVICES, repository: { name: "shop" } });
  wallet = await newPlace(stack, { repository: { name: "wallet" } });
});
afterAll(async () => {
  await stack.close();
});

const only = async (place: Place): Promise<Pull> => {
  const pulls = await place.pulls("all");
  expect(pulls).toHaveLength(1);
  return pulls[0] as Pull;
};
const checksOf = async (place: Place, sha: string) => {
  const path = `/commits/${sha}/check-runs?filter=all`;
  return ((await place.as("maya", "GET", path)) as { check_runs: CheckRun[] }).check_runs;
};

describe("a requirement that touches two repositories", () => {
  it("is done in both, validated in both, and published as two linked pull requests with one bill (KN-29)", async () => {
    const issue = await shop.openIssue("show the balance", "The wallet knows it.");
    const status = await shop.ended(issue, "Ready for review");
    const [own, other] = [await only(shop), await only(wallet)];
    expect(own.head.ref).toBe(`agent/REQ-${issue}-show-the-balance`);
    expect(other.head.ref).toBe(`agent/acme_shop_REQ-${issue}-show-the-balance`);
    expect(other.title).toBe(own.title);
    expect([own.draft, other.draft]).toEqual([true, true]);
    expect(own.body).toContain(`Closes #${issue}`);
    expect(own.body).toContain(`Belongs together with acme/wallet#${other.number}`);
    expect(other.body).toContain(`Part of acme/shop#${issue}. Belongs together with acme/shop#${own.number}`);
    expect(other.body).not.toContain("Closes");
    expect(await wallet.read("src/balance.js", other.head.ref)).toContain("=> 2");
    expect(await shop.files("src", own.head.ref)).toEqual(expect.arrayContaining(["page.js"]));
    expect(await shop.files("src", own.head.ref)).not.toContain("balance.js");
    expect(gitIn(stack, wallet, "ls-tree", "--name-only", other.head.ref)).not.toContain("requirements");
    expect(status).toContain(`acme/wallet#${other.number}`);
    for (const [place, pull] of [
      [shop, own],
      [wallet, other],
    ] as const) {
      const checks = await checksOf(place, pull.head.sha);
      expect(checks.map(({ conclusion }) => conclusion)).toEqual(["success"]);
    }
    expect(own.body).toContain(`wallet test/balance.test.js:4`);
    expect(own.body).toContain(`/acme/wallet/blob/${other.head.sha}/test/balance.test.js#L4`);
    const bills = async (place: Place, number: number) =>
      (await place.comments(number)).filter(({ body }) => body.includes("accrue:bill")).length;
    expect([
      await bills(shop, issue),
      await bills(shop, own.number),
      await bills(wallet, other.number),
    ]).toEqual([1, 1, 0]);
    const requests = asked(stack, `REQ-${issue}`);
    expect(requests.filter((name) => name.startsWith("design-show"))).toHaveLength(2);
    const designed = stack.model.requests().find(({ matched }) => matched?.startsWith("design-show"));
    const glance = /<other-repository service=."wallet."[^]+<.other-repository>/.exec(
      JSON.stringify(designed?.body),
    );
    expect(glance?.[0]).toContain('<excerpt path=\\"src/');
    expect(requests.filter((name) => name.includes("-fix"))).toHaveLength(3);

    await shop.say(issue, "@agent the wallet has to give it rounded");
    await until("the rounded balance", async () =>
      (await wallet.files("src", other.head.ref)).includes("round.js"),
    );
    await shop.ended(issue, "Ready for review");
    expect([(await only(shop)).number, (await only(wallet)).number]).toEqual([own.number, other.number]);

    await wallet.say(other.number, "@agent round it");
    const [reply = ""] = await wallet.replies(other.number);
    expect(reply).toContain(`this pull request is part of acme/shop#${issue}`);

    await shop.merge(own.number);
    const completed = await shop.ended(issue, "Completed");
    expect(completed).toContain(`not merged yet: acme/wallet#${other.number}`);
    await wallet.merge(other.number);
    expect(await wallet.read("src/balance.js")).toContain("=> 2");
  });
});

describe("a service that nobody may reach", () => {
  it("is waited for where the app is not installed, before anything is done, and gone on with once it is", async () => {
    const place = await newPlace(stack, { config: "services:\n  vault: { repository: acme/vault }\n" });
    const issue = await place.openIssue("reach the vault");
    const status = await place.ended(issue, "vault: ", "⏸");
    expect(status).toContain("install it there");
    expect(asked(stack, `REQ-${issue}`).filter((name) => name.startsWith("task"))).toEqual([]);
    const vault = await newPlace(stack, { repository: { name: "vault" } });
    await place.say(issue, "@agent retry");
    await place.ended(issue, "Ready for review");
    const [, name = ""] = place.repository.split("/");
    expect((await vault.pulls()).map(({ head }) => head.ref)).toEqual([
      `agent/acme_${name}_REQ-${issue}-reach-the-vault`,
    ]);
  });

  it("is not changed for somebody who may not write to it", async () => {
    const place = await newPlace(stack, { config: "services:\n  vault: { repository: acme/strongroom }\n" });
    await newPlace(stack, { repository: { name: "strongroom", collaborators: { maya: "read" } } });
    const issue = await place.openIssue("reach the vault");
    await place.ended(issue, "may not have acme/strongroom changed", "⏸");
    expect(await placeOf(stack, "acme/strongroom").pulls("all")).toEqual([]);
  });
});
