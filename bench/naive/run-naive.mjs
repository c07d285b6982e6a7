// Plays the naive loop on a copy of a project and compares the transcript with the one that is checked in.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseScenarios, startScriptedModel } from "../../dist/forge/index.js";
import { runNaiveLoop } from "./loop.mjs";
import { naiveScenario } from "./scenario.mjs";
import { runTool } from "./tools.mjs";

const TRANSCRIPT = new URL("transcript.jsonl", import.meta.url);

/** Files that the design of a recorded run lists and that exist already. */
function listedFiles(recorded, project) {
  const designs = recorded.flatMap(({ content }) => content.flatMap((block) => block.input?.files ?? []));
  return designs.map(({ path }) => path).filter((path) => path in project);
}

/** `calls` are what the product did; the naive loop does the same turns with the same models. */
export async function runNaive({ calls, project, issue, write }) {
  const folder = mkdtempSync(join(tmpdir(), "accrue-naive-"));
  const scenarios = parseScenarios(JSON.stringify(naiveScenario(calls, project)));
  const model = await startScriptedModel({ scenarios, clock: { now: () => Date.now() } });
  try {
    for (const [path, content] of Object.entries(project)) {
      runTool(folder, { name: "write_file", input: { path, content } });
    }
    const lines = await runNaiveLoop({
      url: model.url,
      folder,
      issue,
      shown: listedFiles(calls, project),
      models: calls.map(({ request }) => request.model),
    });
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const known = existsSync(TRANSCRIPT) ? readFileSync(TRANSCRIPT, "utf8") : "";
    if (write) writeFileSync(TRANSCRIPT, text);
    const at = text.split("\n").findIndex((line, index) => line !== known.split("\n")[index]);
    return { turns: lines.slice(1), staleFrom: write || text === known ? null : Math.max(0, at) };
  } finally {
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
