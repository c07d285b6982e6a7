import { createGit } from "../../src/forge/git.js";
import { createPages } from "../../src/forge/pages/create-pages.js";
import { startWorld, type World } from "../forge/fixture.js";

/** A forge with an issue, a pull request, a check run and a review, as a run of the bot leaves them. */
export interface Scene {
  world: World;
  issue: number;
  pull: number;
  checkRun: number;
  head: string;
  branch: string;
  commentId: number;
  /** The page at a path: its status, its markup without space between tags, and its text without tags. */
  page(path: string): Promise<{ status: number; html: string; text: string }>;
  close(): Promise<void>;
}

export const STATUS_COMMENT = `⏳ **Implementing** · 3 of 5 tasks done · branch \`agent/REQ-1-csv-export\` · $0.18 of $10.00

| | phase | result |
| --- | --- | --- |
| ✅ | Requirement | [4 acceptance criteria](../blob/main/README.md) · 1 open question: *which encoding?* → assumed UTF-8 |
| ✅ | Design | [design.md](requirements/in-progress/REQ-1-csv-export/design.md) · approved by @lee |
| ⏳ | Implement | ✅ T1 format · ✅ T2 exporter · ✅ T3 route · ⏳ T4 tests · ○ T5 docs |
| ○ | Validate | |

**From earlier work** — ⚠ [R-7K3M2P](context/rules/risk-rules.md#L3) exports go through \`src/export\`, never write files in a route

- [x] T1 format
- [ ] T4 tests

<details><summary>Stop, change, ask</summary>

\`@agent stop\` · \`@agent budget $15\` · edit this issue to change the requirement · see #1 and @nobody
</details>
<sub>run 01JB8Z… · 2 min 10 s</sub>`;

const BILL = `**$0.42** for REQ-1 · 190 k tokens, 85 % of the input from cache · budget $10.00

| phase | calls | input | cost |
| --- | ---: | ---: | ---: |
| requirement | 2 | 6 k | $0.03 |
| implement | 21 | 141 k | $0.22 |
| **sum** | **31** | **177 k** | **$0.42** |

\`\`\`mermaid
xychart-beta
  title "Cost of similar requirements ($)"
  x-axis ["REQ-3", "REQ-7", "REQ-12"]
  bar [0.91, 0.58, 0.42]
\`\`\`
`;

const CSV = `/** Quotes a value for CSV. */
export function quote(value: string): string {
  return /[",\\n]/.test(value) ? \`"\${value.replaceAll('"', '""')}"\` : value;
}
`;

/** Plays the scene. */
export async function playScene(): Promise<Scene> {
  const stop = new AbortController();
  const git = createGit({ signal: stop.signal }, { searchPath: process.env.PATH });
  const world = await startWorld({ pages: createPages({ git }) });
  const { control } = world.forge;
  const api = async (method: string, path: string, token: string, body: unknown) => {
    const reply = await world.ask(method, `/repos/acme/shop${path}`, { token, body });
    if (reply.status >= 300) throw new Error(`${method} ${path} gave ${reply.status}: ${reply.text}`);
    return reply.json as { id: number; number: number };
  };
  const commit = (branch: string, files: Record<string, string>, message: string) =>
    control.commit({ repository: "acme/shop", branch, files, message, login: "lee" });
  await commit(
    "main",
    {
      "README.md": "# Shop\n\nSells things. See [the export](src/export/csv.ts) and `npm test`.\n",
      "src/export/csv.ts": "export function quote(value: string): string {\n  return value;\n}\n",
      "docs/指南.md": "---\ntitle: 指南\n---\n# 指南\n\n先读[代码](../src/a.ts)。\n",
      "bin/logo.bin": "a\u0000b",
    },
    "Add the export <b>module</b>\n\nWith its guide.",
  );
  const issue = (
    await api("POST", "/issues", world.lee, {
      title: "Add CSV export & <script>",
      body: "As a user I want **CSV**, see `src/export`.",
    })
  ).number;
  await api("POST", `/issues/${issue}/labels`, world.lee, { labels: ["agent", "enhancement"] });
  const comment = await api("POST", `/issues/${issue}/comments`, world.bot, { body: STATUS_COMMENT });
  await api("POST", `/issues/comments/${comment.id}/reactions`, world.lee, { content: "+1" });
  await api("POST", `/issues/${issue}/reactions`, world.bot, { content: "eyes" });
  const branch = "agent/REQ-1-csv-export";
  const head = await commit(
    branch,
    { "src/export/csv.ts": CSV, "test/csv.test.ts": "// tests\n" },
    "Quote values with commas",
  );
  const pull = (
    await api("POST", "/pulls", world.bot, {
      title: "Add CSV export",
      head: branch,
      base: "main",
      draft: true,
      body: `Closes #${issue}\n\nAdds CSV export to the user module.\n`,
    })
  ).number;
  await api("POST", `/issues/${pull}/comments`, world.bot, { body: BILL });
  const check = await api("POST", "/check-runs", world.bot, {
    name: "accrue",
    head_sha: head,
    status: "completed",
    conclusion: "failure",
    started_at: "2026-03-01T12:00:00Z",
    completed_at: "2026-03-01T12:02:10Z",
    output: {
      title: "Failed: 2 type errors after 3 tries",
      summary: "| | criterion |\n| --- | --- |\n| ✅ | AC-1 has a header row |\n",
      text: "```\nerror TS2322\n```",
      annotations: [
        {
          path: "src/export/csv.ts",
          start_line: 2,
          end_line: 2,
          annotation_level: "failure",
          title: "TS2322",
          message: "Type <T> is wrong",
        },
      ],
    },
    actions: [{ label: "Retry", description: "Runs it again", identifier: "retry" }],
  });
  await api("POST", `/pulls/${pull}/reviews`, world.lee, {
    event: "REQUEST_CHANGES",
    body: "Nearly.",
    comments: [{ path: "src/export/csv.ts", line: 3, side: "RIGHT", body: "Use a **constant** here." }],
  });
  return {
    world,
    issue,
    pull,
    checkRun: check.id,
    head,
    branch,
    commentId: comment.id,
    async page(path) {
      const answer = await fetch(world.forge.url + path);
      const html = await answer.text();
      const shown = html.replace(/<style>[\s\S]*?<\/style>/, "").replaceAll(/<[^>]*>/g, " ");
      return {
        status: answer.status,
        html: html.replaceAll(/\s+>/g, ">").replaceAll(/>\s+</g, "><"),
        text: shown.replaceAll(/\s+/g, " "),
      };
    },
    async close() {
      await world.close();
      stop.abort();
    },
  };
}
