import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EMIT, freshFolder, has, open, recordEmit, run } from '../../test/support/programs.ts';
import { localSymbolFiles } from '../session/machine/local-files.ts';
import { noteFor } from '../session/reading/write-note.ts';
import { openElf } from './debug-files.ts';

const ready = has('gcc', 'strace', 'strip');
const NOTES = 7;
let folder = '';

beforeAll(() => {
  folder = freshFolder('damaged');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Lets the sections of a type begin far behind the end of the file. */
function misplace(file: string, type: number): void {
  const bytes = readFileSync(file);
  const [table, size, count] = [Number(bytes.readBigUInt64LE(40)), bytes.readUInt16LE(58), bytes.readUInt16LE(60)];
  for (let at = table; at < table + size * count; at += size)
    if (bytes.readUInt32LE(at + 4) === type) bytes.writeBigUInt64LE(2n ** 40n, at + 24);
  writeFileSync(file, bytes);
}

describe.skipIf(!ready)(ready ? 'damaged binaries' : 'gcc, strace or strip is not on this machine', () => {
  test('one costs its own lines: the recording opens, and another can be made', async () => {
    const recording = recordEmit(folder, EMIT, '-O0', '-Wl,--build-id');
    const program = path.join(folder, 'emit');
    run(folder, 'strip', 'emit');
    misplace(program, NOTES);
    const opened = await open(recording, folder);
    const [module] = opened.resolved.modules.filter(({ status }) => status !== 'library');
    expect(module).toMatchObject({ status: 'missing', file: program });
    const lack = opened.lacks.find(({ name }) => name === 'binary')!;
    expect(lack.what).toMatch(new RegExp(`^the binary ${program} cannot be read: `));
    expect(opened.callSites().sites.map(({ functionName }) => functionName)).toContain('emit');
    expect((await noteFor(['./emit'], folder, undefined)).buildIds).toEqual({});
  });

  test('a program with very many symbols has them all', async () => {
    const symbols = 200_000;
    const lines = Array.from({ length: symbols }, (_, i) => `.type f${i},@function\nf${i}: .byte 0`);
    writeFileSync(path.join(folder, 'large.s'), `.text\n.byte 0\n${lines.join('\n')}\n`);
    run(folder, 'gcc', '-c', '-o', 'large.o', 'large.s');
    const { elf, source } = (await openElf(localSymbolFiles, path.join(folder, 'large.o')))!;
    expect(await elf.symbols()).toHaveLength(symbols);
    await source.close();
  });
});
