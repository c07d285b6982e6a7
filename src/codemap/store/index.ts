export { createIndex } from "./create-index.js";
export type { IndexDependencies, RefreshableIndex } from "./create-index.js";
export { openMapDatabase } from "./open-map-database.js";
