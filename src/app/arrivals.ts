import { z } from "zod";
import type { Arrival } from "../orchestrator/index.js";
import type { WebhookEvent } from "./types.js";

const Repositories = z.array(z.object({ name: z.string(), full_name: z.string() }));
const Installation = z.object({ id: z.number(), html_url: z.url() });

/** Events that give the app repositories, with the key that lists them. */
const SCHEMAS = {
  "installation.created": z
    .object({ installation: Installation, repositories: Repositories.nullish() })
    .transform(({ installation, repositories }) => ({ installation, repositories: repositories ?? [] })),
  "installation_repositories.added": z
    .object({ installation: Installation, repositories_added: Repositories })
    .transform(({ installation, repositories_added: repositories }) => ({ installation, repositories })),
} as const;

/**
 * The repositories that an event gives the app; null for an event that gives none.
 * Contract: must not throw, whatever the payload is.
 */
export function arrivalsOf({ name, id, payload }: WebhookEvent): Arrival[] | null {
  const action = z.object({ action: z.string() }).safeParse(payload).data?.action;
  const kind = `${name}.${action}`;
  if (kind !== "installation.created" && kind !== "installation_repositories.added") return null;
  const event = SCHEMAS[kind].safeParse(payload).data;
  if (!event) return [];
  const { host } = new URL(event.installation.html_url);
  return event.repositories.flatMap(({ full_name: fullName, name: repository }) => {
    const owner = fullName.split("/")[0] ?? "";
    const isNamed = owner !== "" && repository !== "";
    return isNamed
      ? [{ repository: { host, owner, name: repository }, installation: event.installation.id, key: id }]
      : [];
  });
}
