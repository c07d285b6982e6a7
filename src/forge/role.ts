/** What a person may do in a repository. */
export type ForgeRole = "admin" | "maintain" | "write" | "triage" | "read";
