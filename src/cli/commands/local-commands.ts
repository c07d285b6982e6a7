import type { Tree } from "../../knowledge/index.js";
import { type InitScene, initRepository } from "../init.js";
import { EXIT } from "../output.js";
import type { CommandEnd } from "../program.js";

const WORKFLOW = ".github/workflows/accrue.yml";
const NEXT = `
Look at the files, then commit them. The workflow needs the secret ANTHROPIC_API_KEY; where the App is installed, delete
${WORKFLOW}, since both would answer.`;

/** Writes the scaffold and says which files are new, which got lines of ours, and which were left alone. */
export async function initCommand(root: string, shipped: Tree, scene: InitScene): Promise<CommandEnd> {
  const result = await initRepository(root, shipped, scene);
  const lines = [
    ...result.created.map((path) => `  created  ${path}`),
    ...result.updated.map((path) => `  updated  ${path}`),
    ...result.kept.map((path) => `  kept     ${path}`),
    ...(result.created.includes(WORKFLOW) ? [NEXT] : []),
  ];
  return { json: result, text: lines.join("\n"), status: EXIT.done };
}

/** Lists what is wrong in a configuration file; null when there is none. */
export function configCommand(
  found: readonly { file: string; line: number; code: string; message: string }[] | null,
  file: string,
): CommandEnd {
  const problems = found ?? [];
  const lines = problems.map((problem) => `${problem.file}:${problem.line}  ${problem.message}`);
  const fine = found ? `${file} is right.` : `There is no ${file}: every key has its default.`;
  const text = problems.length === 0 ? fine : lines.join("\n");
  return { json: { problems }, text, status: problems.length === 0 ? EXIT.done : EXIT.usage };
}

/** Serves until it is told to stop. */
export async function serveCommand(
  start: () => Promise<{ url: string; close(): Promise<void> }>,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const server = await start();
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await server.close();
  return { json: { url: server.url }, text: "", status: EXIT.done };
}
