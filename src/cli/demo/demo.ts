import { EXIT, type Output, paint } from "../output.js";
import type { CommandEnd } from "../program.js";
import { closingText } from "./closing.js";
import { createPerson } from "./person.js";
import { savePages } from "./save-pages.js";
import { type StageDeps, setStage } from "./stage.js";
import { tellStory } from "./story.js";

/** What the demo command works with. */
export interface DemoDeps extends StageDeps {
  output: Output;
  mention: string;
  label: string;
  /** Called between the two requirements with the repository's control; tests change there what was learnt. */
  between(forge: Awaited<ReturnType<StageDeps["startForge"]>>): Promise<void>;
}

/** The whole job twice on the embedded GitHub: real webhooks, git, processes and pages; only GitHub and the model are doubles. */
export async function demoCommand(
  deps: DemoDeps,
  input: { keep: boolean },
  signal: AbortSignal,
): Promise<CommandEnd> {
  const { output, clock } = deps;
  const startMs = clock.now();
  output.err(
    `  ${paint(output, "dim", "starting the embedded GitHub, the scripted model and the server …")}\n`,
  );
  const stage = await setStage(deps);
  try {
    const { forge, token, repository } = stage;
    output.err(`  GitHub  ${forge.url}/${repository}\n  Box     ${stage.sandbox}\n\n`);
    const person = createPerson({ url: forge.url, apiUrl: forge.apiUrl, token, repository, signal });
    const between = async () => {
      stage.passDay();
      output.err(`\n  ${paint(output, "dim", "the next day …")}\n`);
      await deps.between(forge);
    };
    const story = {
      person,
      clock,
      output,
      mention: deps.mention,
      label: deps.label,
      between,
    };
    const chapters = await tellStory(story, signal);
    const [first, second] = chapters;
    const diff = await person.diff(first.pull.number);
    const places = chapters.flatMap(({ issue, pull }) => [
      `/${repository}/issues/${issue}`,
      `/${repository}/pull/${pull.number}`,
    ]);
    const saved = input.keep
      ? `${forge.url}/${repository}/pull/${second.pull.number}`
      : await savePages(forge.url, places);
    const text = closingText(output, { chapters, diff, pages: saved, totalMs: clock.now() - startMs });
    if (input.keep) await untilInterrupted(output, text, signal);
    const ok =
      chapters.every(({ check }) => check.conclusion === "success") && second.pull.mergeable === true;
    return {
      json: {
        issue: second.issue,
        pull: second.pull.number,
        check: second.check,
        bill: { first: first.spent, second: second.spent },
        transcript: chapters.map(({ requirement, transcript }) => ({ requirement, lines: transcript })),
      },
      text: input.keep ? "" : text,
      status: ok ? EXIT.done : EXIT.failed,
    };
  } finally {
    await stage.close();
  }
}

async function untilInterrupted(output: Output, text: string, signal: AbortSignal): Promise<void> {
  output.out(`${text}\n  The pages stay up until Ctrl-C.\n`);
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
