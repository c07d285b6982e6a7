import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { accrue, personalRepository, stayingAccrue, temporaryFolder } from "../support/command-line.js";

const folder = temporaryFolder();
const typed = stayingAccrue();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
function project(run = typed) {
  const repository = personalRepository(join(folder, `shop${(count += 1)}`), { files: false });
  const memory = (...args: string[]) => run(["memory", ...args], { cwd: repository.root });
  const notes = () => {
    const at = join(repository.root, "context/experience");
    return existsSync(at) ? readdirSync(at) : [];
  };
  return { ...repository, memory, notes };
}
const lines = (out: string) =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("accrue memory", () => {
  it("keeps a memory as a file, commits nothing, and finds it again", async () => {
    const { root, git, memory, notes } = project(accrue);
    const said = "Exports go through `writeExport` in src/export.ts, because routes time out";
    const added = (await memory("add", "--json", "--tag", "csv", "--", said)).json();
    expect(added).toMatchObject({ action: "created", target: null });
    expect(notes()).toHaveLength(1);
    expect(git("status", "--porcelain", "-uall")).toBe(`?? ${String(added["path"])}`);
    expect(readFileSync(join(root, String(added["path"])), "utf8")).toContain(said);
    const found = (await memory("recall", "--json", "--", "how is csv exported")).json();
    expect(found["results"]).toMatchObject([{ id: added["id"], type: "fact", text: said, state: "active" }]);
    expect((await memory("recall", "writeExport")).out).toContain("symbol `writeExport`");
    expect((await memory("show", String(added["id"]).toLowerCase())).out).toContain(said);
  });

  it("widens a question by the names that the glossary says mean the same", async () => {
    const { memory, write } = project();
    await memory("add", "--", "商品发放 goes through `IssueGoods` and writes the virtual wallet.");
    await memory("add", "--", "Logs are written by `writeLog` as JSON lines.");
    const ids = async () => {
      const found = (await memory("recall", "--json", "--limit", "1", "--", "激励改版")).json()["results"];
      return (found as { text: string }[]).map(({ text }) => text);
    };
    expect(await ids()).toEqual([]);
    write("context/business/glossary.md", "# Glossary\n\n- 激励改版 = 商品发放\n");
    expect(await ids()).toEqual([expect.stringContaining("IssueGoods")]);
  });

  it("touches what is said again, keeps the wording, and adds no second file", async () => {
    const { root, memory, notes } = project();
    await memory(
      "add",
      "--",
      "The gateway drops more than 100 requests a minute, so `rateLimit` holds them back.",
    );
    const again = (
      await memory(
        "add",
        "--json",
        "--",
        "`rateLimit` holds requests back, because the gateway drops more than 100 a minute.",
      )
    ).json();
    expect(again["action"]).toBe("touched");
    expect(notes()).toHaveLength(1);
    expect(lines(readFileSync(join(root, String(again["path"])), "utf8"))).toMatchObject([
      {
        kind: "seen",
        memory: again["target"],
        text: expect.stringContaining("because the gateway") as string,
      },
    ]);
  });

  it("keeps both sides of a contradiction, shows both, and retires the one that a person chooses", async () => {
    const { memory, notes } = project();
    const first = (await memory("add", "--json", "--", "The worker service runs on Python 3.11.")).json();
    const second = await memory("add", "--json", "--", "The worker service runs on Python 3.12.");
    expect(second.status).toBe(0);
    expect(second.json()).toMatchObject({ action: "conflict", target: first["id"] });
    expect(notes()).toHaveLength(2);
    const both = (await memory("recall", "--json", "--limit", "1", "--", "python of the worker")).json();
    expect(both["results"]).toHaveLength(2);
    expect((await memory("stats")).out).toContain("contradict each other");
    const forgotten = await memory("forget", String(first["id"]));
    expect(forgotten.out).toContain("status: active");
    const after = (await memory("recall", "--json", "--", "python of the worker")).json();
    expect(after["results"]).toMatchObject([{ id: second.json()["memory"], conflicts: [] }]);
    expect((await memory("list", "--json", "--state", "retired")).json()).toMatchObject({ total: 1 });
  });

  it("refuses a secret before a file exists, and does not repeat it", async () => {
    const { memory, notes } = project();
    const secret = ["ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
    const refused = await memory("add", "--", `deploy.sh\nneeds the token ${secret}`);
    expect(refused.status).toBe(1);
    expect(refused.out).toContain("GitHub token");
    expect(refused.out).toContain("line 2");
    expect(refused.out + refused.err).not.toContain(secret.slice(4, 12));
    expect(notes()).toEqual([]);
    expect((await memory("add", "--", "改了配置")).out).toContain("such as");
    expect(notes()).toEqual([]);
  });

  it("takes a batch under its own ids, again without doubling, and never over another text (KN-48, KN-49)", async () => {
    const { write, memory, notes } = project();
    const rows = (content: string) =>
      [
        {
          id: "M-1",
          type: "decision",
          title: "Cache",
          content,
          tags: ["cache"],
          files: ["compose.yml"],
          symbols: [],
        },
        { id: "m-2", type: "event", content: "Sessions were lost when `evict` ran." },
      ]
        .map((row) => JSON.stringify(row))
        .join("\n");
    write("a.jsonl", rows("We use Valkey 8."));
    const first = await memory("add", "--as-is", "--json", "--batch", "a.jsonl");
    expect(lines(first.out).map(({ id, action }) => [id, action])).toEqual([
      ["M-1", "created"],
      ["m-2", "created"],
    ]);
    expect(
      lines((await memory("add", "--as-is", "--batch", "a.jsonl")).out).map(({ action }) => action),
    ).toEqual(["touched", "touched"]);
    write("a.jsonl", rows("We use Redis 7.").replace('"M-1"', '"m-1"'));
    const other = await memory("add", "--as-is", "--batch", "a.jsonl");
    expect(other.status).toBe(0);
    expect(lines(other.out)[0]).toMatchObject({ action: "conflict", target: "M-1" });
    expect(notes()).toHaveLength(2);
    expect((await memory("show", "M-1", "--json")).json()).toMatchObject({ text: "We use Valkey 8." });
    write("q.jsonl", '{"id":"q","text":"which cache","limit":1}\n{"text":"sessions"}\n');
    const answers = lines((await memory("recall", "--batch", "q.jsonl")).out);
    expect(answers.map(({ id }) => id)).toEqual(["q", "2"]);
    expect(answers[0]?.["results"]).toMatchObject([{ id: "M-1" }]);
  });

  it("decides without writing when it is asked to", async () => {
    const { memory, git } = project();
    const { status, out } = await memory("add", "--dry-run", "--", "The cache is Valkey 8.");
    expect({ status, out }).toMatchObject({
      status: 0,
      out: expect.stringContaining("would be created") as string,
    });
    expect(git("status", "--porcelain", "-uall")).toBe("");
  });

  it("answers the same after a rebuild, and reports a broken line of events where it is", async () => {
    const { root, write, memory } = project();
    write("context/tech/queues.md", "# Queues\n\n## Retries\n\nThe queue retries five times with jitter.\n");
    write("context/events/2026-11/R1.jsonl", "<<<<<<< HEAD\n");
    const before = await memory("recall", "--json", "--", "retries of the queue");
    expect(before.json()["results"]).toMatchObject([
      { id: "context/tech/queues.md#Retries", title: "Queues: Retries" },
    ]);
    expect(before.err).toContain("context/events/2026-11/R1.jsonl:1:");
    rmSync(join(root, ".agent/memory.db"));
    expect((await memory("rebuild", "--json")).json()).toMatchObject({ memories: 1, embedded: 1 });
    expect((await memory("recall", "--json", "--", "retries of the queue")).out).toBe(before.out);
    const forgotten = await memory("forget", "context/tech/queues.md#Retries");
    expect(forgotten.status).toBe(2);
    expect(forgotten.err).toContain("edit or delete it in context/tech/queues.md");
  });

  it("says what is wrong with what was typed", async () => {
    const { write, memory } = project();
    expect((await memory("recall", "--", "anything")).out).toContain("Nothing is remembered yet");
    expect((await memory("show", "EXP-NONE")).err).toContain("accrue memory list");
    write("b.jsonl", '{"content":"ok"}\n{"title":"x"}\n');
    const broken = await memory("add", "--batch", "b.jsonl");
    expect(broken.status).toBe(2);
    expect(broken.err).toContain("b.jsonl:2: content:");
    expect((await memory("add", "--as-is", "--", "x")).err).toContain("--batch");
  });
});
