import type { PlannedTask } from "../requirements/index.js";
import { inertSubject } from "../shared/index.js";
import { signatureOf } from "./commit-service.js";
import type { ServiceSite } from "./site.js";
import type { Run } from "./types.js";

type Claim = PlannedTask["evidence"][number];

/** A branch of more commits is looked through no further. */
const MAX_COMMITS = 500;
const PROOF = /^Shows (AC-\d+): (\S+) (.+)$/gm;

/** The line of a commit that says which test shows a criterion. */
export function proofLine({ criterion, path, test }: Claim): string {
  return inertSubject(`Shows ${criterion}: ${path} ${test}`);
}

/**
 * Tasks of services whose commit this run made though the plan does not say that they are done: it was ended between the two. They
 * are done, with the evidence that their commits name. Gives them.
 */
export async function takeCommitted(run: Run, { names, workspace }: ServiceSite): Promise<PlannedTask[]> {
  const { mirror, baseSha } = workspace;
  const head = await workspace.head();
  const ahead = await mirror.ahead(baseSha, head);
  if (ahead === 0) return [];
  const commits = await mirror.history(head, Math.min(ahead, MAX_COMMITS));
  const ours = commits.filter(({ message }) => message.split("\n").includes(signatureOf(run)));
  const found = run.tasks.filter((task) => names.includes(task.service ?? "") && !task.done);
  return found.filter((task) => {
    const subject = `${task.id}: ${inertSubject(task.title)}`;
    const commit = ours.find(({ message }) => message.split("\n")[0] === subject);
    if (!commit) return false;
    task.done = true;
    for (const [, criterion = "", path = "", test = ""] of commit.message.matchAll(PROOF))
      task.evidence.push({ criterion, path, test });
    return true;
  });
}
