import type { WorkspaceTexts } from "./attachments.js";

/** What of a checkout's files is needed to read texts. */
interface FileAccess {
  /** Rejects with an AccrueError where a path leads outside, or to something that is no file. */
  read(path: string): Promise<Buffer | null>;
  /** Files, tracked or new, without ignored ones. */
  list(): Promise<string[]>;
}

/** A checkout's texts for {@link WorkspaceTexts}: listed once, so that many names cost no more than one. */
export function workspaceTexts(files: FileAccess): WorkspaceTexts {
  let listing: Promise<string[]> | null = null;
  let names: Promise<Set<string>> | null = null;
  const listed = () => (listing ??= files.list());
  return {
    isFile: async (path) => (await (names ??= listed().then((paths) => new Set(paths)))).has(path),
    list: async (folder) => (await listed()).filter((path) => path.startsWith(`${folder}/`)),
    read: async (path) => (await files.read(path))?.toString("utf8") ?? null,
  };
}
