const STRING_OR_NOISE =
  /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=\s*(?:(?:\/\/[^\n]*\s*|\/\*[\s\S]*?\*\/\s*))*[}\]])/g;

/** Reads JSON with comments and trailing commas, as tools write their settings; null when it is none. */
export function parseJsonc(text: string): unknown {
  try {
    return JSON.parse(
      text.replace(/^\uFEFF/, "").replace(STRING_OR_NOISE, (_, string?: string) => string ?? ""),
    );
  } catch {
    return null;
  }
}

/** A value as an object whose keys may be asked for; empty when it is none. */
export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
