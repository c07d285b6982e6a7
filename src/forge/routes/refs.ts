import { z } from "zod";
import { actorOf, demandUnprotected, openRepository } from "../access.js";
import { findObject, isAncestor, readRefs } from "../git-read.js";
import { moveRef } from "../git-write.js";
import type { Hub } from "../hub.js";
import { refJson } from "../json/commit.js";
import { notFound, Refusal, unprocessable } from "../refusal.js";
import { bodyOf, listed, textOf, type Answer, type Call, type Route } from "../router.js";
import type { Repository } from "../state.js";
import { afterPush, ZERO, type RefChange } from "../pushes.js";

const NewRef = z.object({ ref: z.string(), sha: z.string() });
const RefMove = z.object({ sha: z.string(), force: z.boolean().default(false) });

const GIT = "/repos/{owner}/{repo}/git";

/** Git refs: read, create, move, delete. A change here is a push. */
export function refRoutes(hub: Hub): Route[] {
  const { state, git } = hub;
  const open = (call: Call) => openRepository(state, call, { permission: "contents", level: "read" });
  const show = async (repository: Repository, ref: string, sha: string) => {
    const object = await findObject(git, repository.path, sha);
    return refJson(state, repository, ref, object ?? { sha, type: "commit" });
  };
  return [
    {
      method: "GET",
      template: `${GIT}/ref/{+ref}`,
      async serve(call) {
        const repository = open(call);
        const refs = await refsOf(hub, repository);
        const ref = `refs/${textOf(call, "ref")}`;
        const sha = refs.get(ref);
        if (sha === undefined) throw notFound();
        return { status: 200, body: await show(repository, ref, sha) };
      },
    },
    {
      method: "GET",
      template: `${GIT}/matching-refs/{+ref}`,
      async serve(call) {
        const repository = open(call);
        const refs = [...(await refsOf(hub, repository))];
        const wanted = refs.filter(([ref]) => ref.startsWith(`refs/${textOf(call, "ref")}`));
        const shown = await Promise.all(wanted.map(([ref, sha]) => show(repository, ref, sha)));
        return listed(call, shown, (one) => one);
      },
    },
    { method: "POST", template: `${GIT}/refs`, serve: (call) => createRef(hub, call) },
    { method: "PATCH", template: `${GIT}/refs/{+ref}`, serve: (call) => updateRef(hub, call) },
    { method: "DELETE", template: `${GIT}/refs/{+ref}`, serve: (call) => deleteRef(hub, call) },
  ];
}

/** Refuses a repository without commits as GitHub's git API does. */
async function refsOf(hub: Hub, repository: Repository): Promise<Map<string, string>> {
  const refs = await readRefs(hub.git, repository.path);
  if (refs.size === 0) throw new Refusal(409, "Git Repository is empty.");
  return refs;
}

function openToWrite(hub: Hub, call: Call): Repository {
  return openRepository(hub.state, call, { permission: "contents", level: "write" });
}

function demandFree(call: Call, repository: Repository, ref: string): void {
  if (ref.startsWith("refs/heads/")) demandUnprotected(call, repository, ref.slice("refs/heads/".length));
}

async function createRef(hub: Hub, call: Call): Promise<Answer> {
  const repository = openToWrite(hub, call);
  const { ref, sha } = bodyOf(call, NewRef, "Reference");
  const isName = (await hub.git.attempt(repository.path, ["check-ref-format", ref])).status === 0;
  if (!isName || !/^refs\/[^/]+\/./.test(ref)) throw unprocessable("Reference name is invalid");
  demandFree(call, repository, ref);
  const refs = await refsOf(hub, repository);
  if (refs.has(ref)) throw unprocessable("Reference already exists");
  await demandObject(hub, repository, sha);
  return change(hub, call, repository, { ref, before: ZERO, after: sha });
}

async function updateRef(hub: Hub, call: Call): Promise<Answer> {
  const repository = openToWrite(hub, call);
  const { sha, force } = bodyOf(call, RefMove, "Reference");
  const ref = `refs/${textOf(call, "ref")}`;
  demandFree(call, repository, ref);
  const before = (await refsOf(hub, repository)).get(ref);
  if (before === undefined) throw unprocessable("Reference does not exist");
  await demandObject(hub, repository, sha);
  const isForward = await isAncestor(hub.git, repository.path, { ancestor: before, descendant: sha });
  if (!isForward && !force) throw unprocessable("Update is not a fast forward");
  return change(hub, call, repository, { ref, before, after: sha });
}

async function deleteRef(hub: Hub, call: Call): Promise<Answer> {
  const repository = openToWrite(hub, call);
  const ref = `refs/${textOf(call, "ref")}`;
  demandFree(call, repository, ref);
  const before = (await refsOf(hub, repository)).get(ref);
  if (before === undefined) throw unprocessable("Reference does not exist");
  return change(hub, call, repository, { ref, before, after: ZERO });
}

async function demandObject(hub: Hub, repository: Repository, sha: string): Promise<void> {
  const found = /^[0-9a-f]{40,64}$/.test(sha) && (await findObject(hub.git, repository.path, sha));
  if (!found) throw unprocessable("Object does not exist");
}

/** Moves the ref; its webhooks follow the answer. */
async function change(hub: Hub, call: Call, repository: Repository, move: RefChange): Promise<Answer> {
  await moveRef(hub.git, repository.path, move);
  const after = () =>
    afterPush(hub, repository, actorOf(hub.state, call), move.before === move.after ? [] : [move]);
  if (move.after === ZERO) return { status: 204, after };
  const object = await findObject(hub.git, repository.path, move.after);
  const shown = refJson(hub.state, repository, move.ref, object ?? { sha: move.after, type: "commit" });
  return { status: move.before === ZERO ? 201 : 200, body: shown, after };
}
