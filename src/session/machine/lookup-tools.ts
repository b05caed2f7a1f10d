import { machine } from '#machine';
import { WasmLookupFactory, type LookupFactory } from '../../symbols/address-lookup.ts';

/** Reads a file that comes with the program. */
export type ReadResource = (file: string) => Promise<Uint8Array>;

/** What resolves addresses when nothing can: names that the recorder wrote stay. */
const NO_LOOKUP: LookupFactory = {
  tool: 'none (addr2line.wasm is missing, and no llvm-symbolizer or addr2line was found)',
  open: () => Promise.reject(new Error('there is no tool to read it')),
  demangle: (names) => Promise.resolve([...names]),
};

/**
 * Chooses what resolves addresses: the WebAssembly module where it was built, else an installed tool.
 *
 * @param wasmFile where the module lies.
 * @param maySpawn false in an untrusted workspace: nothing is started there.
 * @param read how the module is read.
 */
export async function chooseLookup(
  wasmFile: string,
  maySpawn: boolean,
  read: ReadResource = (file) => machine.readResource(file),
): Promise<LookupFactory> {
  const wasm = await read(wasmFile).catch(() => undefined);
  if (wasm !== undefined) return new WasmLookupFactory(wasm);
  return (maySpawn ? await machine.installedLookup() : undefined) ?? NO_LOOKUP;
}
