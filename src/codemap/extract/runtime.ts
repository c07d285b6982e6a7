import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Parser } from "web-tree-sitter";

/** The one version of the library whose memory is read without asking it. */
const KNOWN_VERSION = "0.27.1";

/** What of the library's WebAssembly module is used beside its public functions. */
export interface Runtime {
  HEAP32: Int32Array;
  HEAPU16: Uint16Array;
  HEAPU8: Uint8Array;
  currentQueryProgressCallback: ((state: { currentOffset: number }) => boolean) | null;
  _ts_init(): number;
  _ts_node_end_index_wasm(tree: number): number;
  _ts_query_matches_wasm(query: number, tree: number, ...limits: number[]): void;
  _free(address: number): void;
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
  const { _ts_init, _ts_node_end_index_wasm, _ts_query_matches_wasm, _free } = module;
  const functions = [_ts_init, _ts_node_end_index_wasm, _ts_query_matches_wasm, _free];
  return functions.every((each) => typeof each === "function") && module.HEAP32 instanceof Int32Array;
}

async function libraryVersion(): Promise<string | undefined> {
  const main = createRequire(import.meta.url).resolve("web-tree-sitter");
  const manifest = await readFile(join(dirname(main), "package.json"), "utf8");
  return /"version":\s*"([^"]+)"/.exec(manifest)?.[1];
}
