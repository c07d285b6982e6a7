import { AccrueError } from "../shared/index.js";

const PLACEHOLDER = /\{\{\s*(?<name>[A-Za-z_][\w-]*)\s*\}\}/gu;

/**
 * Puts values into the `{{name}}` places of a text. A name without a value, or a value without a place, throws: it is a prompt
 * that says something else than its author thinks. Placeholders inside values stay text.
 */
export function fillPlaceholders(
  text: string,
  values: Readonly<Record<string, string>>,
  file: string,
): string {
  const used = new Set<string>();
  const filled = text.replace(PLACEHOLDER, (_whole, name: string) => {
    used.add(name);
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value !== undefined) return value;
    const known = Object.keys(values).join(", ") || "none";
    throw new AccrueError(
      "CONFIG_INVALID",
      `${file} asks for {{${name}}}, which has no value. Known: ${known}.`,
    );
  });
  const unused = Object.keys(values).filter((name) => !used.has(name));
  if (unused.length === 0) return filled;
  throw new AccrueError(
    "CONFIG_INVALID",
    `${file} has no place for ${unused.join(", ")}. Write {{${unused[0]}}} where it belongs.`,
  );
}

/** The same for a text that is not ours: braces that mean something else to its author stay as they are. */
export function fillKnown(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}
