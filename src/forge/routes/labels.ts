import { z } from "zod";
import { actorOf, openRepository } from "../access.js";
import { tellLabel } from "../happenings.js";
import type { Hub } from "../hub.js";
import { labelNamed, openIssue, type IssueNeed } from "../issue-access.js";
import { labelJson } from "../json/repository.js";
import { invalid, notFound, Refusal } from "../refusal.js";
import { bodyOf, listed, textOf, type Answer, type Call, type Route } from "../router.js";
import type { Issue, Label, Repository } from "../state.js";

const LabelNames = z
  .union([
    z.array(z.string()),
    z.object({ labels: z.array(z.union([z.string(), z.object({ name: z.string() })])).optional() }),
  ])
  .transform((body) => {
    const labels = Array.isArray(body) ? body : (body.labels ?? []);
    return labels.map((label) => (typeof label === "string" ? label : label.name));
  });

const NewLabel = z.object({
  name: z.string(),
  color: z
    .string()
    .regex(/^[0-9a-fA-F]{6}$/, "color must be six hexadecimal digits without #")
    .optional(),
  description: z.string().max(100).optional(),
});

const TRIAGE: IssueNeed = { level: "write", person: "triage" };
const REPOSITORY = "/repos/{owner}/{repo}";
const ISSUE = `${REPOSITORY}/issues/{issue_number}`;

/** Labels of an issue or pull request, and those that a repository has. */
export function labelRoutes(hub: Hub): Route[] {
  const { state } = hub;
  return [
    {
      method: "GET",
      template: `${ISSUE}/labels`,
      serve(call) {
        const { repository, issue } = openIssue(state, call, { level: "read" });
        return listed(call, issue.labels, (label) => labelJson(state, repository, label));
      },
    },
    {
      method: "POST",
      template: `${ISSUE}/labels`,
      serve: (call) => setLabels(hub, call, (issue, named) => [...issue.labels, ...named]),
    },
    {
      method: "PUT",
      template: `${ISSUE}/labels`,
      serve: (call) => setLabels(hub, call, (_, named) => named),
    },
    {
      method: "DELETE",
      template: `${ISSUE}/labels/{name}`,
      serve: (call) => removeLabel(hub, call),
    },
    ...repositoryLabelRoutes(hub),
  ];
}

function repositoryLabelRoutes({ state }: Hub): Route[] {
  const open = (call: Call, level: "read" | "write") =>
    openRepository(state, call, { permission: ["issues", "pull_requests"], level });
  return [
    {
      method: "GET",
      template: `${REPOSITORY}/labels`,
      serve(call) {
        const repository = open(call, "read");
        return listed(call, [...repository.labels.values()], (one) => labelJson(state, repository, one));
      },
    },
    {
      method: "POST",
      template: `${REPOSITORY}/labels`,
      serve(call) {
        const repository = open(call, "write");
        const wish = bodyOf(call, NewLabel, "Label");
        if (repository.labels.has(wish.name.toLowerCase())) throw invalid("Label", "name", "already_exists");
        const label = labelNamed(state, repository, wish.name);
        label.color = wish.color ?? label.color;
        label.description = wish.description ?? null;
        return { status: 201, body: labelJson(state, repository, label) };
      },
    },
    {
      method: "GET",
      template: `${REPOSITORY}/labels/{name}`,
      serve(call) {
        const repository = open(call, "read");
        const label = repository.labels.get(textOf(call, "name").toLowerCase());
        if (!label) throw notFound();
        return { status: 200, body: labelJson(state, repository, label) };
      },
    },
  ];
}

function setLabels(hub: Hub, call: Call, choose: (issue: Issue, named: Label[]) => Label[]): Answer {
  const { repository, issue } = openIssue(hub.state, call, TRIAGE);
  const names = bodyOf(call, LabelNames, "Label");
  const before = issue.labels;
  const named = names.map((name) => labelNamed(hub.state, repository, name));
  issue.labels = [...new Set(choose(issue, named))];
  issue.updatedAt = hub.clock.now();
  return labelsAnswer(hub, call, { repository, issue }, before);
}

function removeLabel(hub: Hub, call: Call): Answer {
  const { repository, issue } = openIssue(hub.state, call, TRIAGE);
  const name = textOf(call, "name").toLowerCase();
  const before = issue.labels;
  issue.labels = before.filter((label) => label.name.toLowerCase() !== name);
  if (issue.labels.length === before.length) throw new Refusal(404, "Label does not exist");
  issue.updatedAt = hub.clock.now();
  return labelsAnswer(hub, call, { repository, issue }, before);
}

function labelsAnswer(
  hub: Hub,
  call: Call,
  place: { repository: Repository; issue: Issue },
  before: Label[],
): Answer {
  const { repository, issue } = place;
  const after = issue.labels;
  const act = { repository, issue, actor: actorOf(hub.state, call) };
  return {
    status: 200,
    body: after.map((label) => labelJson(hub.state, repository, label)),
    async after() {
      for (const label of after.filter((one) => !before.includes(one)))
        await tellLabel(hub, act, label, true);
      for (const label of before.filter((one) => !after.includes(one)))
        await tellLabel(hub, act, label, false);
    },
  };
}
