import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type MappedCheckout, mappedCheckout } from "../support/mapped-checkout.js";

let checkout: MappedCheckout;
beforeEach(async () => {
  checkout = await mappedCheckout();
});
afterEach(() => checkout.close());

const DIST = new URL("../../dist/", import.meta.url).href;

/** Runs a module's text in a process of its own, so that only its own memory counts, and gives the JSON that it prints. */
async function run(script: string, ...args: string[]): Promise<Record<string, number>> {
  const file = join(checkout.folder, "run.mjs");
  writeFileSync(file, script);
  const node = ["--expose-gc", file, DIST, ...args];
  const { stdout } = await promisify(execFile)(process.execPath, node, { timeout: 300_000 });
  return JSON.parse(stdout) as Record<string, number>;
}

const BUILD = `
const [dist, folder, database, home] = process.argv.slice(2);
const { createCheckoutTree, openCodeMap } = await import(dist + "codemap/index.js");
const { createGit } = await import(dist + "git/index.js");
const tree = createCheckoutTree(createGit({ home, path: process.env.PATH }), folder);
const { map, close } = await openCodeMap({ now: () => 1, warn: () => {} }, { tree, database });
const { files, symbols, read } = await map.refresh(AbortSignal.timeout(250_000));
const again = await map.refresh(AbortSignal.timeout(250_000));
const uses = map.references("d0/f0.ts#f0").items.length;
await close();
const megabytes = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ files, symbols, read, again: again.read, uses, megabytes }));
`;

const PARSE = `
const dist = process.argv[2];
const { extract } = await import(dist + "codemap/extract/extract.js");
const { createGrammars } = await import(dist + "codemap/extract/grammars.js");
const { languageOfFile } = await import(dist + "codemap/languages.js");
const grammars = createGrammars();
const part = (at) => "export class C" + at + " extends B {\\n  get(a: number): string {\\n    return this.b(a);\\n  }\\n}\\n";
const whole = Array.from({ length: 100 }, (_, at) => part(at)).join("");
const texts = [
  ["a.ts", whole],
  ["a.js", whole + "{\\n".repeat(500)],
  ["a.ts", whole.slice(0, 5000) + "<<<<<<< ours\\n" + whole.slice(5000)],
  ["a.js", "{".repeat(2000)],
];
const inUse = () => (gc(), process.memoryUsage().rss / 1e6);
let before = 0;
for (let at = 0; at < 2200; at++) {
  if (at === 200) before = inUse();
  const [path, text] = texts[at % texts.length];
  const language = languageOfFile(path);
  let clock = 0;
  const isCut = at % 8 === 7;
  extract(text + "// " + at, language, await grammars.load(language), () => (isCut ? (clock += 100) : 0));
}
console.log(JSON.stringify({ megabytes: inUse() - before }));
`;

describe("large work", () => {
  it("CM-06 maps a repository of 10,000 files whole, and its memory hardly grows with it", async () => {
    const megabytes: number[] = [];
    for (const count of [1000, 10_000]) {
      const text = (at: number) => {
        const next = (at + 1) % count;
        const from = `import { f${next} } from "../d${next % 100}/f${next}.js";\n`;
        const bodies = Array.from(
          { length: 10 },
          (_, each) =>
            `export function f${at}${each > 0 ? `_${each}` : ""}() {\n  return f${next}() + ${each};\n}\n`,
        );
        return from + bodies.join("");
      };
      const folder = `repository-${count}`;
      const files = Array.from({ length: count }, (_, at) => [`d${at % 100}/f${at}.ts`, text(at)] as const);
      const place = `${checkout.folder}/../${folder}`;
      checkout.write(Object.fromEntries(files), place);
      await checkout.run(["init", "-q"], place);
      await checkout.run(["add", "-A"], place);
      await checkout.run(["commit", "-q", "-m", "all"], place);
      const found = await run(BUILD, place, `${place}.db`, `${place}-home`);
      expect(found).toMatchObject({ files: count, symbols: count * 10, read: count, again: 0, uses: 11 });
      megabytes.push(found["megabytes"] ?? Infinity);
    }
    const [small = 0, large = Infinity] = megabytes;
    expect(large - small).toBeLessThan(150);
  });

  it("CH-23 2,000 parses, broken and cut ones too, let memory grow by less than 50 MB", async () => {
    const { megabytes } = await run(PARSE);
    expect(megabytes).toBeLessThan(50);
  });
});
