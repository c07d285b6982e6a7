import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Saves pages of the embedded GitHub as files, so that they can be looked at when it is gone. Gives the first one's address. */
export async function savePages(url: string, paths: readonly string[]): Promise<string> {
  // A folder of its own: one with a known name may be another person's.
  const folder = await mkdtemp(join(tmpdir(), "accrue-demo-pages-"));
  const names = new Map(paths.map((path) => [path, `${path.split("/").slice(3).join("-")}.html`]));
  for (const [path, name] of names) {
    const html = await (await fetch(`${url}${path}`)).text();
    await writeFile(join(folder, name), relink(html, names));
  }
  await writeFile(join(folder, "index.html"), indexOf(names));
  return pathToFileURL(join(folder, "index.html")).href;
}

/** Links between saved pages lead to the saved files. */
function relink(html: string, names: ReadonlyMap<string, string>): string {
  return html.replace(
    /href="(?:https?:\/\/127\.0\.0\.1:\d+)?(\/[^"#?]+)(#[^"]*)?"/g,
    (whole, path: string, hash = "") => {
      const name = names.get(path);
      return name ? `href="${name}${hash}"` : whole;
    },
  );
}

function indexOf(names: ReadonlyMap<string, string>): string {
  const items = [...names].map(([path, name]) => `<li><a href="${name}">${path}</a></li>`);
  return `<!doctype html><meta charset="utf-8"><title>Accrue demo</title><ul>${items.join("")}</ul>\n`;
}
