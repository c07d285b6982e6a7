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

/**
 * Makes of a server's JSON Schema what checks a value, and what the model is shown. Throws `INPUT_INVALID` when it is no
 * object's schema, or one that cannot be compiled.
 */
export function inputSchemaOf(jsonSchema: unknown): { schema: z.ZodType; spec: Json } {
  const { $schema, ...given } = isObject(jsonSchema) ? jsonSchema : { $schema: undefined, type: null };
  const spec: Json = { ...given, type: given["type"] ?? "object" };
  try {
    if (spec["type"] !== "object") throw new Error("it describes no object");
    const loose = withoutUnchecked({ ...spec, ...($schema === undefined ? {} : { $schema }) });
    const schema = z.fromJSONSchema(loose as Parameters<typeof z.fromJSONSchema>[0], {
      registry: z.registry(),
    });
    return { schema, spec };
  } catch (cause) {
    throw new AccrueError("INPUT_INVALID", `The schema cannot be used: ${String(cause)}.`, { cause });
  }
}
