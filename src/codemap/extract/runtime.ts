import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Parser } from "web-tree-sitter";

/** The one version of the library whose memory is read without asking it. */
const KNOWN_VERSION = "0.27.1";

/** The memory of the library's WebAssembly module. Its views are others after it has grown, so they are asked for at each use. */
export interface Runtime {
  HEAP32: Int32Array;
  HEAPU16: Uint16Array;
  HEAPU8: Uint8Array;
}

// The library has one module in a process, so there is one of this as well.
let starting: Promise<Runtime | null> | null = null;

/**
 * Starts the parser library; gives its module where its memory may be read, else null. It relies on this: the object that
 * `Parser.init` is given becomes the module, as emscripten documents it.
 */
export function startRuntime(): Promise<Runtime | null> {
  starting ??= start();
  return starting;
}

async function start(): Promise<Runtime | null> {
  const module: Partial<Runtime> = {};
  await Parser.init(module);
  const isKnown = (await libraryVersion()) === KNOWN_VERSION;
  return isKnown && isWhole(module) ? module : null;
}

/** False where somebody else started the library before. */
function isWhole(module: Partial<Runtime>): module is Runtime {
  const { HEAP32, HEAPU16, HEAPU8 } = module;
  return HEAP32 instanceof Int32Array && HEAPU16 instanceof Uint16Array && HEAPU8 instanceof Uint8Array;
}

async function libraryVersion(): Promise<string | undefined> {
  const main = createRequire(import.meta.url).resolve("web-tree-sitter");
  const manifest = await readFile(join(dirname(main), "package.json"), "utf8");
  return /"version":\s*"([^"]+)"/.exec(manifest)?.[1];
}
