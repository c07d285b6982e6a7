// Decides from observed checks whether a result may be published.
export type { Check, Command, Failure, Validation } from "./types.js";
