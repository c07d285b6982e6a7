import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { isoTime, type Clock } from "../shared/index.js";
import type { Block, ModelTurn } from "../model/index.js";
import type { EndReason } from "./types.js";

/** One line of a transcript, without its time. */
type TranscriptLine =
  | { type: "start"; agent: string; system: string; task: string; tools: string[] }
  | ({ type: "answer"; turn: number } & Omit<ModelTurn, "calls">)
  | { type: "results"; turn: number; content: readonly Block[] }
  | { type: "note"; turn: number; text: string }
  | { type: "end"; reason: EndReason; recovered: boolean; message: string; output: unknown };

/** Appends to a run's record as it happens, so that a crash loses no more than the turn it hit. */
export interface Transcript {
  append(line: TranscriptLine): Promise<void>;
}

/** Opens the JSONL file at a path; makes its folder. */
export function createTranscript(path: string, clock: Clock): Transcript {
  return {
    async append(line) {
      await mkdir(dirname(path), { recursive: true });
      await appendFile(path, `${JSON.stringify({ at: isoTime(clock.now()), ...line })}\n`);
    },
  };
}
