import { z } from "zod";
import type { ToolSpec } from "../model/index.js";
import type { Tool } from "./types.js";

/** A tool as it is shown to the model. */
export function specOf({ name, description, input, inputSchema }: Tool): ToolSpec {
  if (inputSchema !== undefined) return { name, description, inputSchema };
  const { $schema: _, ...own } = z.toJSONSchema(input, { io: "input" });
  return { name, description, inputSchema: own };
}
