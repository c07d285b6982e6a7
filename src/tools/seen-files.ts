import { posix } from "node:path";
import { sha256 } from "../shared/index.js";

/** What one agent knows of the files: the content that it last read or wrote of each. */
export interface SeenFiles {
  note(path: string, content: Uint8Array): void;
  /** Of all that it has read or written, in the order in which it first did. */
  paths(): string[];
  /** How the content on disk stands to what the agent knows of it. */
  compare(path: string, content: Uint8Array): "never" | "changed" | "current";
}

/** The memory of an agent that has read nothing yet; one per agent, since each has its own history. */
export function createSeenFiles(): SeenFiles {
  const hashes = new Map<string, string>();
  return {
    note: (path, content) => void hashes.set(posix.normalize(path), sha256(content)),
    paths: () => [...hashes.keys()],
    compare: (path, content) => {
      const known = hashes.get(posix.normalize(path));
      if (known === undefined) return "never";
      return known === sha256(content) ? "current" : "changed";
    },
  };
}
