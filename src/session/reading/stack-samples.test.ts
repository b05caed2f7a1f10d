import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { ReadRecording } from './read-recording.ts';
import { recogniseRecording } from './recognise-recording.ts';
import { groupRecordings } from './recording-groups.ts';
import { withLentStacks } from './stack-samples.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-samples-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(folder, name);

/** A program that writes once; the function that did, where it is recorded with stacks. */
function text(program: string, symbol?: string): string {
  const stack = symbol === undefined ? '' : ` > ${program}(${symbol}+0x10) [0x1234]\n`;
  return (
    `7 1795252180.1 execve("${program}", ["${program}"], 0x7ffc /* 9 vars */) = 0 <0.1>\n` +
    `7 1795252180.5 write(3</w/a>, "x", 5) = 5 <0.1>\n${stack}`
  );
}

async function read(...paths: string[]): Promise<Trace> {
  const { format, files } = await recogniseRecording(paths);
  return format.read(files, {});
}

async function lent(...paths: string[]): Promise<ReadRecording> {
  const plain = { trace: await read(...paths), notes: [], stored: Promise.resolve(), close: () => Promise.resolve() };
  return withLentStacks(plain, paths, read);
}

/** Function of each write, by recording file. */
function functions({ trace }: ReadRecording): Record<string, string> {
  const found: Record<string, string> = {};
  for (let row = 0; row < trace.events.length; row++) {
    if (trace.calls.names[trace.events.value('call', row)] !== 'write') continue;
    const node = trace.events.value('stack', row);
    const name = trace.parts[trace.streams[trace.events.value('stream', row)]!.part]!.name;
    found[name] = node === NONE ? '-' : trace.stacks.frame(trace.stacks.framesOf(node)[0]!).symbol;
  }
  return found;
}

test('ranks lend stacks to ranks of the same run and program only', async () => {
  writeFileSync(at('a_node1_0.st'), text('/opt/a', 'f'));
  writeFileSync(at('a_node1_1.st'), text('/opt/a'));
  writeFileSync(at('a_node1_2.st'), text('/opt/b'));
  writeFileSync(at('c_node1_0.st'), text('/opt/a'));
  const found = await lent(folder);
  expect(functions(found)).toEqual({
    'a_node1_0.st': 'f',
    'a_node1_1.st': 'f',
    'a_node1_2.st': '-',
    'c_node1_0.st': '-',
  });
  expect(found.notes).toEqual([expect.stringContaining('from the same calls in the other ranks, 0.0 %')]);
});

test('in a folder a sample is no recording, and lends to the recording that it lies beside', async () => {
  writeFileSync(at('a.strace'), text('/opt/a'));
  writeFileSync(at('a.stacks.strace'), text('/opt/a', 'f'));
  writeFileSync(at('b.strace'), text('/opt/b'));
  writeFileSync(at('b.stacks.strace'), text('/opt/c', 'g'));
  const found = await lent(folder);
  expect(functions(found)).toEqual({ 'a.strace': 'f', 'b.strace': '-' });
  expect(found.notes).toEqual([
    expect.stringContaining('the same calls in '),
    expect.stringContaining('b.stacks.strace lends no stacks: it is a recording of another program'),
  ]);
  expect(found.trace.capabilities.stacks).toBe(true);
});

test.each([
  ['a.strace.gz', 'a.stacks.strace.gz'],
  ['a.strace.gz', 'a.stacks.strace'],
  ['a.strace', 'a.stacks.strace.gz'],
])('%s has its stacks from %s', async (recording, sample) => {
  const write = (name: string, content: string): void =>
    writeFileSync(at(name), name.endsWith('.gz') ? gzipSync(content) : content);
  write(recording, text('/opt/a'));
  write(sample, text('/opt/a', 'f'));
  expect(functions(await lent(at(recording)))).toEqual({ [recording]: 'f' });
  expect(await groupRecordings([at(sample), at(recording)])).toEqual([[at(recording)]]);
});

test('a recording that is named twice is one', async () => {
  mkdirSync(at('d'));
  for (const name of ['a.strace', 't.7', 't.8']) writeFileSync(at(name), text('/opt/a'));
  const twice = [at('a.strace'), `${folder}/d/../a.strace`, at('*.strace'), at('t.7'), at('t.8'), at('t.7'), '-', '-'];
  expect(await groupRecordings(twice)).toEqual([[at('a.strace')], [at('t.7'), at('t.8')], ['-']]);
});
