import { describe, expect, test } from 'vitest';
import { readFolder } from '../../../test/support/recorder/recorder-folder.ts';
import {
  writePacked,
  writePeephole,
  writeSignatures,
  type Folder,
  type WrittenCall,
  type WrittenRecording,
} from '../../../test/support/recorder/recorder-writer.ts';
import { LAYERS } from '../../trace/calls.ts';
import { LINKS } from '../../trace/events.ts';
import { UnreadableRecordingError, type Trace } from '../../trace/trace.ts';

const FUNCTIONS = ['open', 'close', 'write', 'read', 'pwrite', 'PMPI_File_open', 'PMPI_File_write_at', 'PMPI_Barrier'];

/** A rank that writes by MPI-IO, and by itself. */
function rankCalls(rank: number): WrittenCall[] {
  const at = (start: number, end: number): { start: number; end: number } => ({
    start: start + 5 * rank,
    end: end + 5 * rank,
  });
  return [
    { name: 'PMPI_File_open', arguments: ['MPI_COMM_WORLD', '/data/shared', 5, '%p', '0-0'], ...at(10, 100) },
    { name: 'open', arguments: ['/data/shared', 65, 420], ...at(20, 60), level: 1, result: 3 },
    {
      name: 'PMPI_File_write_at',
      arguments: ['0-0', rank * 80, '%p', 10, 'MPI_DOUBLE', 'MPI_STATUS_IGNORE'],
      ...at(110, 200),
    },
    { name: 'pwrite', arguments: ['/data/shared', '%p', 80, rank * 80], ...at(120, 190), level: 1, result: 80 },
    { name: 'open', arguments: [`/data/own.${rank}`, 577, 420], ...at(300, 310), result: 4 },
    { name: 'write', arguments: [`/data/own.${rank}`, '%p', 100], ...at(320, 330), result: 100 },
    { name: 'write', arguments: [`/data/own.${rank}`, '%p', 50], ...at(340, 350), result: 30 },
    { name: 'write', arguments: [`/data/own.${rank}`, '%p', 50], ...at(360, 370), result: -1 },
    { name: 'close', arguments: [`/data/own.${rank}`], ...at(380, 390) },
    { name: 'PMPI_Barrier', arguments: ['MPI_COMM_WORLD'], ...at(400, 500) },
  ];
}

const recording: WrittenRecording = { functions: FUNCTIONS, ranks: [0, 1, 2].map(rankCalls) };

/** Calls in words: stream, layer, name, file, offset, bytes, the call that made it. */
function callsOf(trace: Trace): string[] {
  const { events, calls, files } = trace;
  return Array.from({ length: events.length }, (_, row) => {
    const value = (column: Parameters<typeof events.value>[0]): number => events.value(column, row);
    const parent = value('parent') < 0 ? '' : ` in ${calls.names[events.value('call', value('parent'))]!}`;
    const file = value('file') < 0 ? '' : ` ${files.at(value('file')).path}`;
    return `${value('stream')} ${LAYERS[value('layer')]!} ${calls.names[value('call')]!}${file} ${value('offset')} ${value('bytes')}${parent}`;
  });
}

const rankRows = (rank: number, written: readonly string[]): string[] =>
  [
    'MPI-IO MPI_File_open /data/shared NaN 0',
    'POSIX open /data/shared NaN 0 in MPI_File_open',
    `MPI-IO MPI_File_write_at /data/shared ${rank * 80} 80`,
    `POSIX pwrite /data/shared ${rank * 80} 80 in MPI_File_write_at`,
    `POSIX open /data/own.${rank} NaN 0`,
    ...written.map((text) => `POSIX write /data/own.${rank} ${text}`),
    `POSIX close /data/own.${rank} NaN 0`,
  ].map((text) => `${rank} ${text}`);
const ASKED = ['0 100', '100 50', '150 50'];
const ROWS = [0, 1, 2].flatMap((rank) => rankRows(rank, ASKED));

const startsOf = (trace: Trace): number[] =>
  Array.from({ length: trace.events.length }, (_, row) => trace.events.value('start', row));
const STARTS = [0, 1, 2].flatMap((rank) =>
  [10, 20, 110, 120, 300, 320, 340, 360, 380].map((start) => (start + 5 * rank) * 100),
);

describe('generations by their file VERSION', () => {
  const folders: [string, Folder][] = [
    ['2.3', writeSignatures(recording, '2.3.0')],
    ['2.5', writeSignatures(recording, '2.5.0')],
    ['3.0, ranks apart', writePacked(recording, { merged: false, timesPacked: false })],
    ['3.0, ranks together', writePacked(recording, { merged: true, timesPacked: false })],
    ['3.0, ranks together and times packed', writePacked(recording, { merged: true, timesPacked: true })],
    [
      '3.0, ranks apart and times packed',
      writePacked(recording, { merged: false, timesPacked: true, version: '3.1.2' }),
    ],
    ['a snapshot before 3.0', writePacked(recording, { merged: true, timesPacked: true, version: '2.5.0' })],
  ];

  test.each(folders)('%s', async (_, folder) => {
    const trace = await readFolder(folder);
    expect(trace.damage).toEqual([]);
    expect(callsOf(trace)).toEqual(ROWS);
    expect(startsOf(trace)).toEqual(STARTS);
    expect(trace.startTime).toBe(1.7e9);
    expect(trace.durationNs).toBe(51_000);
    expect(trace.messages!.length).toBe(3);
    expect(trace.messages!.at(0)).toMatchObject({ operation: 'barrier', start: 40_000, end: 50_000 });
  });

  test('2.2: numbers for paths, results, and calls in the order of their ends', async () => {
    const files = ['/data/shared', '/data/own.0', '/data/own.1', '/data/own.2'];
    const number = (argument: string | number): string | number =>
      files.includes(String(argument)) ? files.indexOf(String(argument)) : argument;
    const ranks = recording.ranks.map((calls) =>
      calls.map((call) => ({ ...call, arguments: call.arguments.map(number) })),
    );
    const trace = await readFolder(writePeephole({ ...recording, ranks }, files));
    expect(trace.damage).toEqual([]);
    const rows = [0, 1, 2].flatMap((rank) => rankRows(rank, ['0 100', '100 30', 'NaN 0']));
    expect(callsOf(trace)).toEqual(rows);
    expect(trace.version).toBe('2.2.0');
    // Each rank has a clock of its own, of which the start is recorded.
    const { events } = trace;
    expect([events.value('start', 0), events.value('start', 9)]).toEqual([10_000, 1e9 + 15_000]);
    expect(trace.startTime).toBe(1.7e9);
    const failed = Array.from({ length: events.length }, (_, row) => events.value('error', row)).filter(
      (error) => error !== 0,
    );
    expect(failed).toHaveLength(3);
    // There are no levels: times tell what was made inside of what.
    expect(LINKS[events.value('link', 1)]).toBe('time');
    expect(trace.notes).toEqual([]);
  });

  test('a directory of before there was a VERSION', async () => {
    const trace = await readFolder(writePeephole(recording, [], ''));
    expect(trace.events.length).toBe(27);
    expect(trace.damage).toEqual([]);
  });

  test.each(['1.0.0', '4.0.1', '12.0', 'new'])('version %s is refused with a clear text', async (version) => {
    const folder = writeSignatures(recording, '2.5.0');
    folder.set('VERSION', Buffer.from(version));
    await expect(readFolder(folder)).rejects.toThrow(UnreadableRecordingError);
    await expect(readFolder(folder)).rejects.toThrow(version === 'new' ? /holds no version/ : version);
  });
});

describe('calls of several threads', () => {
  test('have streams of their own, whatever the order in which they were written', async () => {
    const calls: WrittenCall[] = [
      { name: 'open', arguments: ['/data/a', 577, 420], start: 0, end: 10, thread: 7 },
      { name: 'write', arguments: ['/data/a', '%p', 5], start: 500, end: 600, thread: 8 },
      // It began before the one that was written down before it: the difference wraps.
      { name: 'write', arguments: ['/data/a', '%p', 9], start: 100, end: 700, thread: 7 },
      { name: 'close', arguments: ['/data/a'], start: 800, end: 810, thread: 7 },
    ];
    const trace = await readFolder(writeSignatures({ functions: FUNCTIONS, ranks: [calls] }, '2.5.0'));
    expect(trace.damage).toEqual([]);
    expect(callsOf(trace)).toEqual([
      '0 POSIX open /data/a NaN 0',
      '0 POSIX write /data/a 0 9',
      '1 POSIX write /data/a 9 5',
      '0 POSIX close /data/a NaN 0',
    ]);
    expect(startsOf(trace)).toEqual([0, 10_000, 50_000, 80_000]);
    expect(trace.streams.map(({ rank }) => rank)).toEqual([0, 0]);
  });

  test('a pause of minutes is no step back', async () => {
    const minutes = 2_400_000_000;
    const calls: WrittenCall[] = [
      { name: 'open', arguments: ['/data/a', 0], start: 0, end: 10 },
      { name: 'close', arguments: ['/data/a'], start: minutes, end: minutes + 10 },
    ];
    const trace = await readFolder(writeSignatures({ functions: FUNCTIONS, ranks: [calls] }, '2.5.0'));
    expect(startsOf(trace)).toEqual([0, minutes * 100]);
  });
});
