import { clipMiddle } from "../../shared/index.js";
import { detectLint } from "../../validator/index.js";
import { callAgent } from "../call-agent.js";
import { onlyCode, showCode } from "../code.js";
import { type Halt, haltOf } from "../ends.js";
import { knowledgeFor } from "../experience.js";
import { type Proof, proofOf } from "../intent.js";
import { asMaterial } from "../material.js";
import { TaskReport } from "../outputs.js";
import { changedSources } from "../proof/base-copy.js";
import type { Proved } from "../proof/judge.js";
import { fedBack } from "../texts/proof.js";
import type { Run } from "../types.js";
import { wishOf } from "./wish.js";

const CODE_SHARE = 0.5;
const MAX_CHANGE_CHARACTERS = 20_000;

/** Who writes what is asked for, and by which message. */
const WORK = {
  test: { agent: "test-agent", kind: "test", prompt: "task-prove-test" },
  lint: { agent: "implementation-executor", kind: "feature", prompt: "task-prove-lint" },
} as const satisfies Record<Proof, object>;

/** Lets an agent write the test or rule that a small request asks for, told what the last try showed. */
export async function writeRequested(
  run: Run,
  { attempt, last }: { attempt: number; last: Proved | null },
  signal: AbortSignal,
): Promise<Halt | null> {
  const { agent, kind, prompt } = WORK[proofOf(run.ask) ?? "test"];
  const { mirror, baseSha, head } = run.workspace;
  const change = onlyCode(await mirror.diff(baseSha, await head()));
  const sources = (await changedSources(run.workspace, await head())).map(({ path }) => path);
  const wish = wishOf(run)?.text ?? "";
  const experience = await knowledgeFor(
    run,
    "implement",
    { text: `${run.title}\n${wish}`, paths: sources },
    signal,
  );
  const asked = [wish, run.brought].filter(Boolean).join("\n\n");
  const code = await showCode(
    run,
    {
      task: `${run.title}\n${wish}`,
      files: sources,
      share: CODE_SHARE,
      experience,
      phase: "implement",
      taken: 0,
    },
    signal,
  );
  const text = run.skills.prompt(prompt, {
    requirement: run.requirement,
    repository: `${run.ask.repository.owner}/${run.ask.repository.name}`,
    wish: asMaterial(asked),
    pull: run.text,
    change: asMaterial(clipMiddle(change, MAX_CHANGE_CHARACTERS)) || "nothing but documents and tests",
    knowledge: code.knowledge,
    code: code.text,
    how: await howOf(run),
    observed:
      last === null
        ? ""
        : `What you wrote was run (try ${attempt}):\n\n<failures>\n${asMaterial(fedBack(last))}\n</failures>`,
  });
  const call = {
    agent,
    phase: "implement",
    task: `request-${attempt + 1}`,
    text,
    code,
    output: TaskReport,
    kind,
  };
  return haltOf("The request", await callAgent(run, call, signal));
}

/** What will run it. */
async function howOf(run: Run): Promise<string> {
  const { settings, workspace } = run;
  const linter = await detectLint(workspace.files, settings.validate);
  return linter ? `\`${linter.command}\`` : "none";
}
