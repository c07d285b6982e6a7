import { parse } from "yaml";
import { z } from "zod";
import { messageOf } from "../shared/index.js";
import { ValidateConfig } from "./options.js";

const RuleFile = z.object({ validate: ValidateConfig.prefault({}) });

/** The rules of its own that the text of a `.github/agent.yml` has, or in a sentence why they cannot be read. */
export function rulesIn(text: string): ValidateConfig["custom"] | string {
  let content: unknown;
  try {
    content = parse(text) ?? {};
  } catch (error) {
    return `.github/agent.yml cannot be read: ${messageOf(error).split("\n")[0] ?? ""}`;
  }
  const read = RuleFile.safeParse(content);
  if (read.success) return read.data.validate.custom;
  const [first] = read.error.issues;
  return `.github/agent.yml cannot be read: ${first?.path.join(".") ?? ""}: ${first?.message ?? "unknown"}`;
}
