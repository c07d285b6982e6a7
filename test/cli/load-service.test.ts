import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ScriptedModel, parseScenarios, startScriptedModel } from "../../src/forge/index.js";
import { ANALYST, GOODS } from "../fixtures/goods-service.js";
import {
  type PersonalRepository,
  accrue,
  personalRepository,
  stayingAccrue,
  temporaryFolder,
} from "../support/command-line.js";

const folder = temporaryFolder();
const typed = stayingAccrue();
let model: ScriptedModel;
let shop: PersonalRepository;
let goods: PersonalRepository;
beforeAll(async () => {
  model = await startScriptedModel({
    scenarios: parseScenarios(JSON.stringify([ANALYST])),
    clock: { now: () => Date.now() },
  });
  shop = personalRepository(join(folder, "shop"));
  goods = personalRepository(join(folder, "goods-service"), { files: false });
  for (const [path, text] of Object.entries(GOODS)) goods.write(path, text);
  goods.commit("Issue goods");
});
afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

const FILE = "context/tech/services/goods-service.md";
const read = (path: string) => readFileSync(join(shop.root, path), "utf8");
const load = (...args: string[]) => typed(["load-service", "--json", ...args], { cwd: shop.root });
interface Loaded {
  service: string;
  isChanged: boolean;
  missing: string | null;
  edited: string[];
  dropped: string[];
  rules: string[];
}
const services = (printed: { json(): Record<string, unknown> }) => printed.json()["services"] as Loaded[];

describe("accrue load-service", () => {
  it("writes facts, sentences and rules into the working tree, and commits nothing", async () => {
    const head = shop.git("rev-parse", "HEAD");
    const printed = await accrue(["load-service", "--json", "--model-url", model.url, "../goods-service"], {
      cwd: shop.root,
    });
    expect(printed.status).toBe(0);
    expect(printed.json()).toMatchObject({
      file: FILE,
      pointers: expect.arrayContaining([
        "openapi.yaml#getGoods",
        "src/issue.js#issue",
        "migrations/0001.sql:1",
      ]),
      services: [{ service: "goods-service", missing: null, dropped: ["src/gone.js:1"], edited: [] }],
      unreadable: [],
    });
    expect(read(FILE).replaceAll(/[0-9a-f]{40}|(?<= )[0-9a-f]{8} -->|EXP-\w{8}|\d{4}-\d\d-\d\d/g, "…"))
      .toMatchInlineSnapshot(`
      "---
      service: "goods-service"
      repo: "goods-service"
      commit: …
      generated: …
      owners: ["@acme/goods"]
      ---

      # goods-service

      ## Names

      <!-- generated:start names …
      goods-service, goods, 商品服务

      - source: …, goods-service
      <!-- generated:end -->

      ## Position

      <!-- generated:start position-read …
      - Hands out goods that users won. · \`src/issue.js#issue\`
      <!-- generated:end -->

      ## Duties

      <!-- generated:start duties-read …
      - Checks the stock before anything leaves. · \`src/stock.js#stock\`
      <!-- generated:end -->

      ## Stack

      <!-- generated:start stack …
      - Framework: express · \`package.json:4\`
      <!-- generated:end -->

      ## Dependencies

      <!-- generated:start dependencies …
      - → WALLET_SERVICE_URL · \`.env.example:1\`
      <!-- generated:end -->

      ## APIs

      <!-- generated:start interfaces …
      - GET /goods/{id} getGoods: One of the goods · \`openapi.yaml#getGoods\`
      - POST /goods/issue issue · \`src/app.js:6\`
      <!-- generated:end -->

      ## Data model

      <!-- generated:start data …
      - table goods · \`migrations/0001.sql:1\`
      <!-- generated:end -->

      ## Key modules

      <!-- generated:start modules …
      - Keeps count of what is left. (← 2) · \`src/stock.js#stock\`
      <!-- generated:end -->

      ## Config

      <!-- generated:start configuration …
      - WALLET_SERVICE_URL · \`.env.example:1\`
      - PORT · \`.env.example:2\`
      <!-- generated:end -->

      ## Pitfalls

      <!-- generated:start pitfalls …
      - FIXME: the stock is read twice · \`src/issue.js:5\`
      <!-- generated:end -->

      <!-- generated:start pitfalls-read …
      - Two requests at once can take the last one twice. · \`src/issue.js:6\`
      <!-- generated:end -->

      <!-- human:start -->
      <!-- human:end -->
      "
    `);
    expect(read(FILE)).not.toMatch(/secret-host|8080|price int/);
    expect([shop.git("rev-parse", "HEAD"), shop.git("status", "--porcelain")]).toEqual([head, "?? context/"]);
    expect((await typed(["rules", "check"], { cwd: shop.root })).out).toContain("is right");
  });

  it.each([
    ["its name", ["--text", "给 goods-service 加一个导出"]],
    ["another name", ["--text", "商品服务要限流"]],
  ])("comes up by itself by %s", async (_, question) => {
    const found = await typed(["rules", "match", "--json", ...question], { cwd: shop.root });
    expect(found.json()).toMatchObject({
      context: { files: [{ path: FILE }] },
      service: { suggestions: [{ service: "goods-service" }] },
    });
  });

  it("writes nothing where the commit moved and nothing that is cited", async () => {
    const before = read(FILE);
    goods.write("docs/later.txt", "x");
    goods.commit("Write it down");
    const asked = model.requests().length;
    const [again] = services(await load("--model-url", model.url, "../goods-service"));
    expect(again).toMatchObject({ isChanged: false, rules: [] });
    expect(read(FILE)).toBe(before);
    expect(model.requests()).toHaveLength(asked);
  });

  it("goes on with facts where there is no model, keeps what can still be checked, and what people wrote", async () => {
    const mine = read(FILE)
      .replace("<!-- human:start -->\n", "<!-- human:start -->\nAsk Maya.\n")
      .replace("· `openapi.yaml#getGoods`", "· `openapi.yaml#getGoods` (slow)");
    shop.write(FILE, mine);
    goods.write("src/stock.js", "export const nothing = 1;\n");
    goods.write("migrations/0002.sql", "CREATE TABLE gifts (id int);\n");
    goods.commit("Change the model");
    const [loaded] = services(await load("../goods-service"));
    expect(loaded).toMatchObject({ isChanged: true, missing: "kept", edited: ["APIs"] });
    const text = read(FILE);
    expect(text).toContain("Ask Maya.");
    expect(text).toContain("(slow)");
    expect(text).toContain("- table gifts · `migrations/0002.sql:1`");
    expect(text).toContain("Hands out goods that users won.");
    expect(text).not.toContain("Checks the stock before anything leaves.");
  });

  it("reads a folder of the same repository, a name of the configuration and others at once, and says what it cannot read", async () => {
    shop.write("services/cart/package.json", '{ "name": "cart" }\n');
    shop.write("services/cart/src/a.js", 'import { issue } from "@acme/goods-service";\n');
    shop.write(
      ".github/agent.yml",
      "services:\n  gifts:\n    repository: acme/shop\n    paths: [lib/gifts/**]\n",
    );
    shop.write("lib/gifts/package.json", '{ "name": "gifts" }\n');
    shop.git("remote", "add", "origin", "https://git.example.com/acme/shop.git");
    shop.commit("Add a cart");
    const printed = await load("services/cart", "http://127.0.0.1:9/acme/far.git", "gifts", "nothing-there");
    expect(printed.status).toBe(1);
    expect(printed.json()).toMatchObject({
      services: [{ service: "cart" }, { service: "gifts" }],
      unreadable: [
        { source: "nothing-there", reason: expect.stringContaining("owner/name") },
        { source: "http://127.0.0.1:9/acme/far.git", reason: expect.stringContaining("failed") },
      ],
    });
    expect(read("context/tech/services/cart.md")).toContain("- → goods-service · `src/a.js:1`");
    const touched = async (path: string) =>
      (await typed(["rules", "match", "--json", "--path", path], { cwd: shop.root })).json();
    expect(await touched("services/cart/src/b.js")).toMatchObject({
      service: { suggestions: [{ service: "cart" }] },
    });
    expect(await touched("lib/gifts/x.js")).toMatchObject({
      service: { suggestions: [{ service: "gifts" }] },
    });
    await load("../goods-service");
    expect(read(FILE)).toContain("- ← cart · `context/tech/services/cart.md`");
  });

  it("gives no two services one document", async () => {
    const other = personalRepository(join(folder, "elsewhere", "goods-service"));
    const printed = await load("../goods-service", other.root);
    expect(printed.json()).toMatchObject({
      services: [{ service: "goods-service" }],
      unreadable: [
        {
          reason: expect.stringMatching(
            /^context\/tech\/services\/goods-service.md is of .+: give this one another name/,
          ),
        },
      ],
    });
  });

  it("comes up in a repository that shares the knowledge of this one", async () => {
    const other = personalRepository(join(folder, "sharing"));
    other.write(".github/agent.yml", "knowledge:\n  repository: ../shop\n");
    other.commit("Share what the shop knows");
    const found = await typed(["rules", "match", "--json", "--text", "商品服务要限流"], { cwd: other.root });
    expect(JSON.stringify(found.json()["context"])).toContain(FILE);
    expect(existsSync(join(other.root, "context"))).toBe(false);
  });

  it("refuses a model's words as a whole where code was copied into them", async () => {
    const copying = JSON.stringify([ANALYST]).replace(
      "Hands out goods that users won.",
      "Goods are { id: number, price: number }.",
    );
    const bad = await startScriptedModel({
      scenarios: parseScenarios(copying),
      clock: { now: () => Date.now() },
    });
    const other = personalRepository(join(folder, "other"));
    const args = ["load-service", "--json", "--model-url", bad.url, "../goods-service"];
    const [loaded] = services(await typed(args, { cwd: other.root }));
    await bad.close();
    expect(loaded).toMatchObject({ missing: "copied", isChanged: true });
    expect(readFileSync(join(other.root, FILE), "utf8")).not.toContain("price: number");
    expect(existsSync(join(other.root, "context/deposits"))).toBe(true);
    expect(readdirSync(join(other.root, "context"))).toEqual(["deposits", "tech"]);
  });
});

describe("a service whose README is not UTF-8", () => {
  it("is read in its own encoding, as old Chinese projects have it", async () => {
    const wallet = personalRepository(join(folder, "wallet"), { files: false });
    const readme = "2320c7aeb0fcb7fecef10a0ab9dcc0edd0e9c4e2c7aeb0fcb5c4d3e0b6eea1a30a";
    writeFileSync(join(wallet.root, "README.md"), Buffer.from(readme, "hex"));
    wallet.commit("Keep money");
    expect((await load("../wallet")).status).toBe(0);
    expect(read("context/tech/services/wallet.md")).toContain("wallet, 钱包服务\n");
    expect(read("context/tech/services/wallet.md")).toContain("- 管理虚拟钱包的余额。 · `README.md:3`");
  });
});
