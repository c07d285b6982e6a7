import { z } from "zod";
import { messageOf } from "../shared/index.js";
import { invalid } from "./problems.js";

/** Keywords that would let a file hang the process that checks with it, or reach beyond the file. */
const REFUSED = new Set(["$ref", "$dynamicRef", "pattern", "patternProperties"]);
/** Below these keys stand names, not keywords. */
const NAMED = new Set(["properties", "$defs", "definitions"]);
const VALUES = new Set(["enum", "const", "default", "examples"]);

/** Makes a JSON Schema of a file's head into a schema to check with. It has to describe an object. */
export function objectSchema(
  json: Record<string, unknown>,
  where: { file: string; key: string },
): z.ZodType<Record<string, unknown>> {
  const { file, key } = where;
  const refused = findRefused(json);
  if (refused !== null)
    throw invalid(file, `${key} uses ${refused}, which is not taken here: use enum, or leave it out.`);
  let schema: z.ZodType;
  try {
    schema = z.fromJSONSchema({ type: "object", ...json });
    // What cannot be shown to a model again is no schema for one.
    z.toJSONSchema(schema, { io: "input" });
  } catch (cause) {
    throw invalid(file, `${key} is no JSON Schema that can be used: ${messageOf(cause)}.`, cause);
  }
  if (schema instanceof z.ZodObject) return schema;
  throw invalid(file, `${key} has to describe an object: type: object, with properties.`);
}

function findRefused(node: unknown): string | null {
  if (Array.isArray(node)) return firstOf(node.map(findRefused));
  if (typeof node !== "object" || node === null) return null;
  return firstOf(
    Object.entries(node).map(([key, value]) => {
      if (REFUSED.has(key)) return key;
      if (VALUES.has(key)) return null;
      const isNamed = NAMED.has(key) && typeof value === "object" && value !== null;
      return isNamed ? findRefused(Object.values(value as object)) : findRefused(value);
    }),
  );
}

function firstOf(found: readonly (string | null)[]): string | null {
  return found.find((one) => one !== null) ?? null;
}
