import type { Language } from "../shared/index.js";
import { fillKnown, fillPlaceholders } from "./fill.js";
import { type PromptPart, isPromptPart } from "./options.js";
import { listSkills } from "./read-skills.js";
import type { AgentDefinition, Library, PromptFacts } from "./types.js";

const LANGUAGE_NAMES: Record<Language, string> = { en: "English", zh: "Chinese (简体中文)" };
const SKILL_TOOL = "activate_skill";
const TOOL_LINE = /^- (?<tools>`[\w-]+`(?:, `[\w-]+`)*):/u;

/** What an agent is told before its task. Contract: the same bytes for the same library, agent and facts. */
export function systemPrompt(library: Library, agent: AgentDefinition, facts: PromptFacts): string {
  const { tools, instructions, kind } = facts;
  const hasSkills = tools.includes(SKILL_TOOL);
  // What ships is loaded where it is needed, and not offered besides.
  const offered = [...library.skills.values()].filter(({ origin }) => origin !== "shipped");
  const skills = hasSkills ? listSkills(offered, facts.skillTokens) : "";
  const part = (name: string, values: Record<string, string> = {}) => partText(library, name, values);
  return [
    part("who"),
    part("mandates"),
    part("contract"),
    kind === null ? "" : part(`workflow-${kind}`),
    guidanceFor(part("tools"), tools),
    instructions === "" ? "" : part("repository", { instructions }),
    skills === "" ? "" : part("skills", { skills }),
    bodyOf(agent, LANGUAGE_NAMES[facts.language]),
    ...loaded(library, facts.loads ?? agent.skills, LANGUAGE_NAMES[facts.language]),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

function partText(library: Library, name: string, values: Record<string, string>): string {
  const own = isPromptPart(name) ? library.replaced.get(name satisfies PromptPart) : undefined;
  if (own === null) return "";
  if (own !== undefined) return fillKnown(own, values);
  return fillPlaceholders(library.prompts.get(name) ?? "", values, `prompts/${name}.md`);
}

/** The guidance without lines about tools that are not offered; nothing when no line is left. */
function guidanceFor(text: string, offered: readonly string[]): string {
  const kept = text.split("\n").filter((line) => {
    const tools = TOOL_LINE.exec(line)?.groups?.["tools"];
    return tools === undefined || tools.split(", ").some((tool) => offered.includes(tool.slice(1, -1)));
  });
  return kept.some((line) => line.startsWith("- ")) ? kept.join("\n") : "";
}

/** The texts of skills: the repository's own of a name takes the place of the shipped one. */
function loaded({ skills }: Library, names: readonly string[], language: string): string[] {
  return names.map((name) => fillKnown(skills.get(name)?.body ?? "", { language }));
}

function bodyOf(agent: AgentDefinition, language: string): string {
  if (agent.origin === "repository") return fillKnown(agent.prompt, { language });
  return fillPlaceholders(
    agent.prompt,
    agent.prompt.includes("{{language}}") ? { language } : {},
    agent.file,
  );
}
