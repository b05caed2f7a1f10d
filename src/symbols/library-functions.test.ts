import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { chooseLookup } from '../session/machine/lookup-tools.ts';
import { localSymbolFiles } from '../session/machine/local-files.ts';
import { CallStackTable } from '../trace/call-stacks.ts';
import { NONE } from '../trace/events.ts';
import { openElf } from './debug-files.ts';
import { resolveStacks } from './stack-resolver.ts';
import { PLAIN_SEARCH } from './symbol-files.ts';

/** Stacks of addresses only, in the C library that this process itself uses. */
const wasm = path.resolve(import.meta.dirname, '../../native/wasm/addr2line/addr2line.wasm');
const library = process.platform === 'linux' ? loadedLibrary(/ (\/\S*\/libc\.so\.6)$/m) : '';

function loadedLibrary(pattern: RegExp): string {
  return pattern.exec(readFileSync('/proc/self/maps', 'utf8'))?.[1] ?? '';
}

async function addressIn(name: string): Promise<{ address: number; build: string }> {
  const opened = await openElf(localSymbolFiles, library);
  const symbols = await opened!.elf.symbols();
  const build = await opened!.elf.buildId();
  await opened!.source.close();
  return { address: symbols.find((symbol) => symbol.name === name)!.address + 20, build };
}

async function functionAt(address: number, build: string, symbol = ''): Promise<string> {
  const stacks = new CallStackTable();
  const frame = { module: library, value: address, symbol, symbolOffset: 0, sourceFile: '', sourceLine: 0 };
  const node = stacks.internNode(NONE, stacks.internFrame(frame));
  stacks.moduleForms.set(0, 'address');
  if (build !== '') stacks.moduleBuilds.set(0, build);
  const resolved = await resolveStacks(
    { stacks, program: './app' },
    localSymbolFiles,
    PLAIN_SEARCH,
    await chooseLookup(wasm, false),
  );
  return resolved.framesOf(node)[0]!.functionName;
}

describe.skipIf(library === '')(
  library === '' ? 'functions of libraries: no libc.so.6' : 'functions of libraries',
  () => {
    test('are named by the library’s own symbols when it is the recorded build', async () => {
      const { address, build } = await addressIn('fflush');
      expect(build).not.toBe('');
      expect(await functionAt(address, build)).toMatch(/fflush$/);
      expect(await functionAt(address, build, 'recorded_name')).toBe('recorded_name');
    });

    test('have no name when another build of it, or nobody knows which, was recorded', async () => {
      const { address, build } = await addressIn('fflush');
      expect(
        await functionAt(
          address,
          build.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
        ),
      ).toBe('');
      expect(await functionAt(address, '')).toBe('');
    });
  },
);
