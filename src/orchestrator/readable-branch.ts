import { AccrueError, isAccrueError } from "../shared/index.js";
import type { Doors } from "./types.js";

/**
 * The default branch of another repository. What a person may not read stays unread for them, whatever the app may; nor are they
 * told that it is there.
 */
export async function readableBranch(
  { port }: Pick<Doors, "port">,
  { name, login }: { name: string; login: string },
): Promise<string | null> {
  if (!port) return null;
  try {
    const { defaultBranch } = await port.about();
    if ((await port.permission(login)) !== "none") return defaultBranch;
  } catch (error) {
    if (!isAccrueError(error, "GITHUB_MISSING") && !isAccrueError(error, "GITHUB_DENIED")) throw error;
  }
  throw new AccrueError(
    "GITHUB_DENIED",
    `There is no ${name} that both the app and @${login} may read: check the name, and where the app is installed.`,
  );
}
