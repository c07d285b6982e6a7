// Opens SQLite files and brings their tables up to date.
export { openDatabase, readTogether, transact } from "./open.js";
export type { Database, DatabaseOptions } from "./open.js";
export { MIGRATIONS, migrate } from "./migrate.js";
export { holdFile, isHeld } from "./hold.js";
