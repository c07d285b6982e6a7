import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolNames } from "../../../src/tools/mcp/names.js";

const server = fc.oneof(fc.stringMatching(/^[a-z_ 知.-]{1,4}$/u), fc.string({ minLength: 1, maxLength: 90 }));
const remote = fc.record({ server, tool: server });

describe("the names of tools", () => {
  it("are taken by every provider, differ, and do not depend on the order (RT-74)", () => {
    const lists = fc.uniqueArray(remote, { selector: (each) => JSON.stringify(each), maxLength: 40 });
    fc.assert(
      fc.property(lists, (list) => {
        const names = toolNames(list);
        expect(names.filter((name) => !/^mcp_[a-zA-Z0-9-]+_[a-zA-Z0-9_-]+$/u.test(name))).toEqual([]);
        expect(names.filter((name) => name.length > 64)).toEqual([]);
        expect(new Set(names).size).toBe(names.length);
        expect(toolNames(list.toReversed())).toEqual(names.toReversed());
      }),
    );
  });

  it("stay readable, and change only where they must", () => {
    const list = [
      { server: "git hub", tool: "get_issue" },
      { server: "a", tool: "b.c" },
      { server: "a", tool: "b_c" },
    ];
    const [plain, dotted, same] = toolNames(list);
    expect(plain).toBe("mcp_git-hub_get_issue");
    expect(dotted).toMatch(/^mcp_a_b_c_[0-9a-f]{8}$/u);
    expect(same).toMatch(/^mcp_a_b_c_[0-9a-f]{8}$/u);
    expect(toolNames(list.slice(1, 2))).toEqual(["mcp_a_b_c"]);
  });
});
