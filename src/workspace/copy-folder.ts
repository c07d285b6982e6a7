import { execFile } from "node:child_process";
import { promisify } from "node:util";

const runFile = promisify(execFile);
/** Nothing of our own environment goes with it: that holds credentials. */
const CLOSED = { PATH: "/usr/local/bin:/usr/bin:/bin" };

/** With `cp`: owners, modes and times stay, links are copied and not followed, and a signal stops it within a folder of any size. */
export async function copyFolder(
  from: string,
  to: string,
  options: { signal?: AbortSignal } = {},
): Promise<void> {
  await runFile("cp", ["-a", "--", from, to], { ...options, env: CLOSED });
}
