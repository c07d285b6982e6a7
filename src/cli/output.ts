import type { System } from "../shared/index.js";

/** A process that a person or a workflow started. */
export interface CommandSystem extends System {
  argv: readonly string[];
  output: Output;
  signal: AbortSignal;
  /** Asks whoever started the command; null where nobody can answer. */
  askPerson: ((question: string, signal: AbortSignal) => Promise<boolean>) | null;
  /**
   * Asks whoever started the command for lines of text, one answer a question; `offered` is the answer of who only presses Enter.
   * Null where nobody can answer. Contract: rejects with `RUN_STOPPED` when the person leaves.
   */
  interview: ((questions: readonly Question[], signal: AbortSignal) => Promise<string[]>) | null;
}

/** What a person is asked for. */
export interface Question {
  question: string;
  offered: string;
}

/** Where a command prints: stdout for results, stderr for everything else. */
export interface Output {
  isTty: boolean;
  /** Width of the terminal, which changes while a run goes on. */
  columns(): number;
  /** True when stderr understands colours. */
  colour: boolean;
  out(text: string): void;
  err(text: string): void;
}

const CODES = { green: 32, red: 31, yellow: 33, dim: 2, bold: 1 } as const;

/** Colours a text where the terminal shows colours. */
export function paint(output: Output, style: keyof typeof CODES, text: string): string {
  return output.colour ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text;
}

/** Exit status of design §6. */
export const EXIT = { done: 0, failed: 1, usage: 2, paused: 3 } as const;

/** Prints the one JSON document of a command. */
export function printJson(output: Output, value: unknown): void {
  output.out(`${JSON.stringify(value, null, 2)}\n`);
}
