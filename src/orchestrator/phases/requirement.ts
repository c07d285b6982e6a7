import { formatRequirement, parseRequirement, requirementFolder } from "../../requirements/index.js";
import { isoTime } from "../../shared/index.js";
import { headline, setRow, show } from "../board.js";
import { type AgentCall, callAgent } from "../call-agent.js";
import { type Halt, haltOf } from "../ends.js";
import { knowledgeAlone } from "../experience.js";
import { asMaterial } from "../material.js";
import { RequirementOutput } from "../outputs.js";
import { advance, commitAndPush, isBeyond, stateOf } from "../state.js";
import { linkedItems } from "../trackers.js";
import type { Run } from "../types.js";
import { earlierWishes, evidenceOf } from "./wish.js";

const OVERVIEW_TOKENS = 1200;

/** requirement-manager turns the issue into `requirement.md` with acceptance criteria. Found done: it is read instead. */
export async function writeRequirement(run: Run, signal: AbortSignal): Promise<Halt | null> {
  const path = `${folderOf(run)}/requirement.md`;
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
  const document = formatRequirement(end.output, {
    id: run.requirement,
    issue: run.ask.thread?.number ?? null,
    language: run.language,
    url: run.ask.thread?.url ?? null,
    created: isoTime(run.deps.clock.now()).slice(0, 10),
  });
  await run.workspace.files.write(path, document);
  await advance(run, "clarified");
  adopt(run, document);
  return commitAndPush(run, `${run.requirement}: write the requirement`, signal);
}

/** Takes `requirement.md` over from an earlier run, if one got so far. */
export async function adoptRequirement(run: Run): Promise<boolean> {
  const existing = await run.workspace.files.read(`${folderOf(run)}/requirement.md`);
  if (!existing || !(isBeyond(run, "requirement") || stateOf(run) === "clarified")) return false;
  adopt(run, existing.toString("utf8"));
  return true;
}

/** Folder of the requirement's documents: the one that exists, whatever the title is now. */
export function folderOf(run: Run): string {
  const prefix = `requirements/in-progress/${run.requirement}`;
  const existing = [...run.knowledge.keys()].find(
    (path) => path.startsWith(`${prefix}/`) || path.startsWith(`${prefix}-`),
  );
  return existing?.split("/").slice(0, 3).join("/") ?? requirementFolder(run.requirement, run.slug, false);
}

function adopt(run: Run, document: string): void {
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
