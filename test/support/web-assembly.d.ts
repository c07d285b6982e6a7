/** What tests use of the engine's own API: TypeScript describes it for browsers only. */
declare namespace WebAssembly {
  type Module = object;
  const Module: {
    exports(module: Module): { name: string; kind: string }[];
    imports(module: Module): { name: string; kind: string }[];
  };
  function compile(bytes: Uint8Array): Promise<Module>;
}
