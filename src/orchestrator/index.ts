// Takes one requirement through its phases with many agents, publishes the result and learns from it.
export type { Actor, Ask, Intent } from "./intent.js";
