import { type Language, clipEnd } from "../shared/index.js";
import { type StackFact, factTitle, stackFacts } from "../knowledge/index.js";
import { findSecrets } from "../memory/index.js";
import { linesOf, once } from "./lines.js";
import { isPointerThere } from "./pointers.js";
import { readConfiguration } from "./read-configuration.js";
import { readDataModel } from "./read-data-model.js";
import { type KnownService, readLinks } from "./read-links.js";
import { readOwners } from "./read-owners.js";
import { readPitfalls } from "./read-pitfalls.js";
import { readPosition } from "./read-position.js";
import { readRoutes } from "./read-routes.js";
import { readSpecs } from "./read-specs.js";
import { type Fact, SECTIONS, type ServiceFacts, type ServiceSource } from "./types.js";
import { SECTION_TEXTS } from "./texts.js";

const MAX_ABOUT = 2;
const MAX_STORES = 3;

/**
 * Reads from a service what its files say of themselves, without a model: the same files give the same facts, each with a pointer
 * that was looked up.
 */
export function readFacts(
  source: ServiceSource,
  { known, notes, language }: { known: readonly KnownService[]; notes: readonly Fact[]; language: Language },
): ServiceFacts {
  const { files, modules, service } = source;
  const { names, about } = readPosition(files);
  const specs = readSpecs(files);
  // A contract says better than code what is offered.
  const interfaces = withoutRoutesOf(specs, readRoutes(files));
  const data = readDataModel(files);
  const stack = stackOf(files, language);
  const sections: ServiceFacts["sections"] = {
    position: [...about.slice(0, MAX_ABOUT), ...summaries({ interfaces, data }, language)],
    duties: [],
    stack,
    dependencies: readLinks(service, files, known),
    interfaces,
    data,
    modules: modules.map(({ path, symbol, about: purpose, importers }) => ({
      text: `${purpose ? `${purpose} ` : ""}(← ${importers})`,
      pointer: symbol === null ? `${path}:1` : `${path}#${symbol}`,
    })),
    configuration: readConfiguration(files),
    pitfalls: [...notes, ...readPitfalls(files)],
  };
  const elsewhere = new Set([...notes.map(({ pointer }) => pointer), ...known.map(({ path }) => path)]);
  const textOf = (path: string) => files.get(path);
  for (const section of SECTIONS) {
    sections[section] = once(
      sections[section].filter(
        ({ text, pointer }) =>
          (elsewhere.has(pointer) || isPointerThere(pointer, textOf)) && findSecrets(text).length === 0,
      ),
    );
  }
  return {
    names: [...new Set(names)].filter((name) => name !== service),
    owners: readOwners(files),
    sections,
  };
}

/** Routes that the contracts do not name already, whatever they call the parts that vary. */
function withoutRoutesOf(specs: readonly Fact[], routes: readonly Fact[]): Fact[] {
  const key = ({ text }: Fact) => {
    const [method = "", path = ""] = text.split(" ");
    return `${method} ${path.replace(/:$/, "").replaceAll(/\{[^}]*\}|:\w+|<[^>]*>/g, "*")}`;
  };
  const there = new Set(specs.map(key));
  return [...specs, ...routes.filter((route) => !there.has(key(route)))];
}

function stackOf(files: ServiceSource["files"], language: Language): Fact[] {
  return stackFacts(files)
    .filter(({ kind }) => kind !== "environment")
    .map((fact) => ({
      text: `${factTitle(fact.kind, language)}: ${fact.text}`,
      pointer: placeOf(fact, files),
    }));
}

/** The line of a manifest that says it, as well as that can be told. */
function placeOf({ text, path }: StackFact, files: ServiceSource["files"]): string {
  const word = (/[\w@/.-]+$/.exec(text)?.[0] ?? text).toLowerCase().slice(0, 5);
  const line = linesOf(files.get(path) ?? "").find((candidate) =>
    candidate.text.toLowerCase().includes(word),
  );
  return `${path}:${line?.number ?? 1}`;
}

/** What it offers and keeps, in a line each, so that facts alone say what it is. */
function summaries(
  { interfaces, data }: { interfaces: readonly Fact[]; data: readonly Fact[] },
  language: Language,
): Fact[] {
  const say = SECTION_TEXTS[language];
  const [first] = interfaces;
  const [kept] = data;
  const stores = data
    .slice(0, MAX_STORES)
    .map(({ text }) => clipEnd(text.replace(/^table /, "").split(" ", 1)[0] ?? "", 40));
  return [
    ...(first ? [{ text: say.offers(interfaces.length), pointer: first.pointer }] : []),
    ...(kept ? [{ text: say.keeps(stores.join(", "), data.length), pointer: kept.pointer }] : []),
  ];
}
