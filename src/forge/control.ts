import { AccrueError } from "../shared/index.js";
import { addToken, demandAccount, demandRepository, ensureAccount, removeAccount } from "./accounts.js";
import { tellRun } from "./checks.js";
import type { Faults } from "./faults.js";
import type { Hub } from "./hub.js";
import { checkRunEventJson } from "./json/check.js";
import { issueJson } from "./json/issue.js";
import { installationJson, shortRepositoryJson } from "./json/repository.js";
import { addFork, addRepository, pushCommit } from "./seeding.js";
import { nextId } from "./lookup.js";
import type { Installation } from "./state.js";
import type { Postman } from "./postman.js";
import type { Tasks } from "./tasks.js";
import type { ForgeControl, ForgeExchange } from "./types.js";

/** What the control needs besides what the routes need. */
interface ControlParts {
  faults: Faults;
  tasks: Tasks;
  postman: Postman;
  listeners: Set<(exchange: ForgeExchange) => void>;
  /** Folder of the bare repositories. */
  root: string;
}

/** The double's own interface. */
export function createControl(hub: Hub, parts: ControlParts): ForgeControl {
  const { outbox } = hub;
  return {
    ...seedingControl(hub, parts.root),
    ...ownersControl(hub),
    setWebhook: (url) => parts.postman.setTarget(url),
    fault: (rule) => parts.faults.add(rule),
    installationTokens: () =>
      [...hub.state.tokens].flatMap(([token, { kind }]) => (kind === "installation" ? [token] : [])),
    deliveries: () =>
      outbox
        .deliveries()
        .map(({ id, guid, event, action, repository, redelivery, statusCode, status, payload }) => ({
          id,
          guid,
          event,
          action,
          repository,
          redelivery,
          statusCode,
          status,
          payload,
        })),
    redeliver: (id) => outbox.redeliver(id),
    async settle() {
      await parts.tasks.settle();
      await outbox.settle();
      await parts.tasks.settle();
    },
    watch(listener) {
      parts.listeners.add(listener);
      return () => {
        parts.listeners.delete(listener);
      };
    },
  };
}

function seedingControl(
  hub: Hub,
  root: string,
): Pick<ForgeControl, "addUser" | "deleteUser" | "addRepository" | "addFork" | "commit"> {
  return {
    addUser(login, options = {}) {
      const account = ensureAccount(hub, login, options.type);
      return { id: account.id, token: addToken(hub, account, options.token) };
    },
    deleteUser(login) {
      removeAccount(hub, demandAccount(hub, login));
    },
    async addRepository(input) {
      const { id, path } = await addRepository(hub, root, input);
      return { id, path };
    },
    async addFork(input) {
      const { id, path } = await addFork(hub, root, input);
      return { id, path };
    },
    commit: (input) => pushCommit(hub, input),
  };
}

/** What the owner of a repository or of an installation does in the browser. */
function ownersControl(
  hub: Hub,
): Pick<
  ForgeControl,
  "install" | "addToInstallation" | "suspend" | "protectBranch" | "archive" | "lockIssue" | "pressCheck"
> {
  const { state, clock, webhooks } = hub;
  return {
    install: (login, selected) => install(hub, login, selected),
    addToInstallation: (id, names) => addToInstallation(hub, id, names),
    suspend(id, suspended) {
      const installation = demandInstallation(hub, id);
      installation.suspendedAt = suspended ? clock.now() : null;
      const subject = { installation: installationJson(state, installation) };
      const name = suspended ? "installation.suspend" : "installation.unsuspend";
      const sender = demandAccount(hub, installation.owner);
      webhooks.sendInstallation({ name, installation, subject, sender });
    },
    protectBranch(fullName, branch) {
      demandRepository(hub, fullName).protectedBranches.add(branch);
    },
    archive(fullName, archived) {
      const repository = demandRepository(hub, fullName);
      repository.archived = archived;
      const name = archived ? "repository.archived" : "repository.unarchived";
      webhooks.send({ name, repository, sender: demandAccount(hub, repository.owner), subject: {} });
    },
    lockIssue: (fullName, number, locked) => lockIssue(hub, fullName, number, locked),
    pressCheck: (input) => pressCheck(hub, input),
  };
}

function demandInstallation(hub: Hub, id: number): Installation {
  const installation = hub.state.installations.get(id);
  if (installation) return installation;
  throw new AccrueError("INPUT_INVALID", `The forge has no installation ${id}: call install first.`);
}

function install(hub: Hub, login: string, selected?: readonly string[]): number {
  const { state, webhooks } = hub;
  const owner = ensureAccount(hub, login);
  const repositories = selected
    ? selected.map((name) => demandRepository(hub, name))
    : [...state.repositories.values()].filter((repository) => repository.owner === owner.login);
  const installation: Installation = {
    id: nextId(state),
    owner: owner.login,
    selected: selected ? new Set(repositories.map(({ id }) => id)) : null,
    createdAt: hub.clock.now(),
    suspendedAt: null,
  };
  state.installations.set(installation.id, installation);
  const subject = {
    installation: installationJson(state, installation),
    repositories: repositories.map(shortRepositoryJson),
    requester: null,
  };
  webhooks.sendInstallation({ name: "installation.created", installation, subject, sender: owner });
  return installation.id;
}

function addToInstallation(hub: Hub, id: number, names: readonly string[]): void {
  const { state } = hub;
  const installation = demandInstallation(hub, id);
  const added = names.map((name) => demandRepository(hub, name));
  for (const repository of added) installation.selected?.add(repository.id);
  const shown = installationJson(state, installation);
  hub.webhooks.sendInstallation({
    name: "installation_repositories.added",
    installation,
    subject: {
      installation: shown,
      repositories_added: added.map(shortRepositoryJson),
      repositories_removed: [],
      repository_selection: shown.repository_selection,
      requester: null,
    },
    sender: demandAccount(hub, installation.owner),
  });
}

function lockIssue(hub: Hub, fullName: string, number: number, locked: boolean): void {
  const repository = demandRepository(hub, fullName);
  const issue = repository.issues.get(number);
  if (!issue) throw new AccrueError("INPUT_INVALID", `${fullName} has no issue #${number}: create it first.`);
  issue.locked = locked;
  if (issue.pull) return;
  const sender = demandAccount(hub, repository.owner);
  const shown = issueJson(hub.state, repository, issue);
  if (locked)
    hub.webhooks.send({
      name: "issues.locked",
      repository,
      sender,
      subject: { issue: { ...shown, locked } },
    });
  else
    hub.webhooks.send({
      name: "issues.unlocked",
      repository,
      sender,
      subject: { issue: { ...shown, locked } },
    });
}

function pressCheck(hub: Hub, input: Parameters<ForgeControl["pressCheck"]>[0]): void {
  const repository = demandRepository(hub, input.repository);
  const run = repository.checkRuns.get(input.checkRun);
  const sender = demandAccount(hub, input.login);
  const isOwn = run?.actions.some(({ identifier }) => identifier === input.button);
  if (!run || !(isOwn || input.button === "rerequest"))
    throw new AccrueError(
      "INPUT_INVALID",
      `Check run ${input.checkRun} of ${input.repository} has no button ${input.button}: use rerequest or one of its actions.`,
    );
  if (!isOwn) {
    tellRun(hub, repository, run, { actor: sender, action: "rerequested" });
    return;
  }
  hub.webhooks.send({
    name: "check_run.requested_action",
    repository,
    sender,
    subject: {
      check_run: checkRunEventJson(hub.state, repository, run),
      requested_action: { identifier: input.button },
    },
  });
}
