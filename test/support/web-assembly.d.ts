/** What tests use of the engine's own API: TypeScript describes it for browsers only. */
declare namespace WebAssembly {
  class Module {
    static exports(module: Module): { name: string; kind: string }[];
    static imports(module: Module): { name: string; kind: string }[];
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
