import { expect, test } from 'vitest';
import { memoryFile } from '../../../../test/support/memory-file.ts';
import { readStrace } from '../../../readers/strace/strace-reader.ts';
import { measure, type Metrics } from '../access-metrics.ts';
import { ignoredFiles } from '../ignored-files.ts';
import { namedPipes } from './named-pipes.ts';

/** @param lines `seconds process call`, the time it took last. */
async function measured(lines: readonly string[]): Promise<{ metrics: Metrics; ignored: number[] }> {
  const text = lines.map((line) => line.replace(/^(\S+) (\S+)/, '$2 17952521$1')).join('\n');
  const trace = await readStrace([memoryFile('t', `${text}\n`)]);
  const ignored = ignoredFiles(trace.files, undefined, namedPipes(trace));
  const nowhere = { sites: [], siteOfNode: new Int32Array(0), isStartUp: new Uint8Array(0) };
  return { metrics: measure(trace, nowhere, ignored), ignored: [...ignored] };
}

function tinyReads({ pipes }: Metrics): number {
  let sum = 0;
  for (let cell = 0; cell < pipes.cells.length; cell++) sum += pipes.cells.get(cell, 'tinyReads');
  return sum;
}

const at = (number: number): string => (80 + number / 1000).toFixed(6);

test('acknowledgements that a process waits for one by one are no stream of bytes, whatever comes after them', async () => {
  const lines = Array.from({ length: 150 }, (_, number) => [
    `${at(number)} 7 read(3<pipe:[5]>, "k", 1) = 1 <0.000900>`,
    `${at(number + 0.8)} 8 write(4<pipe:[5]>, "k", 1) = 1 <0.000010>`,
    `${at(number + 0.85)} 8 write(5</w/journal>, "x", 4096) = 4096 <0.000010>`,
  ]).flat();
  expect(tinyReads((await measured(lines)).metrics)).toBe(0);
});

test('bytes that lie ready and are fetched one by one are; so are those of a writer whom nobody recorded', async () => {
  const reads = Array.from(
    { length: 150 },
    (_, number) => `${at(number + 1)} 7 read(3<pipe:[5]>, "k", 1) = 1 <0.000010>`,
  );
  const written = [`${at(0)} 8 write(4<pipe:[5]>, "kk", 151) = 151 <0.000010>`, ...reads];
  expect(tinyReads((await measured(written)).metrics)).toBe(149);
  expect(tinyReads((await measured(reads)).metrics)).toBe(149);
});

test('named pipes are told by what is refused them, or by opens that wait for each other: their opens do not count', async () => {
  const waits = [
    `${at(0)} 7 openat(AT_FDCWD</w>, "p", O_RDONLY) = 3</w/p> <2.000000>`,
    `${at(1999.9)} 8 openat(AT_FDCWD</w>, "p", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 4</w/p> <0.000100>`,
  ];
  expect((await measured(waits)).ignored).toEqual([1]);
  const { leftOut } = (await measured(waits)).metrics;
  expect([leftOut.pipes.events, leftOut.ignoredFiles.events]).toEqual([2, 0]);
  const refused = [
    `${at(0)} 7 openat(AT_FDCWD</w>, "p", O_RDONLY) = 3</w/p> <0.500000>`,
    `${at(600)} 7 lseek(3</w/p>, 0, SEEK_CUR) = -1 ESPIPE (Illegal seek) <0.000010>`,
  ];
  expect((await measured(refused)).ignored).toEqual([1]);
  // A slow file system, and two that only read.
  const slow = [waits[0]!.replace('2.000000', '0.020000'), waits[1]!];
  expect((await measured(slow)).ignored).toEqual([0]);
  expect((await measured(waits.map((line) => line.replace(/O_WRONLY\S+/, 'O_RDONLY,')))).ignored).toEqual([0]);
});
