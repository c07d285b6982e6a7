import { z } from "zod";
import { AccrueError } from "../../shared/index.js";

type Json = Record<string, unknown>;

/** What servers check themselves: zod reads a format more strictly than meant, and a pattern of others may run for ever. */
const UNCHECKED = new Set(["default", "format", "pattern", "patternProperties", "propertyNames"]);

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withoutUnchecked(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutUnchecked);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => isObject(value) || !UNCHECKED.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutUnchecked(value)]));
}

/** What checks a value, as far as zod knows the schema's words; the server checks the rest itself. */
function checkOf(schema: Json): z.ZodType {
  try {
    const loose = withoutUnchecked(schema) as Parameters<typeof z.fromJSONSchema>[0];
    return z.fromJSONSchema(loose, { registry: z.registry() });
  } catch {
    return z.looseObject({});
  }
}

/** Makes of a server's JSON Schema what checks a value, and what the model is shown. Throws `INPUT_INVALID` when it is no object's schema. */
export function inputSchemaOf(jsonSchema: unknown): { schema: z.ZodType; spec: Json } {
  const given: Json = isObject(jsonSchema) ? jsonSchema : { type: null };
  const schema: Json = { ...given, type: given["type"] ?? "object" };
  if (schema["type"] !== "object") {
    throw new AccrueError("INPUT_INVALID", "The schema cannot be used: it describes no object.");
  }
  const { $schema: _, ...spec } = schema;
  return { schema: checkOf(schema), spec };
}
