import { z } from "zod";
import type { Ask } from "../orchestrator/index.js";
import { refusalOf } from "./actor.js";
import { Envelope } from "./payload.js";
import { READERS, unreadable } from "./readers.js";
import type { EventSettings, WebhookEvent } from "./types.js";

const Action = z.object({ action: z.string().nullish() });

/**
 * Reads what an event asks for, or precisely why it asks for nothing. Pure.
 * Contract: must not throw, whatever the payload is.
 */
export function readEvent(event: WebhookEvent, settings: EventSettings): Ask | { ignored: string } {
  const action = Action.safeParse(event.payload).data?.action;
  const kind = action ? `${event.name}.${action}` : event.name;
  const reader = Object.hasOwn(READERS, kind) ? READERS[kind] : undefined;
  if (!reader) return { ignored: `${kind} is not an event that asks for anything` };

  const envelope = Envelope.safeParse(event.payload);
  if (!envelope.success) return { ignored: `${kind}: ${unreadable(envelope.error)}` };
  const found = reader(event.payload, settings, envelope.data);
  if (typeof found === "string") return { ignored: `${kind}: ${found}` };
  const actor = envelope.data.sender ?? null;
  const refusal = found.isFact ? null : refusalOf(actor, settings);
  if (refusal) return { ignored: `${kind}: ${refusal}` };

  const { repository, installation } = envelope.data;
  return {
    intent: found.intent,
    repository: {
      host: new URL(repository.html_url).host,
      owner: repository.owner.login,
      name: repository.name,
    },
    installation: installation?.id ?? null,
    defaultBranch: repository.default_branch,
    actor,
    thread: found.thread,
    comment: found.comment,
    headRef: found.headRef,
    key: event.id,
    at: found.at,
    ...(found.answers !== undefined && { answers: found.answers }),
  };
}
