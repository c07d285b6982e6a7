import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

describe("app.yml", () => {
  const text = readFileSync(new URL("../../app.yml", import.meta.url), "utf8");
  const manifest = parse(text) as {
    hook_attributes: { url: string };
    public: boolean;
    default_permissions: Record<string, string>;
    default_events: string[];
  };

  it("subscribes to exactly the events that can ask for something", () => {
    const kinds = [
      "issues",
      "issue_comment",
      "pull_request",
      "pull_request_review",
      "pull_request_review_comment",
    ];
    expect([...manifest.default_events].sort()).toEqual([...kinds, "check_run"].sort());
  });

  it("sends them to the webhook's path and stays private", () => {
    expect(new URL(manifest.hook_attributes.url).pathname).toBe("/api/github/webhooks");
    expect(manifest.public).toBe(false);
  });

  it("gives a reason for every permission and event, and never asks for workflows", () => {
    const lines = text.split("\n");
    const names = [...Object.keys(manifest.default_permissions), ...manifest.default_events];
    const bare = names.filter((name) => {
      const index = lines.findIndex((line) =>
        [`  ${name}:`, `  - ${name}`].some((start) => line.startsWith(start)),
      );
      return !lines[index - 1]?.trim().startsWith("# ");
    });
    expect(bare).toEqual([]);
    expect(manifest.default_permissions).not.toHaveProperty("workflows");
  });
});
