import { type AccrueError, isAccrueError } from "../shared/index.js";
import type { Workspace } from "../workspace/index.js";

/** What is no file that a model could read (a link out, a device, too large) is none for the map. */
export async function readOrNothing(files: Workspace["files"], path: string): Promise<Buffer | null> {
  try {
    return await files.read(path);
  } catch (error) {
    const expected: AccrueError["code"][] = ["PATH_OUTSIDE", "INPUT_INVALID", "WORKSPACE_FAILED"];
    if (isAccrueError(error) && expected.includes(error.code)) return null;
    throw error;
  }
}
