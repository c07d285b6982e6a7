import { describe, expect, it } from "vitest";
import { findSecrets } from "../../src/memory/index.js";

// Put together here, so that no scanner takes this file for a leak.
const join = (...parts: string[]) => parts.join("");
const SECRETS: [string, string][] = [
  ["AWS access key", join("AKIA", "Z7QK3MWX5LNB2RTD")],
  ["GitHub token", join("ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")],
  ["GitHub token", join("github_pat_", "11ABCDEFG0a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8s9t0u1v2")],
  ["Slack token", join("xoxb-", "123456789012-abcdefABCDEF")],
  ["Stripe key", join("sk_live_", "4eC39HqLyjWDarjtT1zdp7dc")],
  ["Google key", join("AIza", "SyD4x9kLm2Qw8eRt6YuIoP1aS3dF5gH7jK9")],
  ["Anthropic key", join("sk-ant-", "api03-abcdefghijklmnopqrst")],
  ["private key", join("-----BEGIN RSA ", "PRIVATE KEY-----")],
  ["JSON Web Token", join("eyJhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiIxMjM0NTY3ODkwIn0", ".dozjgNryP4J3jVmNHl0w5N")],
  ["password in an address", join("postgres://app:", "s3cr3tPw9@db.internal:5432/shop")],
  ["password or key", join("password = ", "hT7#kQ2p!x")],
  ["password or key", join("数据库密码是：", "Zx9!kLm2Qw")],
  ["password or key", join('api_key: "', '9f86d081884c7d659a2feaa0c55ad015"')],
];
const HARMLESS = [
  "password = <your password>",
  "password: process.env.DB_PASSWORD",
  "token = getToken()",
  "The token is refreshed by refreshToken in src/auth.ts",
  "secret: ${VAULT_SECRET}",
  "postgres://user:password@localhost:5432/test",
  "https://github.com/acme/shop/pull/12",
  "EXP-7K3M2P9Q replaces token: EXP-9Q8R7S6T",
  "sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "commit 35ad6e9b2e87d315bcd2424f754fe33f300e0118",
  "the run 01JB8Z0000000000000000000A",
  "AKIAIOSFODNN7EXAMPLE",
  "token: 550e8400-e29b-41d4-a716-446655440000",
  "密码必须至少 12 位",
  "the password is checked by checkPassword",
];

describe("findSecrets", () => {
  it.each(SECRETS)("finds a %s, and says where without saying it", (kind, secret) => {
    const [found, ...rest] = findSecrets(`How to deploy:\n  use ${secret} for it`);
    expect(found).toMatchObject({ kind, line: 2 });
    expect(rest).toEqual([]);
    expect(JSON.stringify(found)).not.toContain(secret.slice(-8));
  });

  it.each(HARMLESS)("lets through %s", (text) => {
    expect(findSecrets(text)).toEqual([]);
  });

  it("reads a long hostile text", () => {
    const texts = [
      "password=".repeat(20_000),
      "a://b:".repeat(20_000),
      "eyJ".repeat(40_000),
      `sk-${"a".repeat(90_000)}`,
    ];
    expect(texts.map((text) => findSecrets(text).length)).toHaveLength(4);
  });
});
