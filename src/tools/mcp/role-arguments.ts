import { AccrueError } from "../../shared/index.js";
import type { McpRoleTool } from "./options.js";
import type { RemoteTool } from "./remote.js";

/** What a role's tool is given. */
export type RoleValues = Readonly<Partial<Record<"item" | "query" | "text", string>>>;

/** Names under which servers take these values. */
const NAMES: Readonly<Record<keyof RoleValues, RegExp>> = {
  item: /id$|key|number|item|issue|ticket|identifier/iu,
  query: /query|search|^q$|text|term|[jc]ql/iu,
  text: /text|body|comment|content|message|status|note/iu,
};
const PLACE = /\{\{(?<name>item|query|text)\}\}/gu;

type Property = { type?: unknown };

function isNumeric(type: unknown): boolean {
  return type === "integer" || type === "number";
}

function propertiesOf({ inputSchema }: RemoteTool): Record<string, Property> {
  const properties = inputSchema["properties"];
  return typeof properties === "object" && properties !== null
    ? (properties as Record<string, Property>)
    : {};
}

/** Which argument takes which value, when the configuration only names the tool. Null when that is not clear. */
function guess(tool: RemoteTool, wanted: readonly (keyof RoleValues)[]): Record<string, string> | null {
  const required = Array.isArray(tool.inputSchema["required"])
    ? (tool.inputSchema["required"] as unknown[])
    : [];
  const simple = Object.entries(propertiesOf(tool))
    .filter(([, { type }]) => type === undefined || type === "string" || isNumeric(type))
    .map(([name]) => name)
    .sort((a, b) => Number(required.includes(b)) - Number(required.includes(a)));
  const taken = new Map<string, string>();
  for (const value of wanted) {
    const free = simple.filter((name) => !taken.has(name));
    const only = wanted.length === 1 && required.length === 1 ? required[0] : undefined;
    const name = free.find((each) => NAMES[value].test(each)) ?? free.find((each) => each === only);
    if (name === undefined) return null;
    taken.set(name, `{{${value}}}`);
  }
  return required.every((name) => taken.has(String(name))) ? Object.fromEntries(taken) : null;
}

function fill(template: unknown, values: RoleValues): unknown {
  if (typeof template === "string") {
    return template.replace(PLACE, (whole, name: keyof RoleValues) => values[name] ?? whole);
  }
  if (Array.isArray(template)) return template.map((item) => fill(item, values));
  if (typeof template !== "object" || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fill(value, values)]));
}

/** Prepares the arguments of a role's tool. Throws `CONFIG_INVALID` when it is not clear which argument takes what. */
export function roleArguments(
  { tool: name, arguments: written }: McpRoleTool,
  tool: RemoteTool,
  wanted: readonly (keyof RoleValues)[],
): (values: RoleValues) => Record<string, unknown> {
  const template = written ?? guess(tool, wanted);
  if (template === null) {
    const places = wanted.map((value) => `"{{${value}}}"`).join(" and ");
    throw new AccrueError(
      "CONFIG_INVALID",
      `it is not clear which arguments ${name} takes. Write {tool: ${name}, arguments: {…}} with ${places} in it; it has: ${Object.keys(propertiesOf(tool)).join(", ") || "none"}.`,
    );
  }
  const properties = propertiesOf(tool);
  return (values) =>
    Object.fromEntries(
      Object.entries(template).map(([key, value]) => {
        const filled = fill(value, values);
        return [
          key,
          isNumeric(properties[key]?.type) && /^\d+$/u.test(String(filled)) ? Number(filled) : filled,
        ];
      }),
    );
}
