import { z } from "zod";
import { AccrueError, messageOf } from "../shared/index.js";

type Json = Record<string, unknown>;

const MAX_SCHEMA_CHARS = 30_000;
const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];

/**
 * What is left to the tool itself to check: zod does not know it, or reads it more strictly than it is meant, and a pattern of
 * others is never run in our process, since it may take for ever.
 */
const UNCHECKED = [
  "default",
  "dependentRequired",
  "dependentSchemas",
  "else",
  "format",
  "if",
  "not",
  "pattern",
  "patternProperties",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
];
const CHOICES = ["allOf", "anyOf", "oneOf"];

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Some declarations write `STRING` for `string`. */
function typeName(type: unknown): unknown {
  const lower = typeof type === "string" ? type.toLowerCase() : "";
  return TYPES.includes(lower) ? lower : type;
}

/** Changes each schema within a schema, innermost first; names of properties and values of enums are no schemas. */
function mapSchema(schema: unknown, change: (schema: Json) => Json): unknown {
  if (Array.isArray(schema)) return schema.map((item) => mapSchema(item, change));
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (["const", "default", "enum", "examples", "required"].includes(key)) return [key, value];
    const isMap = ["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"].includes(
      key,
    );
    if (!isMap || !isObject(value)) return [key, mapSchema(value, change)];
    const inner = Object.entries(value).map(([name, item]) => [name, mapSchema(item, change)]);
    return [key, Object.fromEntries(inner)];
  });
  return change(Object.fromEntries(entries));
}

function normalised(schema: Json): Json {
  if (schema["type"] === undefined) return schema;
  const { type } = schema;
  return { ...schema, type: Array.isArray(type) ? type.map(typeName) : typeName(type) };
}

/** A choice among branches without a type cannot be told apart by zod: it would refuse what is right. */
function checkable(schema: Json): Json {
  const isVague = (branch: unknown) =>
    !isObject(branch) || !("type" in branch || "$ref" in branch || "enum" in branch || "const" in branch);
  const kept = Object.entries(schema).filter(([key, value]) => {
    if (UNCHECKED.includes(key)) return false;
    if (key === "additionalProperties" && "patternProperties" in schema) return false;
    return !CHOICES.includes(key) || (Array.isArray(value) && !value.some(isVague));
  });
  const loose = Object.fromEntries(kept);
  // Branches may overlap where only what was left out tells them apart.
  if (!Array.isArray(loose["oneOf"])) return loose;
  const { oneOf, ...rest } = loose;
  return "anyOf" in rest ? rest : { ...rest, anyOf: oneOf };
}

/** Providers take an object without a choice at its top: what the choice said stands in the description. */
function shown(schema: Json): Json {
  const { $schema: _, allOf, anyOf, oneOf, ...rest } = schema;
  const choice = Object.entries({ allOf, anyOf, oneOf }).filter(([, value]) => value !== undefined);
  const spec = {
    ...rest,
    type: "object",
    properties: isObject(rest["properties"]) ? rest["properties"] : {},
  };
  if (choice.length === 0) return spec;
  const words = [rest["description"], `Also: ${JSON.stringify(Object.fromEntries(choice))}`];
  return { ...spec, description: words.filter(Boolean).join(" ") };
}

/**
 * Makes of somebody else's JSON Schema what checks an input, and what the model is shown. Throws `INPUT_INVALID` when it is no
 * object's schema or cannot be compiled: then only that tool is left out.
 */
export function inputSchemaOf(jsonSchema: unknown): { schema: z.ZodType; spec: Record<string, unknown> } {
  const given = jsonSchema === undefined || jsonSchema === null || jsonSchema === true ? {} : jsonSchema;
  try {
    if (!isObject(given)) throw new Error("it is not an object");
    if (JSON.stringify(given).length > MAX_SCHEMA_CHARS)
      throw new Error(`it has more than ${MAX_SCHEMA_CHARS} characters`);
    const { $schema: _, ...schema } = mapSchema(given, normalised) as Json;
    const type = schema["type"] ?? "object";
    if (type !== "object" && !(Array.isArray(type) && type.includes("object"))) {
      throw new Error(`its type is ${JSON.stringify(type)} and not "object"`);
    }
    const compiled = z.fromJSONSchema(
      mapSchema({ ...schema, type: "object" }, checkable) as Parameters<typeof z.fromJSONSchema>[0],
    );
    return { schema: compiled, spec: shown(schema) };
  } catch (cause) {
    const message = `The input schema cannot be used: ${messageOf(cause)}. Correct it where the tool is declared.`;
    throw new AccrueError("INPUT_INVALID", message, { cause });
  }
}
