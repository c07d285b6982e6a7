import type { Clock } from "../shared/index.js";
import type { Git } from "./git.js";
import type { Outbox } from "./outbox.js";
import type { ForgeState } from "./state.js";
import type { Webhooks } from "./webhooks.js";

/** What every part of the forge works with. */
export interface Hub {
  state: ForgeState;
  clock: Clock;
  git: Git;
  webhooks: Webhooks;
  outbox: Outbox;
}
