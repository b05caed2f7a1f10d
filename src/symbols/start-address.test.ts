import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EMIT, freshFolder, has, run } from '../../test/support/programs.ts';
import { localSymbolFiles } from '../session/machine/local-files.ts';
import { chooseLookup } from '../session/machine/lookup-tools.ts';
import { CallStackTable } from '../trace/call-stacks.ts';
import { NONE } from '../trace/events.ts';
import type { ResolvedStacks } from './resolved-stacks.ts';
import { resolveStacks } from './stack-resolver.ts';
import { PLAIN_SEARCH } from './symbol-files.ts';

/** Addresses as they stood in memory: of programs at their link address, and of those that the loader moved. */
const wasm = path.resolve(import.meta.dirname, '../../native/wasm/addr2line/addr2line.wasm');
let folder = '';

beforeAll(() => {
  folder = freshFolder('start');
  writeFileSync(path.join(folder, 'emit.c'), EMIT);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The address behind the call of one function in another, by the disassembler. */
function returnAddress(program: string, caller: string, callee: RegExp): number {
  const lines = run(folder, 'llvm-objdump', '-d', `--disassemble-symbols=${caller}`, program).split('\n');
  const calls = lines.findIndex((line) => /\b(callq?|blr?)\b/.test(line) && callee.test(line));
  return parseInt(/^\s*([0-9a-f]+):/.exec(lines[calls + 1]!)![1]!, 16);
}

function returnAddresses(program: string): { start: number; main: number; emit: number } {
  return {
    start: returnAddress(program, '_start', /./),
    main: returnAddress(program, 'main', /<emit>/),
    emit: returnAddress(program, 'emit', /<(__)?(libc_)?write(@plt)?>/),
  };
}

async function resolve(
  program: string,
  form: 'address' | 'behind-start',
  values: readonly number[],
  table: readonly number[] = [],
): Promise<ResolvedStacks> {
  const stacks = new CallStackTable();
  let node = NONE;
  [...values].reverse().forEach((value, i) => {
    const sourceLine = table[values.length - 1 - i] ?? 0;
    const sourceFile = sourceLine > 0 ? '/elsewhere/emit.c' : '';
    node = stacks.internNode(
      node,
      stacks.internFrame({ module: `./${program}`, value, symbol: '', symbolOffset: 0, sourceFile, sourceLine }),
    );
  });
  stacks.moduleForms.set(0, form);
  const search = { ...PLAIN_SEARCH, ownFolders: [folder] };
  return resolveStacks({ stacks, program: `./${program}` }, localSymbolFiles, search, await chooseLookup(wasm, false));
}

/** Lines from the outermost frame (`_start`) to the innermost. */
function linesOf(resolved: ResolvedStacks): string[] {
  return [...resolved.placeOfNode.keys()].map((node) => {
    const [frame] = resolved.framesOf(node);
    return `${frame!.functionName} ${path.basename(frame!.file)}:${frame!.line}`;
  });
}

const BUILDS: readonly (readonly [name: string, compiler: string, options: readonly string[]])[] = [
  ['pie', 'gcc', ['-pie', '-fPIE']],
  ['fixed', 'gcc', ['-no-pie']],
  ['static', 'gcc', ['-static']],
  ['static-pie', 'gcc', ['-static-pie', '-fPIE']],
  ['clang-pie', 'clang', ['-pie', '-fPIE', '-O2']],
  ['musl', 'musl-gcc', ['-static', '-fno-pie', '-no-pie']],
  ['arm-pie', 'aarch64-linux-gnu-gcc', ['-pie', '-fPIE']],
  ['arm-static', 'aarch64-linux-gnu-gcc', ['-static']],
];

describe.each(BUILDS)('%s', (name, compiler, options) => {
  const isHere = has('llvm-objdump') && has(compiler);

  beforeAll(() => {
    if (isHere) run(folder, compiler, '-g', ...options, '-o', name, 'emit.c');
  });

  test.skipIf(!isHere)('distances from the return into _start lead to the lines', async () => {
    const { start, main, emit } = returnAddresses(name);
    const resolved = await resolve(name, 'behind-start', [emit - start, main - start, 0]);
    expect(linesOf(resolved).slice(1)).toEqual(['main emit.c:15', 'emit emit.c:6']);
    expect(resolved.modules).toMatchObject([{ status: 'lines', misfits: 0, note: '' }]);
  });

  test.skipIf(!isHere)('addresses as linked lead to the lines', async () => {
    const { start, main, emit } = returnAddresses(name);
    const resolved = await resolve(name, 'address', [emit, main, start]);
    expect(linesOf(resolved).slice(1)).toEqual(['main emit.c:15', 'emit emit.c:6']);
  });
});

describe.skipIf(!has('gcc', 'llvm-objdump'))('a recording with its own table of addresses and lines', () => {
  test('the binary knows better, and the report says what was used', async () => {
    run(folder, 'gcc', '-g', '-no-pie', '-o', 'tabled', 'emit.c');
    const { start, main, emit } = returnAddresses('tabled');
    const resolved = await resolve('tabled', 'address', [emit, main, start], [7, 15, 0]);
    expect(linesOf(resolved).slice(1)).toEqual(['main emit.c:15', 'emit emit.c:6']);
    expect(resolved.modules[0]!.note).toContain("not by the recording's own address table");
    expect(resolved.modules[0]!.note).toContain('1 of 2 differ');
  });

  test('without the binary its lines are used, and called uncertain', async () => {
    const resolved = await resolve('gone', 'address', [0x401136, 0x401181, 0x401054], [7, 15, 0]);
    expect(linesOf(resolved)).toEqual([' :0', ' emit.c:15', ' emit.c:7']);
    expect(resolved.modules[0]).toMatchObject({ status: 'missing' });
    expect(resolved.modules[0]!.note).toContain('uncertain');
    expect(resolved.modules[0]!.note).toContain(`${folder}/gone`);
  });

  test('a program that was compiled anew shows no lines of its own', async () => {
    run(folder, 'gcc', '-g', '-no-pie', '-o', 'other', 'emit.c');
    const resolved = await resolve('other', 'address', [0x401140, 0x40114c, 0x401057], [7, 15, 0]);
    expect(resolved.modules[0]).toMatchObject({ status: 'changed' });
    expect(linesOf(resolved)).toEqual([' :0', ' emit.c:15', ' emit.c:7']);
  });
});
