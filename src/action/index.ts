// Runs the engine on the event of a GitHub Actions workflow run.
export { runAction } from "./run-action.js";
export type { ActionDeps, ActionResult } from "./run-action.js";
