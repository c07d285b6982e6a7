import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { accrue, personalRepository, temporaryFolder } from "../support/command-line.js";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const repository = personalRepository(join(folder, "shop"), { files: false });
repository.write("src/store.ts", "export function evictOldest() {\n  return 1;\n}\n");
repository.write("src/price.ts", "export function roundPrice(price: number) {\n  return price;\n}\n");
repository.write("test/price.test.ts", 'import { roundPrice } from "../src/price.js";\nroundPrice(1);\n');
repository.commit("A shop");

const ask = (...args: string[]) => accrue(["context", ...args], { cwd: repository.root });
interface Shown {
  hash: string;
  tokens: number;
  warnings: string[];
  items: {
    path: string;
    tier: string;
    symbol: string | null;
    text: string;
    lines: [number, number] | null;
  }[];
}
const shown = (line: string) => JSON.parse(line) as Shown & { id: string };

describe("accrue context", () => {
  it("shows what fits a task, for people and for programs, the same twice", async () => {
    const { out } = await ask("--json", "--", "Prices are rounded wrongly");
    const pack = shown(out);
    expect(pack.items[0]).toMatchObject({ path: "src/price.ts", tier: "code", lines: [1, 4] });
    expect(pack.items.filter(({ tier }) => tier === "outline").map(({ path }) => path)).toContain(
      "test/price.test.ts",
    );
    expect((await ask("--json", "--", "Prices are rounded wrongly")).out).toBe(out);
    expect((await ask("Prices", "are", "rounded", "wrongly")).out).toMatch(
      new RegExp(
        `src/price\\.ts:1-4 +code +\\d\\.\\d+.*\\n[^]*${pack.tokens} tokens, ${pack.hash.slice(0, 12)}`,
      ),
    );
  });

  it("shows named files first, and says which of them are not there", async () => {
    const named = ["--file", "src/store.ts", "src/gone.ts", "--symbol", "src/price.ts#none"];
    const { status, out } = await ask("--json", ...named, "--", "Prices are rounded wrongly");
    expect(status).toBe(0);
    expect(shown(out).items[0]).toMatchObject({ path: "src/store.ts", tier: "named" });
    expect(shown(out).warnings).toEqual([
      expect.stringContaining("src/price.ts#none is no definition"),
      expect.stringContaining("src/gone.ts is no mapped file"),
    ]);
    expect((await ask("--file", "src/gone.ts", "--", "prices")).out).toContain("⚠ src/gone.ts is no mapped");
  });

  it("shows the signatures of those that use what will probably change, where their text is not shown", async () => {
    const invoice = ["export function printInvoice(order: Order) {"];
    invoice.push(
      ...Array.from({ length: 400 }, (_, line) => `  const entry${line} = ledger${line}(${line});`),
    );
    invoice.push("  return roundPrice(order.sum);", "}");
    repository.write("src/invoice.ts", `import { roundPrice } from "./price.js";\n${invoice.join("\n")}\n`);
    for (const part of ["up", "down", "half"]) {
      const steps = Array.from(
        { length: 20 },
        (_, step) => `  const price${step} = rounded(price, ${step});`,
      );
      repository.write(
        `src/rounding-${part}.ts`,
        `export function rounded_${part}(price) {\n${steps.join("\n")}\n}\n`,
      );
    }
    repository.commit("An invoice");
    const { out } = await ask("--json", "--tokens", "700", "--", "Prices are rounded wrongly");
    const callers = shown(out).items.filter(({ tier }) => tier === "callers");
    expect(callers).toMatchObject([{ symbol: "src/invoice.ts#printInvoice", lines: [2, 2] }]);
  });

  it("answers a batch line by line, each as it is answered alone", async () => {
    const tasks = [{ id: "a", text: "round prices", tokens: 400 }, { text: "evict the oldest" }];
    repository.write("tasks.jsonl", `${tasks.map((task) => JSON.stringify(task)).join("\n")}\n`);
    const [first = "", second = "", ...rest] = (await ask("--batch", "tasks.jsonl")).out.trim().split("\n");
    expect(rest).toEqual([]);
    expect([shown(first).id, shown(second).id]).toEqual(["a", "2"]);
    expect(shown(second).items[0]?.path).toBe("src/store.ts");
    expect(shown((await ask("--json", "--tokens", "400", "--", "round prices")).out).hash).toBe(
      shown(first).hash,
    );
  });

  it("names the line of a batch that it cannot read", async () => {
    repository.write("broken.jsonl", '{"text":"round prices"}\n{"text":\n');
    const broken = await ask("--batch", "broken.jsonl");
    expect(broken.status).not.toBe(0);
    expect(broken.err).toContain("broken.jsonl:2");
    repository.write("empty.jsonl", '{"text":""}\n');
    expect((await ask("--batch", "empty.jsonl")).err).toContain("empty.jsonl:1: text:");
  });
});
