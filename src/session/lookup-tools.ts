import { spawn } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { WasmLookupFactory, type LookupFactory } from '../symbols/address-lookup.ts';
import { InstalledLookupFactory, type RunTool } from '../symbols/installed-lookup.ts';

const INSTALLED = ['llvm-symbolizer', 'llvm-symbolizer-14', 'llvm-symbolizer-16', 'llvm-symbolizer-18', 'addr2line'];

/** Runs a program with its options as a list; nothing of a recording ever reaches a shell. */
const runTool: RunTool = (program, options, input) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, [...options], { stdio: ['pipe', 'pipe', 'ignore'] });
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(output).toString());
      else reject(new Error(`${program} ended with ${code ?? 'a signal'}`));
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });

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
  read: ReadResource = readFile,
): Promise<LookupFactory> {
  const wasm = await read(wasmFile).catch(() => undefined);
  if (wasm !== undefined) return new WasmLookupFactory(wasm);
  const tool = maySpawn ? await findInstalled(INSTALLED) : undefined;
  return tool === undefined ? NO_LOOKUP : new InstalledLookupFactory(tool, runTool);
}

/** The first of the programs that is in a folder of PATH, with its folder. */
export async function findInstalled(names: readonly string[]): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => path.isAbsolute(folder));
  for (const name of names) {
    for (const folder of folders) {
      const file = path.join(folder, name);
      const found = await access(file).then(
        () => true,
        () => false,
      );
      if (found) return file;
    }
  }
  return undefined;
}
