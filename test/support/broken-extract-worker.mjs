// A worker as the code map starts it, whose "grammar" traps, hangs or dies on files that say so.
import { parentPort } from "node:worker_threads";

parentPort.on("message", ({ path, bytes }) => {
  const text = Buffer.from(bytes).toString("utf8");
  if (text.includes("HANG")) for (;;);
  if (text.includes("DIE")) process.exit(7);
  if (text.includes("TRAP")) {
    parentPort.postMessage({ kind: "broken", reason: "memory access out of bounds", isPassing: false }, []);
    return;
  }
  if (text.includes("MISSING")) {
    parentPort.postMessage({ kind: "unreadable", reason: "the grammar is not installed" }, []);
    return;
  }
  const names = text.match(/\w+/g) ?? [];
  const lists = { packages: [], imports: [], exports: [], fields: [] };
  const table = { keys: [], values: [] };
  const head = { language: "typescript", lines: 1, partial: null, ...lists, strings: [] };
  const encoded = JSON.stringify({ ...head, symbols: table, references: table });
  const counts = { symbols: names.length, references: 0, defined: [...new Set(names)], used: [path] };
  const extracted = { language: "typescript", partial: null, encoded, ...counts };
  parentPort.postMessage({ kind: "extracted", extracted }, []);
});
