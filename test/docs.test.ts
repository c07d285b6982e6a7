import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ERROR_CODES } from "../src/shared/index.js";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

describe("docs", () => {
  it("explain every error code, and no other", () => {
    const explained = [...read("docs/errors.md").matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1]);
    expect(new Set(explained)).toEqual(new Set(ERROR_CODES));
    expect(explained).toHaveLength(ERROR_CODES.length);
  });
});
