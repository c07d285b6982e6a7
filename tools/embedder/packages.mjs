// Brings packages of exact versions from the npm registry into a folder; nothing of them is run.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folderName = ({ name, version }) => `${name.replace("/", "+")}@${version}`;

/** Packs, checks and unpacks each package that is not there yet; returns where each lies. */
export function bringPackages(packages, root) {
  const folders = new Map();
  for (const wanted of packages) {
    const folder = join(root, folderName(wanted));
    folders.set(wanted.name, folder);
    if (existsSync(join(folder, "package.json"))) continue;
    const said = execFileSync(
      "npm",
      ["pack", "--silent", "--ignore-scripts", `${wanted.name}@${wanted.version}`],
      {
        cwd: root,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const file = join(root, said.trim().split("\n").at(-1));
    const integrity = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
    if (integrity !== wanted.integrity)
      throw new Error(`${wanted.name}@${wanted.version} is not the package it was: ${integrity}`);
    mkdirSync(folder, { recursive: true });
    execFileSync("tar", ["-xzf", file, "-C", folder, "--strip-components=1"]);
  }
  return (name) => folders.get(name);
}
