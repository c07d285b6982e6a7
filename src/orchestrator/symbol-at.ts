import { isAccrueError } from "../shared/index.js";
import type { Mirror } from "../workspace/index.js";
import type { Scene } from "./scene.js";
import type { EngineDeps } from "./types.js";

const ALL = Number.MAX_SAFE_INTEGER;

/** The innermost definition that holds a line of a commit's file, by name; null when none does, or the file is no code. */
export async function symbolAt(
  { ask, signal }: Pick<Scene, "ask" | "signal">,
  deps: Pick<EngineDeps, "openCode" | "log">,
  of: { mirror: Mirror; revision: string; path: string; line: number },
): Promise<string | null> {
  const { path, line } = of;
  try {
    const text = (await of.mirror.readFiles(of.revision, [path])).get(path);
    if (text === undefined) return null;
    // This one file is all there is to read, and what is known of it is kept for the next run.
    const content = Buffer.from(text);
    const tree = {
      list: () => Promise.resolve([{ path, blob: null }]),
      read: (wanted: string) => Promise.resolve(wanted === path ? content : null),
    };
    const code = await deps.openCode({
      repository: ask.repository,
      tree,
      history: () => Promise.resolve([]),
    });
    try {
      await code.map.refresh(signal);
      const around = code.map
        .outline(path, { limit: ALL })
        .items.filter((symbol) => symbol.from <= line && line <= symbol.to)
        .sort((a, b) => a.to - a.from - (b.to - b.from));
      return around[0]?.name ?? null;
    } finally {
      await code.close();
    }
  } catch (error) {
    // A trigger less is no reason to lose the lesson.
    if (!isAccrueError(error) || signal.aborted) throw error;
    deps.log.warn({ path, error: error.message }, "the definition at a line could not be found");
    return null;
  }
}
