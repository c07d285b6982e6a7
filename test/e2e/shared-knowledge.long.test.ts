import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Place, newPlace, startTinyStack } from "../support/place.js";
import { type Stack, readFolder } from "../support/stack.js";

const SERVICE = "context/tech/services/wallet.md";
const RULES = "context/rules/context-rules.md";
const SHARED = {
  "README.md": "What we all know.\n",
  [SERVICE]: "# wallet\n\nThe wallet refuses negative amounts.\n",
  [RULES]: `# Context rules\n\n## R-7K3M2P Wallet\n\n- keywords: wallet\n- load: \`${SERVICE}\`\n`,
  "context/rules/risk-rules.md":
    "# Risk rules\n\n## R-8K3M2P Ask the bank\n\n- level: high\n- keywords: wallet\n- alert: tell the bank before wallets change\n",
};
const OWN = {
  [RULES]: "# Context rules\n\n## R-9K3M2P Till\n\n- keywords: till\n- load: `context/till.md`\n",
};

let stack: Stack;
let place: Place;
beforeAll(async () => {
  stack = await startTinyStack();
  const { addRepository } = stack.forge.control;
  await addRepository({
    owner: "acme",
    name: "knowledge",
    files: SHARED,
    private: true,
    collaborators: { maya: "read" },
  });
  await addRepository({ owner: "acme", name: "secrets", files: SHARED, private: true });
  place = await newPlace(stack, {
    files: { ...readFolder("test/fixtures/tiny/"), ...OWN },
    config: "knowledge: { repository: acme/knowledge }\n",
  });
});
afterAll(async () => {
  await stack.close();
});

const designOf = (title: string) =>
  JSON.stringify(
    stack.model
      .requests()
      .find(({ matched, body }) => matched === "design#1" && JSON.stringify(body).includes(title))?.body,
  );

describe("knowledge.repository", () => {
  it("shows a run what several repositories know beside its own, and writes nothing of it anywhere", async () => {
    const issue = await place.openIssue("let the wallet pay at the till");
    const status = await place.ended(issue, "Ready for review");
    expect(status).toContain("⚠ R-8K3M2P tell the bank before wallets change");
    expect(designOf("pay at the till")).toContain("The wallet refuses negative amounts.");
    const pull = await place.pullOf(issue);
    expect(await place.files("context", pull.head.ref)).not.toContain("tech");
    expect(await place.read(RULES, pull.head.ref)).toBe(OWN[RULES]);
  });

  it("is left out with a notice where whoever asks may not read it, and the run goes on", async () => {
    const other = await newPlace(stack, { config: "knowledge: { repository: acme/secrets }\n" });
    const issue = await other.openIssue("let the wallet pay in advance");
    const status = await other.ended(issue, "Ready for review");
    expect(status).toContain("knowledge.repository: There is no acme/secrets that both the app and");
    expect(designOf("pay in advance")).not.toContain("negative amounts");
  });
});
