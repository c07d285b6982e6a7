// Binds uses to definitions, when somebody asks.
export { createBinder } from "./create-binder.js";
