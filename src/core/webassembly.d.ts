/** What this package uses of WebAssembly. TypeScript declares it only together with the whole DOM. */
declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  class Module {
    constructor(bytes: Uint8Array);
    readonly [Symbol.toStringTag]: 'WebAssembly.Module';
  }
  class Instance {
    constructor(module: Module, imports: Record<string, never>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Record<string, never>): Promise<Instance>;
}
