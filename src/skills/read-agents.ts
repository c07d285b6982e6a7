import { posix } from "node:path";
import { closest } from "../shared/index.js";
import { checkHead, splitFrontmatter } from "./frontmatter.js";
import { objectSchema } from "./object-schema.js";
import { type SkillProblem, attempt, invalid } from "./problems.js";
import { AgentFrontmatter } from "./schema.js";
import { MAX_DEFINITIONS, plainText } from "./text-file.js";
import type { AgentDefinition, SkillSources } from "./types.js";

/**
 * Tools that change nothing anybody else sees. Any other may, so it counts as writing. The last two mean what others bring: an
 * agent that reads otherwise is offered only those of them that say they read.
 */
const READING = new Set([
  "list_files",
  "read_file",
  "search",
  "find_symbol",
  "find_references",
  "recall",
  "search_tools",
  "activate_skill",
  "note",
  "todo",
  "complete_task",
  "mcp_*",
  "ext_*",
]);
const TASK = { type: "object", properties: { task: { type: "string", minLength: 1 } }, required: ["task"] };
const RESULT = { type: "object", properties: { result: { type: "string" } }, required: ["result"] };

interface ParsedAgent {
  agent: AgentDefinition;
  /** Agents that are to be offered this one; undefined where the file leaves it to us. */
  usedBy: string[] | undefined;
}

/** Reads an agent's file. Throws `CONFIG_INVALID` naming file, key and cure. */
export function parseAgent(text: string, file: string, origin: AgentDefinition["origin"]): ParsedAgent {
  const { head, body } = splitFrontmatter(plainText(text, file), file);
  if (head === null) throw invalid(file, "begin the file with frontmatter between two lines of ---.");
  const { call_type, max_turns, max_minutes, agents, used_by, ...same } = checkHead(
    AgentFrontmatter,
    head,
    file,
  );
  const wanted = posix.basename(file, ".md");
  if (same.name !== wanted)
    throw invalid(file, `name is "${same.name}": it must be the file's, "${wanted}".`);
  if (body === "") throw invalid(file, "write the agent's instructions below the frontmatter.");
  const isOwn = origin === "repository";
  const schemaOf = (key: "input" | "output", usual: Record<string, unknown>) => {
    const json = same[key] ?? (isOwn ? usual : null);
    return json === null ? null : objectSchema(json, { file, key });
  };
  const agent: AgentDefinition = {
    ...same,
    callType: call_type,
    maxTurns: max_turns,
    maxMinutes: max_minutes,
    input: schemaOf("input", TASK),
    output: schemaOf("output", RESULT),
    origin,
    writes: same.tools.some((tool) => !READING.has(tool)),
    subagents: agents,
    prompt: body,
    file,
  };
  return { agent, usedBy: used_by };
}

/** Adds a repository's own agents to those that ship. What is wrong with one leaves that one out. */
export function addAgents(
  shipped: ReadonlyMap<string, AgentDefinition>,
  files: ReadonlyMap<string, string>,
  problems: SkillProblem[],
  { taken, checkTools }: Pick<SkillSources, "taken" | "checkTools">,
): Map<string, AgentDefinition> {
  const agents = new Map(shipped);
  const offers: { name: string; usedBy: string[] }[] = [];
  for (const [file, text] of files) {
    attempt(problems, file, () => {
      if (offers.length === MAX_DEFINITIONS)
        throw invalid(file, `more than ${MAX_DEFINITIONS} agents: remove some.`);
      const { agent, usedBy } = parseAgent(text, file, "repository");
      if (shipped.has(agent.name) || taken.includes(agent.name)) {
        throw invalid(file, `the name "${agent.name}" is taken by Accrue itself: choose another.`);
      }
      checkTools(agent.tools);
      if (agent.subagents.length > 0) {
        throw invalid(file, "agents cannot stand here: an agent that others call is offered none itself.");
      }
      const callers = usedBy ?? usualCallers(agent, shipped);
      for (const caller of callers) checkCaller(agent, caller, shipped);
      agents.set(agent.name, agent);
      offers.push({ name: agent.name, usedBy: callers });
    });
  }
  for (const agent of shipped.values()) {
    const offered = offers.filter(({ usedBy }) => usedBy.includes(agent.name)).map(({ name }) => name);
    agents.set(agent.name, { ...agent, subagents: [...agent.subagents, ...offered] });
  }
  return agents;
}

/** Every shipped agent that calls others; one that only reads is not handed one that writes. */
function usualCallers(agent: AgentDefinition, shipped: ReadonlyMap<string, AgentDefinition>): string[] {
  return [...shipped.values()]
    .filter((caller) => caller.subagents.length > 0 && (caller.writes || !agent.writes))
    .map(({ name }) => name);
}

function checkCaller(
  agent: AgentDefinition,
  caller: string,
  shipped: ReadonlyMap<string, AgentDefinition>,
): void {
  const known = shipped.get(caller);
  if (known === undefined) {
    const meant = closest(caller, [...shipped.keys()]);
    const hint = meant ? `did you mean ${meant}?` : `the agents are ${[...shipped.keys()].join(", ")}.`;
    throw invalid(agent.file, `used_by names "${caller}": ${hint}`);
  }
  if (agent.writes && !known.writes) {
    const message = `used_by names ${caller}, which only reads: give this agent reading tools only, or leave ${caller} out.`;
    throw invalid(agent.file, message);
  }
}
