import { generateKeyPairSync } from "node:crypto";
import nock from "nock";
import { createGitHub, type GitHub, type GitHubOptions, type GitHubPort } from "../../src/github/index.js";

export const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

export const APP_ID = 77;
export const START = Date.parse("2026-11-29T12:00:00Z");
export const PLACE = { owner: "acme", name: "shop", installation: 5 };
export const REPO = "/repos/acme/shop";

/** GitHub through recorded answers: time is `clock.time`, a second of waiting is a millisecond. */
export function fakeGitHub(options: Partial<GitHubOptions> = {}): {
  github: GitHub;
  port: GitHubPort;
  api: nock.Scope;
  clock: { time: number };
  warnings: { fields: object; message: string }[];
} {
  const clock = { time: START };
  const warnings: { fields: object; message: string }[] = [];
  const warn = (fields: object, message: string) => void warnings.push({ fields, message });
  const github = createGitHub(
    { clock: { now: () => clock.time }, log: { warn } as never },
    {
      baseUrl: "https://api.github.com",
      auth: { kind: "app", appId: APP_ID, privateKey },
      writeSpacingMs: 0,
      retryBaseMs: 1,
      ...options,
    },
  );
  return { github, port: github.repository(PLACE), api: nock("https://api.github.com"), clock, warnings };
}

/** Lets the app mint as many tokens as it wants. */
export function allowTokens(api: nock.Scope): void {
  api
    .post("/app/installations/5/access_tokens")
    .optionally()
    .times(100)
    .reply(201, () => ({ token: "ghs_test", expires_at: "2026-11-29T13:00:00Z" }));
}

/** A comment as GitHub gives it, as far as we read it. */
export function commentJson(id: number, body: string, appId: number | null = APP_ID, login = "accrue[bot]") {
  return {
    id,
    body,
    user: { id: 1, login, type: "Bot" },
    performed_via_github_app: appId === null ? null : { id: appId },
    created_at: "2026-11-29T12:00:00Z",
    updated_at: "2026-11-29T12:00:00Z",
    html_url: `https://github.com/acme/shop/issues/12#issuecomment-${id}`,
  };
}

/** A pull request as GitHub gives it, as far as we read it. */
export function pullJson(part: Record<string, unknown> = {}) {
  return {
    number: 30,
    title: "Add export",
    body: null,
    state: "open",
    draft: true,
    merged_at: null,
    merge_commit_sha: "test-merge",
    head: { ref: "agent/REQ-12-export", sha: "abc", repo: { id: 9, full_name: "acme/shop" } },
    base: { ref: "main", repo: { id: 9 } },
    user: { id: 1, login: "accrue[bot]", type: "Bot" },
    html_url: "https://github.com/acme/shop/pull/30",
    ...part,
  };
}
