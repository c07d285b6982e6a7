// Knows where things are in a repository.
export { outlineFiles } from "./outline.js";
