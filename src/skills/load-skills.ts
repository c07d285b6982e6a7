import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";
import { AccrueError, messageOf } from "../shared/index.js";
import { fillPlaceholders } from "./fill.js";
import { AgentFrontmatter } from "./schema.js";
import type { AgentDefinition, Skills } from "./types.js";

const NAME = /^[a-z][a-z0-9-]*$/;
const FRONTMATTER = /^---\r?\n(?<yaml>[\s\S]*?)\r?\n---(?:\r?\n|$)(?<body>[\s\S]*)$/u;

function invalid(file: string, what: string, cause?: unknown): AccrueError {
  return new AccrueError("CONFIG_INVALID", `${file}: ${what}`, { cause });
}

function parseYaml(yaml: string, file: string): unknown {
  try {
    return parse(yaml);
  } catch (cause) {
    throw invalid(file, `the frontmatter is not valid YAML: ${messageOf(cause)}`, cause);
  }
}

function parseAgent(name: string, text: string, file: string): AgentDefinition {
  const groups = FRONTMATTER.exec(text)?.groups;
  if (groups === undefined) throw invalid(file, "begin the file with frontmatter between two lines of ---.");
  const parsed = AgentFrontmatter.safeParse(parseYaml(groups["yaml"] ?? "", file));
  if (!parsed.success) throw invalid(file, `correct the frontmatter:\n${z.prettifyError(parsed.error)}`);
  const { call_type, max_turns, max_minutes, ...same } = parsed.data;
  if (same.name !== name) throw invalid(file, `name is "${same.name}": it must be the file's, "${name}".`);
  const prompt = (groups["body"] ?? "").trim();
  if (prompt === "") throw invalid(file, "write the agent's instructions below the frontmatter.");
  return { ...same, callType: call_type, maxTurns: max_turns, maxMinutes: max_minutes, prompt, file };
}

/** Opens the folder of prose that ships with the package; each file is read when it is first asked for, and once. */
export function loadSkills(folder: URL): Skills {
  const root = folder.href.endsWith("/") ? folder : new URL(`${folder.href}/`);
  const agents = new Map<string, AgentDefinition>();
  const prompts = new Map<string, string>();

  const read = (kind: "agents" | "prompts", name: string): { file: string; text: string } => {
    const file = fileURLToPath(new URL(`${kind}/${name}.md`, root));
    if (!NAME.test(name)) throw invalid(file, `"${name}" is not a name: use a-z, 0-9 and -.`);
    try {
      return { file, text: readFileSync(file, "utf8").replace(/^\ufeff/, "") };
    } catch (cause) {
      throw invalid(file, `cannot be read: ${messageOf(cause)}`, cause);
    }
  };

  return {
    agent(name) {
      const known = agents.get(name);
      if (known !== undefined) return known;
      const { file, text } = read("agents", name);
      const agent = parseAgent(name, text, file);
      agents.set(name, agent);
      return agent;
    },
    prompt(name, values) {
      const text = prompts.get(name) ?? read("prompts", name).text.trim();
      prompts.set(name, text);
      return fillPlaceholders(text, values, `prompts/${name}.md`);
    },
    fill: (agent, values) => fillPlaceholders(agent.prompt, values, agent.file),
  };
}
