import { describe, expect, it } from "vitest";
import { helpText } from "../../src/orchestrator/texts/help.js";

const values = { mention: "@agent", label: "agent", permission: "write" };
const command = (name: string, origin = "repository") => ({ name, description: "Looks | at @all", origin });
const help = (commands: ReturnType<typeof command>[], language: "en" | "zh" = "en") =>
  helpText(language, { values, commands, unknown: null });

describe("the help", () => {
  it("names each command with its origin, and what its author wrote mentions nobody and breaks no table", () => {
    const text = help([command("check"), command("git:tidy", "plugin git")]);
    expect(text).toMatch(/^\| `\/check` \| Looks \\\| at `@all` \| this repository \|$/mu);
    expect(text).toMatch(/^\| `\/git:tidy` \|.*\| plugin git \|$/m);
    expect(help([command("check")], "zh")).toMatch(/\| 本仓库 \|$/m);
  });

  it("says nothing of commands where there are none, and how many more there are than it shows", () => {
    expect(help([])).not.toContain("/name");
    const many = help(Array.from({ length: 60 }, (_, at) => command(`c${at}`)));
    expect(many.match(/^\| `\/c/gm)).toHaveLength(50);
    expect(many).toContain("and 10 more");
  });
});
