import { parseRequirement, type State } from "../../requirements/index.js";
import { headline, setRow, show } from "../board.js";
import { type AgentCall, callAgent } from "../call-agent.js";
import { type Halt, haltOf } from "../ends.js";
import { knowledgeAlone } from "../experience.js";
import { folderOf } from "../folder-of.js";
import { asMaterial } from "../material.js";
import { RequirementOutput } from "../outputs.js";
import { saveRequirement } from "../save-requirement.js";
import { advance, commitAndPush, isBeyond, stateOf } from "../state.js";
import { linkedItems } from "../trackers.js";
import type { Run } from "../types.js";
import { earlierWishes, evidenceOf } from "./wish.js";

const OVERVIEW_TOKENS = 1200;
/** States in which there is a requirement, though the next step is another look at it. */
const ADOPTED: readonly (State | null)[] = ["clarified", "changed"];

/** requirement-manager turns the issue into `requirement.md` with acceptance criteria. Found done: it is read instead. */
export async function writeRequirement(run: Run, signal: AbortSignal): Promise<Halt | null> {
  if (await adoptRequirement(run)) return null;
  // Without an issue the words stand nowhere else, and a run that goes on later needs them.
  if (stateOf(run) === null) await advance(run, "opened", run.ask.thread ? evidenceOf(run) : run.text);
  setRow(run.board, "requirement", "active", "");
  await show(run, { headline: headline("requirement", run.language) }, true);

  const end = await callAgent(
    run,
    {
      agent: "requirement-manager",
      phase: "requirement",
      task: "requirement",
      ...(await messageOf(run, signal)),
      output: RequirementOutput,
    },
    signal,
  );
  const halt = haltOf("requirement-manager", end);
  if (halt || !end.output) return halt;
  const { document } = await saveRequirement(run, end.output, () => []);
  await advance(run, "clarified");
  takeDocument(run, document);
  return commitAndPush(run, `${run.requirement}: write the requirement`, signal);
}

/** Takes `requirement.md` over from an earlier run, if one got so far. */
export async function adoptRequirement(run: Run): Promise<boolean> {
  const existing = await run.workspace.files.read(`${folderOf(run)}/requirement.md`);
  const isWritten = isBeyond(run, "requirement") || ADOPTED.includes(stateOf(run));
  if (!existing || !isWritten) return false;
  takeDocument(run, existing.toString("utf8"));
  return true;
}

/** Takes a document over as the requirement that is worked on. */
export function takeDocument(run: Run, document: string): void {
  const draft = parseRequirement(document);
  run.draft = draft;
  run.documents.requirement = document;
  const criteria = draft.criteria.length;
  const open = draft.questions.map(({ question, assumed }) => `*${question}* → ${assumed}`);
  const count =
    run.language === "zh"
      ? `${criteria} 条验收标准`
      : `${criteria} acceptance ${criteria === 1 ? "criterion" : "criteria"}`;
  setRow(run.board, "requirement", "done", [count, ...open].join(" · "));
}

async function messageOf(run: Run, signal: AbortSignal): Promise<Pick<AgentCall<unknown>, "text" | "code">> {
  const issue = [
    run.text,
    run.brought,
    await linkedItems(run, signal),
    ...earlierWishes(run).map(({ text }) => `<comment>\n${asMaterial(text)}\n</comment>`),
  ]
    .filter(Boolean)
    .join("\n\n");
  await run.code.map.refresh(signal);
  const code = await knowledgeAlone(run, "requirement", {}, signal);
  const text = run.skills.prompt("task-requirement", {
    repository: `${run.ask.repository.owner}/${run.ask.repository.name}`,
    requirement: run.requirement,
    issue,
    knowledge: code.knowledge,
    overview: asMaterial(run.code.map.overview(OVERVIEW_TOKENS)),
  });
  return { text, code };
}
