import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpus } from '../../../test/support/corpus.ts';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { randomNumbers } from '../../../test/support/random-numbers.ts';
import { expectSound } from '../../../test/support/sound-trace.ts';
import { LAYERS, OPERATIONS } from '../../trace/calls.ts';
import { UnreadableRecordingError, type Trace } from '../../trace/trace.ts';
import { recogniseFormat } from '../registry.ts';
import { looksLikeHdf5Vol, readHdf5Vol } from './vol-reader.ts';
import { rounds } from '../../../test/support/rounds.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (...contents: (string | Uint8Array)[]): Promise<Trace> =>
  readHdf5Vol(contents.map((content, rank) => memoryFile(`h5bench_write.${rank}.drishti`, content)));
const lineOf = (operation: string, start: number, end: number, offset: number | string): string =>
  `HDF5;0;${operation};${start};${end};${end - start};${offset}\n`;

const folder = corpus('others/drishti_vol')!;

describe('recordings', () => {
  const contents = (unit: string): Uint8Array[] =>
    readdirSync(path.join(folder, unit))
      .sort()
      .map((name) => readFileSync(path.join(folder, unit, name)));

  test.each([
    ['micros', 1000],
    ['seconds', 1e9],
  ])('%s', async (unit, step) => {
    const all = contents(unit);
    const lines = all
      .flatMap((content) => Buffer.from(content).toString().trim().split('\n'))
      .map((line) => line.split(';'));
    const trace = await read(...all);
    expectSound(trace);
    expect(trace.damage).toEqual([]);
    expect(trace.events.length).toBe(lines.length);
    expect(trace.streams.map(({ rank }) => rank)).toEqual(expect.arrayContaining([0, 1, 2, 3]));
    const starts = lines.map((fields) => Number(fields[3])).sort((a, b) => a - b);
    const { events } = trace;
    const own = Array.from({ length: events.length }, (_, row) => events.value('start', row));
    expect(own).toEqual(starts.map((start) => (start - starts[0]!) * step));
    // On the clock of the world: what joins it with other recordings.
    expect(trace.startTime).toBeCloseTo((starts[0]! * step) / 1e9, 5);
    expect(trace.program).toBe('h5bench_write');
    for (let row = 0; row < events.length; row++) expect(LAYERS[events.value('layer', row)]).toBe('HDF5');
    expect(trace.notes.some((note) => note.includes('whole seconds'))).toBe(unit === 'seconds');
  });

  test('bytes that were cut or flipped', async () => {
    const random = randomNumbers(5);
    const whole = contents('micros')[0]!;
    for (let round = 0; round < rounds(100); round++) {
      const bytes = Uint8Array.from(whole.subarray(0, 200 + random(whole.length - 200)));
      for (let flip = random(6); flip > 0; flip--) bytes[random(bytes.length)] = random(256);
      expectSound(await read(bytes));
    }
  });
});

describe('operations', () => {
  test('metadata keep their names; offsets that HDF5 does not know are unknown', async () => {
    const trace = await read(
      lineOf('read', 1705900000300, 1705900000400, 2048) +
        lineOf('write-metadata', 1705900000100, 1705900000150, -1) +
        lineOf('write', 1705900000200, 1705900000250, '18446744073709551615') +
        lineOf('?', 1705900000500, 1705900000500, -1),
    );
    const { events, calls } = trace;
    const rows = [0, 1, 2, 3];
    expect(rows.map((row) => calls.names[events.value('call', row)])).toEqual(['write-metadata', 'write', 'read', '?']);
    expect(rows.map((row) => OPERATIONS[calls.operation[events.value('call', row)]!])).toEqual([
      'metadata',
      'write',
      'read',
      'other',
    ]);
    expect(rows.map((row) => events.value('offset', row))).toEqual([NaN, NaN, 2048, NaN]);
    expect(rows.map((row) => events.value('duration', row))).toEqual([50e6, 50e6, 100e6, 0]);
    expect(rows.map((row) => events.value('line', row))).toEqual([2, 3, 1, 4]);
    expect(events.value('requested', 1)).toBeNaN();
    expect(trace.startTime).toBe(1705900000.1);
  });

  test('lines that are none are reported; a rank whose file is empty is no damage', async () => {
    const trace = await read(
      `${lineOf('write', 1705900000, 1705900001, 0)}nonsense\nHDF5;0;write;1705900005;1705900001;-4;0\nHDF5;-1;write;1705900000;1705900000;0;0\nHDF5;0;write;17;18;1;0\n`,
      '',
    );
    expect(trace.events.length).toBe(1);
    expect(trace.damage.map(({ where }) => where)).toEqual(
      [2, 3, 4, 5].map((line) => `h5bench_write.0.drishti, line ${line}`),
    );
    await expect(read('', 'HDF5;\n')).rejects.toThrow(UnreadableRecordingError);
  });

  test('cut off at any byte', async () => {
    const whole = lineOf('write', 1705900000, 1705900001, 0) + lineOf('read', 1705900002, 1705900003, 77);
    const first = whole.indexOf('\n') + 1;
    for (let length = first; length < whole.length; length++) {
      const trace = await read(whole.slice(0, length));
      const isWhole = whole.slice(0, length).endsWith(';7') || whole.slice(0, length).endsWith(';77');
      expect(trace.events.length).toBe(isWhole ? 2 : 1);
      expect(trace.damage.length).toBe(isWhole || length === first ? 0 : 1);
    }
  });
});

test('recognition', () => {
  const line = lineOf('write', 1705900000, 1705900001, 0);
  expect(looksLikeHdf5Vol(bytesOf(line))).toBe(true);
  expect(recogniseFormat(bytesOf(line))?.name).toBe('hdf5-vol');
  for (const other of [
    '',
    'HDF5;0;write',
    'HDF5;a;write;1;1;0;0\n',
    'POSIX;0;write;1705900000;1705900001;1;0\n',
    '\n',
  ]) {
    expect(looksLikeHdf5Vol(bytesOf(other))).toBe(false);
  }
});
