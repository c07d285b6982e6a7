#!/usr/bin/env node
// Makes docs/demo-pull.png: runs the demo, and photographs its second pull request in headless Chromium (Debian: `chromium`).
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const picture = join(root, "docs/demo-pull.png");
const demo = spawn(process.execPath, [join(root, "dist/cli.js"), "demo", "--keep"], {
  stdio: ["ignore", "pipe", "inherit"],
});

let text = "";
const address = await new Promise((resolve, reject) => {
  demo.stdout.on("data", (chunk) => {
    text += chunk;
    const found = /Pages\s+(http\S+)/.exec(text);
    if (found && text.includes("stay up")) resolve(found[1]);
  });
  demo.once("exit", (code) =>
    reject(new Error(`the demo ended with ${code} before its pages were up:\n${text}`)),
  );
});

const profile = mkdtempSync(join(tmpdir(), "accrue-picture-"));
try {
  execFileSync("chromium", [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    `--user-data-dir=${profile}`,
    "--window-size=1000,1460",
    `--screenshot=${picture}`,
    address,
  ]);
} finally {
  demo.kill("SIGINT");
  rmSync(profile, { recursive: true, force: true });
}
process.stdout.write(`${picture}\n`);
