import { createSourceReader, readDiff } from "../../src/codemap/index.js";
import {
  type ChangeKnowledge,
  type Check,
  type Command,
  type QueryRule,
  type Validation,
  validate,
} from "../../src/validator/index.js";
import type { Workspace } from "../../src/workspace/index.js";

export const source = createSourceReader(() => performance.now());

/** What the engine would know of the work tree's change against the last commit. */
export async function knowledgeOf(
  workspace: Workspace,
  rest: { rules?: QueryRule[]; reached?: string[] } = {},
): Promise<ChangeKnowledge> {
  const changed = (await workspace.changes()).map(({ path }) => path);
  const old = await workspace.mirror.readFiles(await workspace.head(), changed);
  const texts = await Promise.all(
    changed.map(async (path) => {
      const text = (await workspace.files.read(path))?.toString("utf8") ?? "";
      return diffOf(path, old.get(path) ?? null, text);
    }),
  );
  return {
    source,
    before: (path) => Promise.resolve(old.get(path) ?? null),
    diff: readDiff(texts.join("")),
    reached: rest.reached ?? [],
    rules: rest.rules ?? [],
  };
}

/** A diff in one piece: every line of the new text that the old one has not is a new one. */
function diffOf(path: string, old: string | null, text: string): string {
  const left = old?.split("\n") ?? [];
  const lines = text.split("\n").map((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at >= 0 ? ` ${line}` : `+${line}`;
  });
  const kept = lines.filter((line) => line.startsWith(" ")).length;
  const head = `--- ${old === null ? "/dev/null" : `a/${path}`}\n+++ b/${path}\n`;
  return `${head}@@ -1,${kept} +1,${lines.length} @@\n${lines.join("\n")}\n`;
}

export interface Given {
  rules?: QueryRule[];
  reached?: string[];
  commands?: Command[];
  isFinal?: boolean;
  baseline?: Validation | null;
}

/** Validates the work tree's change against the last commit. */
export async function checkChange(
  workspace: Workspace,
  given: Given,
  signal: AbortSignal,
): Promise<Validation> {
  const { box, files } = workspace;
  const { rules = [], reached = [], commands = [], baseline = null, isFinal = true } = given;
  const known = await knowledgeOf(workspace, { rules, reached });
  const changed = await workspace.changes();
  return validate({ box, files, commands, changed, known, baseline, isFinal }, signal);
}

/** The check of a name among those of a validation. */
export const named = ({ checks }: Validation, name: string): Check | undefined =>
  checks.find((each) => each.name === name);
