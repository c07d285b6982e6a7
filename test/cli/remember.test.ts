import { readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parseDeposit } from "../../src/knowledge/index.js";
import { accrue, personalRepository, stayingAccrue, temporaryFolder } from "../support/command-line.js";

const folder = temporaryFolder();
const typed = stayingAccrue();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function depositsIn(root: string) {
  const names = readdirSync(join(root, "context/deposits")).sort();
  return names.map((name) => readFileSync(join(root, "context/deposits", name), "utf8"));
}

describe("accrue remember", () => {
  it("writes a deposit into the working tree, in the words of whoever said it, and commits nothing", async () => {
    const { root, git } = personalRepository(join(folder, "remember"));
    git("config", "--unset", "user.name");
    const home = join(folder, "home");
    personalRepository(home, { files: false }).write(".gitconfig", "[user]\n\tname = Ann Lee\n");
    const head = git("rev-parse", "HEAD");
    const { status, json } = await accrue(["remember", "--json", "--", "--exports go through src/export"], {
      cwd: join(root, "src"),
      env: { HOME: home },
    });
    expect(status).toBe(0);
    expect(json()).toMatchObject({
      note: expect.stringMatching(/^EXP-[0-9A-Z]{8}$/),
      rules: [expect.stringMatching(/^R-[0-9A-Z]{6}$/)],
      action: "created",
      recorded: [{ title: "--exports go through src/export", review: [] }],
      skipped: [],
    });
    const [text = ""] = depositsIn(root);
    expect(parseDeposit("context/deposits/a.md", text)).toMatchObject({
      deposit: { by: "Ann Lee", note: { solution: "--exports go through src/export" } },
      problems: [],
    });
    expect([git("rev-parse", "HEAD"), git("status", "--porcelain")]).toEqual([head, "?? context/"]);
  });

  it("keeps several lessons apart, says what it knows already, and is found at once as pending", async () => {
    const { root } = personalRepository(join(folder, "several"));
    const said = ["remember", "--json", "--", "1. 虚拟商品必须发到虚拟钱包\n2. 缓存用的是 Redis 7"];
    const first = (await typed(said, { cwd: root })).json();
    expect(first).toMatchObject({
      recorded: [{ target: expect.stringContaining("experience/") }, { target: "context/tech/facts.md" }],
    });
    expect((await typed(said, { cwd: root })).json()).toMatchObject({
      note: first["note"],
      action: "known",
      recorded: [],
      skipped: [{ reason: "it is known already" }, { reason: "it is known already" }],
    });
    expect(depositsIn(root)).toHaveLength(2);
    const found = await typed(["rules", "match", "--text", "虚拟商品上架"], { cwd: root });
    expect(found.out).toContain("虚拟商品必须发到虚拟钱包");
    expect(found.out).toContain("pending");
    expect((await typed(["rules", "check"], { cwd: root })).status).toBe(0);
  });

  it("keeps what contradicts beside what it contradicts, and says both", async () => {
    const { root } = personalRepository(join(folder, "contradiction"));
    const router = (address: string) => `the router of \`src/net.js\` has the address ${address}`;
    const first = (await accrue(["remember", "--json", "--", router("192.168.7.1")], { cwd: root })).json();
    const { json } = await accrue(["remember", "--json", "--", router("192.168.9.1")], { cwd: root });
    expect(json()).toMatchObject({ action: "conflict", contradictions: [{ id: first["note"] }] });
    expect(depositsIn(root)).toHaveLength(2);
  });

  it("refuses a secret before a file exists, says which kind, and never repeats it", async () => {
    const { root } = personalRepository(join(folder, "secret"));
    const secret = `ghp_${"a1B2c3D4".repeat(5)}`;
    const { status, out, err } = await accrue(["remember", "--", `the token is ${secret}`], { cwd: root });
    expect([status, out]).toEqual([
      1,
      expect.stringContaining("It is refused: it holds a secret (GitHub token)"),
    ]);
    expect(out + err).not.toContain(secret);
    expect(() => depositsIn(root)).toThrow();
  });

  it("answers a batch line by line, and goes on after what is refused", async () => {
    const { root, write } = personalRepository(join(folder, "batch"));
    const lines = [
      { id: "a", text: "Never log a token in `src/log.js`" },
      { text: "> quoted only" },
      { id: "c", text: `password: ${"x9!kQ2#v".repeat(2)}` },
      { id: "d", text: "never log a token in `src/log.js`!" },
    ];
    write("lines.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
    const { status, out } = await accrue(["remember", "--batch", join(root, "lines.jsonl")], { cwd: root });
    const answers = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: string; action: string; note: string | null });
    expect(status).toBe(0);
    expect(answers.map(({ id, action }) => [id, action])).toEqual([
      ["a", "created"],
      ["2", "refused"],
      ["c", "refused"],
      ["d", "known"],
    ]);
    expect(answers[3]?.note).toBe(answers[0]?.note);
    expect(depositsIn(root)).toHaveLength(1);
  });

  it("refuses what says nothing of its own", async () => {
    const { root } = personalRepository(join(folder, "nothing"));
    const { status, err } = await typed(["remember", "--", "> quoted only"], { cwd: root });
    expect([status, err]).toEqual([2, expect.stringContaining("There is nothing to remember")]);
  });

  it("writes into a folder that several repositories share, and names this one before its own code", async () => {
    const shared = personalRepository(join(folder, "sharing", "knowledge"));
    const named = ["shop", "till"].map((name) => {
      const one = personalRepository(join(folder, "sharing", name));
      one.git("remote", "add", "origin", `git@github.example:acme/${name}.git`);
      one.write(".github/agent.yml", "knowledge:\n  repository: ../knowledge\n");
      one.commit("Share what we know");
      return one.root;
    });
    const [shop = "", till = ""] = named;
    const said = ["remember", "--", "Never log a token in `src/log.js`"];
    const first = await typed(said, { cwd: shop });
    expect(first.out).toContain(`It lies in ${shared.root}, which several repositories share.`);
    expect(() => depositsIn(shop)).toThrow();
    expect(depositsIn(shared.root)).toEqual([expect.stringContaining("- paths: `acme/shop:src/log.js`")]);
    const matched = async (cwd: string, ...wish: string[]) =>
      (await typed(["rules", "match", "--json", ...wish], { cwd })).json()["risk"];
    const alert = (message: string) => ({ alerts: [expect.objectContaining({ message })] });
    expect(await matched(shop, "--path", "src/log.js")).toEqual(alert("Never log a token in `src/log.js`"));
    expect(await matched(till, "--path", "src/log.js")).toEqual({ alerts: [] });
    expect(await matched(till, "--text", "log a token")).toEqual(
      alert("Never log a token in `acme/shop:src/log.js`"),
    );
    expect((await typed(said, { cwd: shop })).out).toContain("it is known already");
    expect((await typed(said, { cwd: till })).status).toBe(0);
    expect(depositsIn(shared.root)).toHaveLength(2);
    expect((await typed(["rules", "check"], { cwd: shared.root })).status).toBe(0);
  });

  it("keeps it here, and says so, where the shared repository is no folder", async () => {
    const { root, write, commit } = personalRepository(join(folder, "no-folder"));
    write(".github/agent.yml", "knowledge:\n  repository: acme/knowledge\n");
    commit("Share what we know");
    const { status, err } = await typed(["remember", "--", "Never log a token"], { cwd: root });
    expect([status, err]).toEqual([
      0,
      expect.stringContaining("knowledge.repository acme/knowledge is no folder here: it stays in"),
    ]);
    expect(depositsIn(root)).toHaveLength(1);
  });
});
