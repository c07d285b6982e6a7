import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { builtinTools } from "../../src/tools/index.js";
import { ARRIVING } from "../../src/tools/permission-patterns.js";

it("docs/tools.md says of every tool what it is for, and of no other", () => {
  const text = readFileSync(new URL("../../docs/tools.md", import.meta.url), "utf8");
  const table = text.slice(text.indexOf("| tool | use it for"), text.indexOf("## Permissions"));
  const named = [...table.matchAll(/^\| `(\w+)` \| .{10,}\|$/gm)].map((match) => match[1]);
  expect(new Set(named)).toEqual(new Set([...builtinTools().map(({ name }) => name), ...ARRIVING]));
});
