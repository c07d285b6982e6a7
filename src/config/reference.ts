import { z } from "zod";
import { CommandEnv } from "./command-env.js";
import { AgentConfig } from "./schema.js";
import { ServerEnv } from "./server.js";

/** A part of a JSON Schema, as far as the reference shows it. */
const Node = z.object({
  type: z.string().optional(),
  description: z.string().default(""),
  default: z.unknown().optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.object({ type: z.string().optional() }).optional(),
  anyOf: z.array(z.unknown()).optional(),
  required: z.array(z.string()).default([]),
});
type Node = z.infer<typeof Node>;

/** A key of `.github/agent.yml`, with its path in dots. A group holds further keys. */
export interface ConfigKey {
  path: string;
  type: string;
  default: string;
  meaning: string;
  isGroup: boolean;
}

/** An environment variable, and what happens without it. */
export interface Variable {
  name: string;
  without: string;
  meaning: string;
  /** Whether the server reads it; the others are read by commands and by the Action. */
  isServers: boolean;
}

/** Every key of `.github/agent.yml`, in the order of the schema. */
export function configKeys(): ConfigKey[] {
  return keysOf(Node.parse(z.toJSONSchema(AgentConfig, { io: "input" })), "");
}

/** Every environment variable that anything of ours reads. */
export function variables(): Variable[] {
  const schemas = [
    { schema: ServerEnv, isServers: true },
    { schema: CommandEnv, isServers: false },
  ];
  return schemas.flatMap(({ schema, isServers }) => {
    const { properties = {}, required } = Node.parse(
      z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }),
    );
    return Object.entries(properties).map(([name, value]) => {
      const node = Node.parse(value);
      const absent = isServers && required.includes(name) ? "required" : "";
      const without = node.default === undefined ? absent : `\`${shown(node.default)}\``;
      return { name, without, meaning: node.description, isServers };
    });
  });
}

/** The tables of `docs/configuration.md`, which is made of them and of the prose around them. */
export function configurationTables(): { keys: string; variables: string } {
  const keys = configKeys().map(({ path, type, default: value, meaning }) => [
    `\`${path}\``,
    type,
    value,
    meaning,
  ]);
  const rows = variables().map(({ name, without, meaning, isServers }) => [
    `\`${name}\``,
    isServers ? "server" : "commands",
    without,
    meaning,
  ]);
  return {
    keys: table(["key", "type", "default", "meaning"], keys),
    variables: table(["variable", "read by", "default", "meaning, and what happens without it"], rows),
  };
}

function keysOf({ properties = {} }: Node, prefix: string): ConfigKey[] {
  return Object.entries(properties).flatMap(([name, value]) => {
    const node = Node.parse(value);
    const path = `${prefix}${name}`;
    const isGroup = node.properties !== undefined;
    const key: ConfigKey = {
      path,
      type: typeOf(node),
      default: isGroup || node.default === undefined ? "" : `\`${shown(node.default)}\``,
      meaning: node.description,
      isGroup,
    };
    return [key, ...keysOf(node, `${path}.`)];
  });
}

function typeOf(node: Node): string {
  // "null" needs no word of its own: the default or the meaning says it.
  if (node.anyOf) {
    const types = node.anyOf.map((part) => typeOf(Node.parse(part))).filter((type) => type !== "null");
    return [...new Set(types)].join(" or ");
  }
  if (node.enum) return node.enum.map((value) => `\`${value}\``).join(", ");
  if (node.properties) return "group";
  if (node.type === "array") return `list of ${node.items?.type ?? "value"}s`;
  return node.type === undefined || node.type === "object" ? "names with texts" : node.type;
}

function shown(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
