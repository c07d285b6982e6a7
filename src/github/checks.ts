import { clipMarkdown, isoTime, messageOf } from "../shared/index.js";
import { createOnce, type Door, PAGE_SIZE } from "./door.js";
import { attempt, hasStatus } from "./errors.js";
import type { Annotation, CheckEnd, GitHubPort } from "./types.js";

// GitHub's limits.
const MAX_SUMMARY = 65_535;
const MAX_TITLE = 255;
const MAX_MESSAGE = 64_000;
const ANNOTATIONS_A_REQUEST = 50;
const MAX_ACTIONS = 3;
const MAX_ACTION = { label: 20, description: 40, identifier: 20 };

/** More would bury the diff; the summary says how many were left out. */
const MAX_ANNOTATIONS = 200;
const SHORT_SUMMARY = 2000;

type NewCheck = Parameters<GitHubPort["startCheck"]>[0];
type SoughtCheck = Parameters<GitHubPort["findCheck"]>[0];

/** Check runs: one per name, commit and external id, and none is left without an end. */
export function createChecks(door: Door): Pick<GitHubPort, "startCheck" | "findCheck" | "concludeCheck"> {
  return {
    startCheck: (input) =>
      attempt(`start the check ${input.name} on ${input.sha}`, async () => {
        const look = async () => (await find(door, input))?.id ?? null;
        return (await look()) ?? (await createOnce(door.patience, look, () => create(door, input)));
      }),
    findCheck: (input) =>
      attempt(`look for the check ${input.name} on ${input.sha}`, () => find(door, input)),
    concludeCheck: (id, end) =>
      attempt(`conclude the check ${id}`, async () => {
        try {
          await conclude(door, id, end);
        } catch (error) {
          if (!hasStatus(error, 422)) throw error;
          door.log.warn(
            { ...door.repo, check: id, said: messageOf(error) },
            "GitHub refused the output of a check: shortened",
          );
          await concludeShortly(door, id, end);
        }
      }),
  };
}

async function find(
  { octokit, repo, authorship }: Door,
  input: SoughtCheck,
): ReturnType<GitHubPort["findCheck"]> {
  const { appId } = await authorship();
  const pages = octokit.paginate.iterator(octokit.rest.checks.listForRef, {
    ...repo,
    ref: input.sha,
    check_name: input.name,
    filter: "all",
    per_page: PAGE_SIZE,
  });
  for await (const page of pages) {
    const found = page.data.find(
      (run) => run.external_id === input.externalId && (appId === null || run.app?.id === appId),
    );
    if (found) return { id: found.id, isCompleted: found.status === "completed" };
  }
  return null;
}

async function create({ octokit, repo, clock }: Door, input: NewCheck): Promise<number> {
  const { data: run } = await octokit.rest.checks.create({
    ...repo,
    name: input.name,
    head_sha: input.sha,
    external_id: input.externalId,
    status: "in_progress",
    started_at: isoTime(clock.now()),
    ...(input.url ? { details_url: input.url } : {}),
  });
  return run.id;
}

async function conclude(door: Door, id: number, end: CheckEnd): Promise<void> {
  const annotations = end.annotations.slice(0, MAX_ANNOTATIONS).map(annotationOf);
  const title = end.title.slice(0, MAX_TITLE);
  const left = end.annotations.length - annotations.length;
  const note = left > 0 ? `\n\n… ${left} more annotations are not shown` : "";
  const summary = clipMarkdown(end.summary, MAX_SUMMARY - note.length) + note;
  const check = { ...door.repo, check_run_id: id };
  const { update } = door.octokit.rest.checks;
  await update({
    ...check,
    ...ending(end, door),
    output: { title, summary, annotations: annotations.slice(0, ANNOTATIONS_A_REQUEST) },
    actions: end.actions.slice(0, MAX_ACTIONS).map(actionOf),
  });
  for (let at = ANNOTATIONS_A_REQUEST; at < annotations.length; at += ANNOTATIONS_A_REQUEST) {
    const batch = annotations.slice(at, at + ANNOTATIONS_A_REQUEST);
    await update({ ...check, output: { title, summary, annotations: batch } });
  }
}

/** A check that stays pending blocks a merge for good, so an ending without details is better than none. */
async function concludeShortly(door: Door, id: number, end: CheckEnd): Promise<void> {
  const check = { ...door.repo, check_run_id: id, ...ending(end, door) };
  const output = {
    title: end.title.slice(0, MAX_TITLE),
    summary: clipMarkdown(end.summary, SHORT_SUMMARY),
  };
  const { update } = door.octokit.rest.checks;
  try {
    await update({ ...check, output });
  } catch (error) {
    if (!hasStatus(error, 422)) throw error;
    await update(check);
  }
}

function ending(end: CheckEnd, door: Door) {
  const completed_at = isoTime(door.clock.now());
  return { status: "completed" as const, conclusion: end.conclusion, completed_at };
}

function annotationOf(annotation: Annotation) {
  const line = Math.max(1, annotation.line);
  return {
    path: annotation.path,
    start_line: line,
    end_line: line,
    annotation_level: annotation.level,
    title: annotation.title.slice(0, MAX_TITLE),
    message: clipMarkdown(annotation.message || annotation.title, MAX_MESSAGE),
  };
}

function actionOf(action: CheckEnd["actions"][number]) {
  return {
    label: action.label.slice(0, MAX_ACTION.label),
    description: action.description.slice(0, MAX_ACTION.description),
    identifier: action.identifier.slice(0, MAX_ACTION.identifier),
  };
}
