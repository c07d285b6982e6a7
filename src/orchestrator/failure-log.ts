import { type ErrorSignature, errorSignature, errorSignatures } from "../memory/index.js";
import type { Check } from "../validator/index.js";

/** A failure that the run saw pass later, with what lay between. */
export interface FixedFailure {
  signature: ErrorSignature;
  command: string;
  /** What agents did that did not help, in their words, oldest first. */
  tries: string[];
  /** What the agent said whose work made it pass; empty while that agent is still at work. */
  cause: string;
  /** Files that were changed between. */
  files: string[];
}

/** What commands of a run showed, and what came of it. Only what was observed counts. */
export interface FailureLog {
  /** A command of an agent, by its exit code. */
  ran(command: string, passed: boolean, output: string): void;
  /** A check of the repository. */
  checked(check: Pick<Check, "command" | "outcome" | "output" | "failures">): void;
  /** An agent has ended: what it says that it did, and the files that are changed by now. */
  worked(summary: string, files: readonly string[]): void;
  /** True while something waits to hear what an agent did. */
  isOpen(): boolean;
  /** Failures that passed later, oldest first. */
  fixed(): readonly FixedFailure[];
}

interface Open {
  signature: ErrorSignature;
  command: string;
  tries: string[];
  files: Set<string>;
}

/** A run that fails in more ways than this learns nothing from the others. */
const MAX_OPEN = 40;
const MAX_TRIES = 5;

/** Makes the log of one run. */
export function createFailureLog(): FailureLog {
  const open = new Map<string, Open>();
  const fixed: FixedFailure[] = [];
  const failed = (command: string, signatures: readonly ErrorSignature[]) => {
    for (const signature of signatures) {
      const key = `${command}\0${signature.id}`;
      if (!open.has(key) && open.size < MAX_OPEN)
        open.set(key, { signature, command, tries: [], files: new Set() });
    }
  };
  const passed = (command: string) => {
    for (const [key, one] of open) {
      if (one.command !== command) continue;
      open.delete(key);
      if (fixed.some(({ signature }) => signature.id === one.signature.id)) continue;
      const files = [...one.files];
      // The last try is the one that helped, unless an agent is at work and has not said yet what it did.
      fixed.push({ ...one, tries: one.tries.slice(0, -1), cause: one.tries.at(-1) ?? "", files });
    }
  };
  return {
    ran: (command, isPassed, output) => {
      const name = nameOf(command);
      if (!isPassed) return failed(name, errorSignatures(output));
      // Whoever is at work has done more since than the last one said.
      const before = fixed.length;
      passed(name);
      for (const one of fixed.slice(before)) {
        if (one.cause !== "") one.tries.push(one.cause);
        one.cause = "";
      }
    },
    checked: ({ command, outcome, output, failures }) => {
      const name = nameOf(command);
      if (outcome === "passed") passed(name);
      if (outcome === "failed") failed(name, signaturesOf({ output, failures }));
    },
    worked: (summary, files) => {
      for (const one of fixed) {
        if (one.cause !== "") continue;
        one.cause = summary;
        one.files = [...new Set([...one.files, ...files])];
      }
      for (const one of open.values()) {
        one.tries = [...one.tries, summary].slice(-MAX_TRIES);
        for (const file of files) one.files.add(file);
      }
    },
    isOpen: () => open.size > 0 || fixed.some(({ cause }) => cause === ""),
    fixed: () => fixed.filter(({ cause }) => cause !== ""),
  };
}

/** The signatures of a failed check: of its single failures where the output tells them, else of its output. */
export function signaturesOf({ output, failures }: Pick<Check, "output" | "failures">): ErrorSignature[] {
  const single = failures.flatMap(({ title, message }) => errorSignature(message, title) ?? []);
  const all = single.length > 0 ? single : errorSignatures(output);
  return [...new Map(all.map((signature) => [signature.id, signature])).values()];
}

/** The same command, however it was spaced. */
function nameOf(command: string): string {
  return command.trim().replace(/\s+/g, " ");
}
