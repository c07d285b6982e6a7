// Takes one requirement through its phases with many agents, publishes the result and learns from it.
export type { Decision, Ending, GateWatch, GivenUp, Stop, Watched, Work, Worked } from "./decision.js";
export { citedCodeOf } from "./code-history.js";
export { createEngine } from "./engine.js";
export type { Engine } from "./engine.js";
export type { Answered } from "./find-answer.js";
export { unfolded } from "./footprints.js";
export { createGitHubDoors } from "./github-doors.js";
export type { LoadedService } from "./load-services.js";
export { configuredService, findEach, pathsOf, repositoryNamed, serviceName } from "./service-place.js";
export type { ServicePlace, Unreadable } from "./service-place.js";
export { createMemoryDoor } from "./open-memory.js";
export { ASKING_WORDS } from "./intent.js";
export type { Actor, Ask, Intent, Proof } from "./intent.js";
export type { Arrival } from "./offer-scaffold.js";
export { RunOptions } from "./options.js";
export type { RunStart } from "./phases/open.js";
export { plainAnswer } from "./texts/answer.js";
export { isPartsList, partsIn } from "./texts/parts.js";
export { groupOf, requirementOf, requirementOfBranch } from "./requirement-of.js";
export type {
  Board,
  Doors,
  EngineDeps,
  Front,
  Log,
  Mark,
  Publication,
  Run,
  RunEnd,
  Settings,
} from "./types.js";
