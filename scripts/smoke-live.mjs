// Does one small job with a real key: `npm run smoke:live`. Without ANTHROPIC_API_KEY it says why it was skipped and ends well.
// It costs a few cents; the budget below is the most it can cost.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const BUDGET_USD = 1;
const WISH =
  "Add a function `countUsers()` to src/user/store.js that gives the number of users, with a test.";

if (!process.env.ANTHROPIC_API_KEY) {
  console.log(
    "smoke:live skipped: ANTHROPIC_API_KEY is not set. Set it to do one small job with a real model.",
  );
  process.exit(0);
}
const repository = mkdtempSync(join(tmpdir(), "accrue-smoke-"));
try {
  chmodSync(repository, 0o711);
  cpSync(fileURLToPath(new URL("../data/demo/project", import.meta.url)), repository, { recursive: true });
  mkdirSync(join(repository, ".github"));
  writeFileSync(
    join(repository, ".github", "agent.yml"),
    `budget: { requirement: { usd: ${BUDGET_USD} } }\n`,
  );
  const git = (...args) => execFileSync("git", args, { cwd: repository, encoding: "utf8" });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("-c", "user.name=Smoke", "-c", "user.email=smoke@localhost", "commit", "-q", "-m", "Start");
  const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
  const stdio = ["ignore", "pipe", "inherit"];
  const ended = spawnSync(process.execPath, [cli, "run", "--json", "--", WISH], {
    cwd: repository,
    encoding: "utf8",
    stdio,
  });
  const { outcome, branch, bill } = JSON.parse(ended.stdout);
  const usd = ((bill?.totals.costNanoUsd ?? 0) / 1e9).toFixed(2);
  if (branch) console.log(git("diff", "--stat", `main...${branch}`, "--", "src", "test"));
  console.log(
    `smoke:live ${outcome ?? "failed"}: $${usd} in ${bill?.totals.calls ?? 0} model calls, status ${ended.status}`,
  );
  process.exitCode = ended.status === 0 && outcome === "passed" ? 0 : 1;
} finally {
  rmSync(repository, { recursive: true, force: true });
}
