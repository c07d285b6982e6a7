import type { Ask, Intent } from "../orchestrator/index.js";
import type { BotSettings } from "./actor.js";

/** What decides whether an event asks for anything. */
export interface EventSettings extends BotSettings {
  /** Such as `@agent`; the app's own handle is heard as well. */
  mention: string;
  /** The label that starts a requirement. */
  label: string;
  /** Null when a token speaks, which has no checks of its own. */
  appId: number | null;
}

/** A webhook event after its signature was verified. */
export interface WebhookEvent {
  name: string;
  /** `X-GitHub-Delivery`. */
  id: string;
  payload: unknown;
}

/** What a reader found in one kind of event. */
export interface Finding {
  intent: Intent;
  thread: Ask["thread"];
  comment: Ask["comment"];
  headRef: string | null;
  at: string;
  /** Run whose question a button answers. */
  answers?: string | null;
  /** True for facts, such as a merge: they hold whoever made them. */
  isFact?: boolean;
}
