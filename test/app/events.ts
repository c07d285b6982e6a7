import { type EventSettings, readEvent } from "../../src/app/index.js";

export const SETTINGS: EventSettings = {
  mention: "@agent",
  label: "agent",
  handle: "accrue",
  appId: 77,
  allowedBots: [],
};
export const LEE = { id: 1, login: "lee", type: "User" };
const AT = "2026-11-29T12:00:00Z";

/** Reads an event whose payload has what every event has, and what a test adds. */
export function read(name: string, payload: Record<string, unknown>, settings: Partial<EventSettings> = {}) {
  const envelope = {
    repository: {
      name: "shop",
      full_name: "acme/shop",
      owner: { login: "acme" },
      html_url: "https://github.com/acme/shop",
      default_branch: "trunk",
    },
    installation: { id: 5 },
    sender: LEE,
  };
  return readEvent(
    { name, id: "delivery-1", payload: { ...envelope, ...payload } },
    { ...SETTINGS, ...settings },
  );
}

/** An issue as events carry it. */
export function issue(part: Record<string, unknown> = {}) {
  return {
    number: 12,
    title: "Add CSV export",
    body: "please",
    html_url: "https://github.com/acme/shop/issues/12",
    labels: [{ name: "agent" }],
    state: "open",
    updated_at: AT,
    ...part,
  };
}

/** A pull request as events carry it. */
export function pull(part: Record<string, unknown> = {}) {
  return {
    number: 30,
    title: "Add CSV export",
    body: null,
    html_url: "https://github.com/acme/shop/pull/30",
    labels: [],
    head: { ref: "agent/REQ-12-csv-export", repo: { full_name: "acme/shop" } },
    updated_at: AT,
    ...part,
  };
}

/** A comment as events carry it. */
export function comment(body: string | null, part: Record<string, unknown> = {}) {
  return {
    id: 7,
    body,
    html_url: "https://github.com/acme/shop/issues/12#issuecomment-7",
    created_at: AT,
    performed_via_github_app: null,
    ...part,
  };
}

/** Reads a comment on an issue, or on a pull request. */
export function readComment(body: string | null, on: "issue" | "pull" = "issue") {
  const thread = on === "pull" ? issue({ pull_request: { url: "x" } }) : issue();
  return read("issue_comment", { action: "created", issue: thread, comment: comment(body) });
}

/** What a comment asks for, or the reason why nothing. */
export function intentOf(body: string, on: "issue" | "pull" = "issue") {
  const found = readComment(body, on);
  return "ignored" in found ? found.ignored : found.intent;
}
