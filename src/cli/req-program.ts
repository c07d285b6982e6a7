import type { Command } from "commander";

/** What `accrue req` is asked. */
export type ReqQuestion =
  | { kind: "list" }
  | { kind: "show"; id: string }
  | { kind: "change"; id: string; text: string; modelUrl: string | null };

/** Takes what was typed to the command that answers it. */
type Answer = (self: Command, question: ReqQuestion) => Promise<void>;

/** Adds the parts of `accrue req`. */
export function addReq(req: Command, answer: Answer): void {
  const part = (usage: string, description: string) =>
    req.command(usage).description(description).exitOverride();
  part("list", "every requirement, and where it stands").action((_: object, self: Command) =>
    answer(self, { kind: "list" }),
  );
  part("show", "one requirement: its criteria, its plan, what changed")
    .argument("<id>", "REQ-…")
    .action((id: string, _: object, self: Command) => answer(self, { kind: "show", id }));
  part("change", "change what is wanted of a requirement, and go on with it")
    .argument("<id>", "REQ-…")
    .argument("<text...>", "what changes; put -- before it")
    .option("--model-url <url>", "address of the model's API")
    .action((id: string, words: string[], given: { modelUrl?: string }, self: Command) => {
      const { modelUrl = null } = given;
      return answer(self, { kind: "change", id, text: words.join(" "), modelUrl });
    });
}
