// The whole product behind a gate on its model, for tests that end its processes at chosen moments.
import { expect } from "vitest";
import { gitOf, sumOf } from "./audit.js";
import { type ModelGate, startModelGate } from "./model-gate.js";
import { type Stack, startStack } from "./stack.js";

export interface CrashBench {
  stack: Stack;
  gate: ModelGate;
  /** The default branch as it was before anything ran. */
  main: string;
  /** Resolves when the forge has answered such a request. */
  answered(method: string, path: RegExp): Promise<void>;
  /** Opens an issue, kills server and worker at each moment in turn, and waits for the end. Gives what the model was paid for. */
  runThrough(
    moments: readonly (() => Promise<void>)[],
  ): Promise<{ issue: number; paid: ReturnType<typeof sumOf> }>;
  /** What the model was paid for and somebody read since a position of `gate.paid()`. */
  paidSince(position: number): ReturnType<typeof sumOf>;
  close(): Promise<void>;
}

export async function startCrashBench(settings: Record<string, string> = {}): Promise<CrashBench> {
  const env: Record<string, string> = { ...settings };
  const stack = await startStack({ env, start: false });
  const gate = await startModelGate(stack.model.url);
  env["ANTHROPIC_BASE_URL"] = gate.url;
  await stack.startServer();

  const paidSince = (position: number) =>
    sumOf(
      gate
        .paid()
        .slice(position)
        .filter((one) => !gate.unread().includes(one)),
    );
  return {
    stack,
    gate,
    main: gitOf(stack, "rev-parse", "main").trim(),
    paidSince,
    answered: (method, path) =>
      new Promise((resolve) => {
        const end = stack.forge.control.watch((exchange) => {
          if (exchange.method !== method || exchange.path.search(path) < 0) return;
          end();
          resolve();
        });
      }),
    runThrough: async ([first, ...later]) => {
      const position = gate.paid().length;
      const moment = first?.();
      const issue = await stack.openIssue("add CSV export to the user module", "Please.");
      await moment;
      await stack.kill();
      for (const next of later) {
        const reached = next();
        await stack.startServer();
        await reached;
        await stack.kill();
      }
      await stack.startServer();
      expect(await stack.ended(issue)).toContain("✅ **Ready for review");
      return { issue, paid: paidSince(position) };
    },
    close: async () => {
      await stack.close();
      await gate.close();
    },
  };
}
