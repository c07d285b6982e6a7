import { posix } from "node:path";
import { estimateTokens } from "../shared/index.js";
import { checkHead, splitFrontmatter } from "./frontmatter.js";
import { type SkillProblem, attempt, invalid } from "./problems.js";
import { SkillFrontmatter } from "./schema.js";
import { MAX_DEFINITIONS, plainText } from "./text-file.js";
import type { Skill } from "./types.js";

const FILE = "SKILL.md";
const CUT = "(descriptions are cut to fit; a loaded skill is whole)";

/** Reads the skills of a folder: one sub-folder a skill, in the Agent Skills format. A broken one is a problem. */
export function readSkills(
  files: ReadonlyMap<string, string>,
  from: { folder: string; origin: Skill["origin"] },
  problems: SkillProblem[],
): Map<string, Skill> {
  const paths = [...files.keys()].filter((path) => path.startsWith(`${from.folder}/`)).sort();
  const skills = new Map<string, Skill>();
  for (const path of paths) {
    const [folder = "", file, ...deeper] = path.slice(from.folder.length + 1).split("/");
    if (file?.toUpperCase() !== FILE.toUpperCase() || deeper.length > 0) continue;
    const skill = attempt(problems, path, () => {
      if (file !== FILE) throw invalid(path, `rename the file to ${FILE}.`);
      if (skills.size === MAX_DEFINITIONS)
        throw invalid(path, `more than ${MAX_DEFINITIONS} skills: remove some.`);
      return parseSkill(files.get(path) ?? "", path, folder);
    });
    if (skill === null) continue;
    const home = posix.dirname(path);
    const others = paths.filter((other) => other.startsWith(`${home}/`) && other !== path);
    const isReachable = from.origin === "repository";
    if (!isReachable && others.length > 0) {
      const message = `only ${FILE} reaches an agent: the other files of ${folder} lie outside the workspace. Put what it needs into ${FILE}.`;
      problems.push({ file: path, message });
    }
    skills.set(skill.name, {
      ...skill,
      files: isReachable ? others.map((other) => other.slice(home.length + 1)) : [],
      folder: isReachable ? home : null,
      origin: from.origin,
      file: path,
    });
  }
  return skills;
}

function parseSkill(
  text: string,
  file: string,
  folder: string,
): Pick<Skill, "name" | "description" | "body"> {
  const { head, body } = splitFrontmatter(plainText(text, file), file);
  if (head === null)
    throw invalid(file, "begin the file with frontmatter: name and description between two lines of ---.");
  const { name, description } = checkHead(SkillFrontmatter, head, file);
  if (name !== folder) throw invalid(file, `name is "${name}": it must be its folder's, "${folder}".`);
  if (body === "") throw invalid(file, "write the instructions below the frontmatter.");
  return { name, description: description.replaceAll(/\s+/g, " "), body };
}

/** One line a skill within a number of tokens. Where that is too little, every description is cut to the same length. */
export function listSkills(skills: Iterable<Skill>, maxTokens: number): string {
  const all = [...skills].sort((a, b) => (a.name < b.name ? -1 : 1));
  const longest = Math.max(0, ...all.map(({ description }) => description.length));
  const render = (length: number) =>
    [...all.map((skill) => lineOf(skill, length)), ...(length < longest ? [CUT] : [])].join("\n");
  const fits = (text: string) => estimateTokens(text) <= maxTokens;
  if (fits(render(longest))) return render(longest);
  let [length, tooLong] = [-1, longest];
  while (tooLong - length > 1) {
    const middle = Math.floor((length + tooLong) / 2);
    if (fits(render(middle))) length = middle;
    else tooLong = middle;
  }
  if (length >= 0) return render(length);
  return namesWithin(all, fits);
}

function lineOf({ name, description }: Skill, length: number): string {
  if (description.length <= length) return `- ${name}: ${description}`;
  const cut = description
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd();
  return cut === "" ? `- ${name}` : `- ${name}: ${cut}…`;
}

function namesWithin(skills: readonly Skill[], fits: (text: string) => boolean): string {
  for (let count = skills.length - 1; count > 0; count -= 1) {
    const names = skills.slice(0, count).map(({ name }) => `- ${name}`);
    const text = [...names, `- and ${skills.length - count} more, for which there was no room`].join("\n");
    if (fits(text)) return text;
  }
  return "";
}
