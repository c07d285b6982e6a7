import { generateKeyPairSync } from "node:crypto";
import type { ForgeApp } from "../../src/forge/index.js";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
});

/** The App as app.yml describes it. */
export const APP: ForgeApp = {
  id: 4242,
  clientId: "Iv1.accruetest",
  slug: "accrue",
  name: "Accrue",
  owner: "acme",
  privateKey,
  webhookSecret: "a-secret-of-the-tests",
  permissions: {
    metadata: "read",
    contents: "write",
    issues: "write",
    pull_requests: "write",
    checks: "write",
  },
  events: [
    "issues",
    "issue_comment",
    "pull_request",
    "pull_request_review",
    "pull_request_review_comment",
    "check_run",
  ],
};
