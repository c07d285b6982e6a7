// Writes the generated parts of docs/configuration.md: `npm run docs`. A test compares them with the schemas.
import { readFileSync, writeFileSync } from "node:fs";
import { configurationTables } from "../dist/config/index.js";

const file = new URL("../docs/configuration.md", import.meta.url);
let text = readFileSync(file, "utf8");
for (const [name, table] of Object.entries(configurationTables())) {
  const block = new RegExp(`(<!-- generated: ${name} -->\n)[\\s\\S]*?(\n<!-- end -->)`);
  if (!block.test(text)) throw new Error(`docs/configuration.md has no block for ${name}`);
  text = text.replace(block, (_, start, end) => `${start}${table}${end}`);
}
writeFileSync(file, text);
