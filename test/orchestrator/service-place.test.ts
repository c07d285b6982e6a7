import { describe, expect, it } from "vitest";
import { configuredService, pathsOf, serviceName } from "../../src/orchestrator/index.js";

const services = {
  wallet: { repository: "acme/money", base: "next", paths: [] },
  cart: { repository: "acme/shop", base: "", paths: ["services/cart/**", "services/cart/*.md"] },
  till: { repository: "acme/shop", base: "", paths: ["lib/till/**", "docs/till/**"] },
};

describe("a service's place", () => {
  it("is found by its name, or by a repository that only one service has", () => {
    expect(configuredService("wallet", services)).toMatchObject({ name: "wallet", base: "next", folder: "" });
    expect(configuredService("Acme/Money", services)).toMatchObject({ name: "wallet" });
    expect(configuredService("acme/shop", services)).toBeNull();
    expect(configuredService("mail", services)).toBeNull();
  });

  it("is the folder that all its globs lie in", () => {
    expect(configuredService("cart", services)?.folder).toBe("services/cart");
    expect(configuredService("till", services)?.folder).toBe("");
  });

  it("concerns files of its own part here, or of its checkout that is laid beside", () => {
    expect(pathsOf({ service: "cart", folder: "services/cart" }, true)).toEqual(["services/cart/**"]);
    expect(pathsOf({ service: "shop", folder: "" }, true)).toEqual([]);
    expect(pathsOf({ service: "wallet", folder: "" }, false)).toEqual(["workspace/wallet/**"]);
  });

  it.each([
    ["acme/Wallet.git", "Wallet"],
    ["../../wallet service/", "wallet-service"],
    ["https://x.io/a/.hidden", "hidden"],
  ])("gives it a name that a file can have: %s", (place, name) => {
    expect(serviceName(place)).toBe(name);
  });
});
