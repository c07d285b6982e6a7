// The tools of the naive loop, on a real folder.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const object = (properties, required = Object.keys(properties)) => ({ type: "object", properties, required });
const text = { type: "string" };

/** As short as they can be: each turn pays for them again. */
export const TOOLS = [
  ["complete_task", "Delivers a result.", object({}, [])],
  ["list_files", "Lists the files.", object({})],
  ["read_file", "Reads a file.", object({ path: text })],
  ["run", "Runs a shell command.", object({ command: text })],
  ["search", "Searches all files for a regular expression.", object({ pattern: text })],
  ["write_file", "Writes a whole file.", object({ path: text, content: text })],
].map(([name, description, input_schema]) => ({ name, description, input_schema }));

/** What differs from run to run, such as times, would make two transcripts of the same work differ. */
function steady(output, folder) {
  return output
    .replaceAll(folder, ".")
    .replace(/duration_ms:? [\d.]+/g, "duration_ms 1")
    .trimEnd();
}

/** Runs one call; gives the text that goes back to the model. */
export function runTool(folder, { name, input }) {
  const at = (path) => join(folder, path);
  if (name === "complete_task") return "Received.";
  if (name === "read_file")
    return existsSync(at(input.path)) ? readFileSync(at(input.path), "utf8") : "(no such file)";
  if (name === "write_file") {
    mkdirSync(dirname(at(input.path)), { recursive: true });
    writeFileSync(at(input.path), input.content);
    return `Wrote ${input.path}.`;
  }
  if (name === "list_files") {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .sort()
      .join("\n");
  }
  if (name === "search") {
    const { stdout } = spawnSync("grep", ["-rnE", "-e", input.pattern, "."], {
      cwd: folder,
      encoding: "utf8",
    });
    return stdout.split("\n").filter(Boolean).sort().join("\n") || "(no matches)";
  }
  if (name !== "run") throw new Error(`The naive loop has no tool ${name}.`);
  const { status, stdout, stderr } = spawnSync("sh", ["-c", input.command], {
    cwd: folder,
    encoding: "utf8",
  });
  return `exit code ${status}\n${steady(stdout + stderr, folder)}`;
}
