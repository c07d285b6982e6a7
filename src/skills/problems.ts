import { AccrueError, isAccrueError } from "../shared/index.js";

/** A file that cannot be used as it is; everything else still works. */
export interface SkillProblem {
  file: string;
  /** What is wrong and what to do. */
  message: string;
}

/** The error of a file that cannot be used: which, what is wrong, what to do. */
export function invalid(file: string, what: string, cause?: unknown): AccrueError {
  return new AccrueError("CONFIG_INVALID", `${file}: ${what}`, { cause });
}

/** The work's result; null, and a problem more, when the file cannot be used. Any other error stays one. */
export function attempt<Result>(problems: SkillProblem[], file: string, work: () => Result): Result | null {
  try {
    return work();
  } catch (error) {
    if (!isAccrueError(error, "CONFIG_INVALID")) throw error;
    const named = `${file}: `;
    const { message } = error;
    problems.push({ file, message: message.startsWith(named) ? message.slice(named.length) : message });
    return null;
  }
}
