// The demo's project grown to eight modules, and its scripted model, which looks around much longer before it knows where things are.
import { readFileSync } from "node:fs";
import { readProject } from "./project.mjs";

const NEW = ["supplier", "voucher", "warehouse", "parcel", "campaign"];
/** Modules of the project, each of which gets the same kind of requirement. */
export const MODULES = ["user", "order", "product", ...NEW];

/** Product's files under another name. */
function renamed(text, name) {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return text.replaceAll("product", name).replaceAll("Product", title);
}

/** What the table of exports says of product, said once more of each new module. */
function grown(text, { from, to, at = from }) {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start) + to.length;
  const part = text.slice(start, end);
  const before = text.indexOf(at);
  return text.slice(0, before) + NEW.map((name) => renamed(part, name)).join("") + text.slice(before);
}

/** The project as path → text. */
export function eightModules() {
  const files = readProject();
  for (const [path, text] of Object.entries(files)) {
    if (!/^(src\/product\/|test\/product\.)/.test(path)) continue;
    for (const name of NEW) files[renamed(path, name)] = renamed(text, name);
  }
  const change = (path, edit) => (files[path] = edit(files[path]));
  change("src/export/registry.js", (text) =>
    grown(
      grown(text, {
        from: "import { productColumns }",
        to: 'json.js";\n',
        at: "import { userColumns }",
      }),
      { from: "  product: {\n", to: "    },\n  },\n" },
    ),
  );
  change("src/app.js", (text) =>
    grown(grown(text, { from: "import { createProductStore", to: "\n" }), {
      from: "  const product = createProductStore();",
      to: "\n",
    }).replace("stores: { user, order, product }", `stores: { user, order, product, ${NEW.join(", ")} }`),
  );
  change("testing/samples.js", (text) => grown(text, { from: "  product: (changes", to: "}),\n" }));
  change("test/routes.test.js", (text) =>
    text.replace('["order", "product"]', JSON.stringify(["order", ...NEW, "product"])),
  );
  change("docs/exports.md", (text) => grown(text, { from: "| product | json", to: "\n" }));
  return files;
}

const UNKNOWN = { notSeen: ["Places that change together"] };
const readAll = (...paths) => ({
  when: UNKNOWN,
  call: paths.map((path) => ({ tool: "read_file", input: { path } })),
});
const lookFor = (pattern) => ({ when: UNKNOWN, call: [{ tool: "search", input: { pattern } }] });

/** How each agent looks around first while nobody tells it where things are. */
const EXPLORING = {
  "requirement-of-a-csv-export": [
    readAll("README.md"),
    readAll("docs/http.md"),
    readAll("src/app.js", "src/server.js"),
    lookFor("Json"),
    readAll("src/export/registry.js"),
    readAll("src/http/routes.js"),
  ],
  "design-of-a-csv-export": [
    readAll("docs/exports.md"),
    readAll("docs/http.md"),
    readAll("src/user/json.js", "src/user/columns.js", "src/user/store.js"),
    readAll("src/order/json.js", "src/order/columns.js", "src/order/lines.js"),
    readAll("src/product/json.js", "src/product/columns.js", "src/product/store.js"),
    lookFor("csv"),
    readAll("src/report/daily-sales.js", "src/lib/money.js", "src/lib/dates.js"),
    readAll("test/report.test.js", "test/lib.test.js"),
    readAll("testing/samples.js", "package.json"),
  ],
  "format-of-a-csv-export": [
    lookFor("toJson|ToJson"),
    readAll("src/report/daily-sales.js"),
    readAll("src/http/routes.js", "src/http/content-types.js"),
    readAll("docs/exports.md"),
  ],
  "tests-of-a-csv-export": [
    readAll("test/order.test.js"),
    readAll("test/routes.test.js", "test/cells.test.js"),
  ],
};

/** The scenarios of the demo with that much more looking around. */
export function longExploring() {
  const scenarios = JSON.parse(
    readFileSync(new URL("../../data/scenarios/demo.json", import.meta.url), "utf8"),
  );
  for (const scenario of scenarios) scenario.turns.unshift(...(EXPLORING[scenario.name] ?? []));
  return JSON.stringify(scenarios);
}
