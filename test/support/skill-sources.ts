import { extendSkills, loadSkills, type SkillSources } from "../../src/skills/index.js";

/** The prose that ships with the package. */
export const SHIPPED = loadSkills(new URL("../../rules/", import.meta.url));

/** The shipped skills with a repository's files over them. */
export function withRepository(files: Record<string, string>, more: Partial<SkillSources> = {}) {
  return extendSkills(SHIPPED, {
    repository: new Map(Object.entries(files)),
    user: new Map(),
    prompts: {},
    taken: [],
    checkTools: () => {},
    ...more,
  });
}
