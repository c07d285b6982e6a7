import { describe, expect, it } from "vitest";
import { checkConfig } from "../../src/config/index.js";

const problems = (text: string) =>
  checkConfig(text, ".github/agent.yml").map(({ line, message }) => [line, message]);

describe("services in the configuration", () => {
  it("name repositories on the same GitHub, with a base and paths where they want", () => {
    expect(
      problems(
        "services:\n  wallet: { repository: acme/wallet }\n  goods-service: { repository: acme/mono.repo, base: dev, paths: [goods/**] }\n",
      ),
    ).toEqual([]);
  });

  it.each([
    [
      "../wallet",
      "services.wallet.repository: a repository looks like owner/name, on the same GitHub as this one",
    ],
    [
      "https://github.com/acme/wallet",
      "services.wallet.repository: a repository looks like owner/name, on the same GitHub as this one",
    ],
  ])("refuse %s as a repository, at its line", (repository, message) => {
    expect(problems(`services:\n  wallet:\n    repository: ${repository}\n`)).toEqual([[3, message]]);
  });

  it("that are parts of one repository start from one branch of it", () => {
    const services = (base: string) =>
      `services:\n  cart: { repository: acme/mono, base: dev }\n  goods:\n    repository: Acme/Mono\n    base: ${base}\n`;
    expect(problems(services("dev"))).toEqual([]);
    expect(problems(services("next"))).toEqual([
      [5, expect.stringContaining("Acme/Mono holds several services, which have one branch")],
    ]);
  });

  it("refuse a name that no folder can have", () => {
    const [[, message] = []] = problems("services:\n  Wallet Service: { repository: acme/wallet }\n");
    expect(message).toContain("services.Wallet Service");
  });
});
