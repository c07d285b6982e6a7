import { type Look, custom, tests, types } from "./commands.js";
import type { Command } from "./types.js";

const PYTHON_TEST = /(^|\/)(test_[^/]+|[^/]+_test)\.py$/;
const DECLARATIONS = ["pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt"];
/** With `-rpfE` it names each test that passed, failed or broke. */
const PYTEST = "python3 -m pytest -q -rpfE";

/** Finds the checks of Python: what is configured for it, and its tests. */
export async function detectPython(look: Look): Promise<Command[]> {
  return [...(await detectCheckers(look)), ...(await detectTests(look))];
}

async function detectCheckers({ has, read }: Look): Promise<Command[]> {
  const project = await read("pyproject.toml");
  const commands: Command[] = [];
  const mypy = [await read("mypy.ini"), await read(".mypy.ini"), sectionOf(await read("setup.cfg"), "mypy")];
  const settings = [...mypy, sectionOf(project, "tool.mypy")].join("\n");
  if (settings.trim() !== "") {
    const saysWhat = /^\s*(files|packages|modules)\s*=/m.test(settings);
    commands.push(types("types (mypy)", `python3 -m mypy${saysWhat ? "" : " ."}`));
  }
  if (has("pyrightconfig.json") || sectionOf(project, "tool.pyright") !== "")
    commands.push(types("types (pyright)", "pyright"));
  if (has("ruff.toml") || has(".ruff.toml") || /^\[tool\.ruff[.\]]/m.test(project))
    commands.push(custom("ruff", "ruff check --output-format=concise ."));
  return commands;
}

/** A section of an ini or TOML file with its heading; empty when there is none. */
function sectionOf(text: string, name: string): string {
  const parts = text.split(/^(?=\[)/m);
  return parts.find((part) => part.startsWith(`[${name}]`)) ?? "";
}

async function detectTests({ paths, has, read }: Look): Promise<Command[]> {
  const testFiles = paths.filter((path) => PYTHON_TEST.test(path));
  if (testFiles.length === 0) return [];
  const declared = (await Promise.all(DECLARATIONS.map(read))).some((text) => /\bpytest\b/.test(text));
  const configured = paths.some((path) => /(^|\/)(conftest\.py|pytest\.ini)$/.test(path));
  const usesUnittest = /\bunittest\b/.test(await read(testFiles[0] ?? ""));
  if (declared || configured || !usesUnittest)
    return [tests("tests (python)", PYTEST, { start: PYTEST, takes: "python-files" })];
  // Discovery does not descend into a folder that is no package, so it starts there.
  const isLoose = testFiles.every((path) => path.startsWith("tests/")) && !has("tests/__init__.py");
  if (isLoose) return [tests("tests (python)", "python3 -m unittest discover -v -s tests")];
  const start = "python3 -m unittest -v";
  return [tests("tests (python)", "python3 -m unittest discover -v", { start, takes: "python-files" })];
}
