import { accountJson } from "./json/account.js";
import { repositoryJson } from "./json/repository.js";
import type { ExchangeLog } from "./log.js";
import { installationOn, nodeId } from "./lookup.js";
import type { Outbox } from "./outbox.js";
import type { Account, ForgeState, Installation, Repository } from "./state.js";
import type { WebhookName, WebhookSubject } from "./webhook-types.js";

/** One thing that happened, for whoever subscribed to it. */
interface WebhookInput<Name extends WebhookName> {
  name: Name;
  repository: Repository;
  sender: Account;
  subject: WebhookSubject<Name>;
}

/** What is told of an installation and of no repository. */
type InstallationEvent =
  | "installation.created"
  | "installation.suspend"
  | "installation.unsuspend"
  | "installation_repositories.added";

/** What happened to an installation. */
interface InstallationInput<Name extends InstallationEvent> {
  name: Name;
  installation: Installation;
  sender: Account;
  subject: WebhookSubject<Name>;
}

/** Sends the App what GitHub would send it, and nothing else. */
export interface Webhooks {
  /** An event of a repository: sent if the App is installed there, not suspended, and subscribed. */
  send<Name extends WebhookName>(input: WebhookInput<Name>): void;
  /** An event of the installation itself: sent always. */
  sendInstallation<Name extends InstallationEvent>(input: InstallationInput<Name>): void;
}

/** Makes the sender. */
export function createWebhooks(deps: { state: ForgeState; log: ExchangeLog; outbox: Outbox }): Webhooks {
  const { state, log, outbox } = deps;

  function post(
    name: WebhookName,
    about: { installation: Installation; repository: Repository | null },
    payload: Record<string, unknown>,
  ): void {
    const [event = name, action = null] = name.split(".");
    const full = action === null ? payload : { action, ...payload };
    log.webhook({ event, action, payload: full });
    outbox.post({ event, action, payload: full, ...about });
  }

  return {
    send({ name, repository, sender, subject }) {
      const installation = installationOn(state, repository);
      const isSubscribed = state.app.events.some((event) => event === name.split(".")[0]);
      if (!installation || installation.suspendedAt !== null || !isSubscribed) return;
      post(
        name,
        { installation, repository },
        {
          ...subject,
          repository: repositoryJson(state, repository),
          sender: accountJson(state, sender),
          installation: { id: installation.id, node_id: nodeId("INS", installation.id) },
        },
      );
    },
    sendInstallation({ name, installation, sender, subject }) {
      const payload = { ...subject, sender: accountJson(state, sender) };
      post(name, { installation, repository: null }, payload);
    },
  };
}
