import { describe, expect, test } from 'vitest';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { readStrace } from '../../readers/strace/strace-reader.ts';
import { NONE } from '../../trace/events.ts';
import { HandleTable } from '../../trace/files.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { measure } from './access-metrics.ts';
import { AccessPattern, PATTERN } from './access-pattern.ts';
import { Coalescing } from './coalescing.ts';
import { counts, ignoredFiles } from './ignored-files.ts';
import type { Metric } from './metric-table.ts';
import { sizeBin, SizeDistribution } from './sizes.ts';
import { tracerOverhead } from './tracer-overhead.ts';

const NO_SITES: CallSites = { sites: [], siteOfNode: new Int32Array(), isStartUp: new Uint8Array() };

describe('Darshan’s size bins', () =>
  test.each([
    [0, 0],
    [100, 0],
    [101, 1],
    [1024, 1],
    [1025, 2],
    [1_048_576, 4],
    [1_048_577, 5],
    [2 ** 31, 9],
  ])('%i B is in bin %i', (bytes, bin) => expect(sizeBin(bytes)).toBe(bin)));

test('the median and the commonest sizes', () => {
  const sizes = new SizeDistribution();
  for (const size of [8, 8, 8, 100, 5000]) sizes.add(size);
  expect(sizes.median()).toBe(8);
  expect(sizes.median(8)).toBeNaN();
  expect(sizes.commonest(2)).toEqual([
    [8, 3],
    [5000, 1],
  ]);
  for (let size = 0; size < 1000; size++) sizes.add(10_000 + size);
  expect(sizes.total).toBe(1005);
  expect(sizes.median()).toBeGreaterThan(8000);
});

/** So many opens of one file. */
function opens(count: number): HandleTable {
  const handles = new HandleTable();
  for (let i = 0; i < count; i++) handles.add(0, 0);
  return handles;
}

test('how an access lies to the one before', () => {
  const pattern = new AccessPattern(opens(1), 1);
  const kinds = [
    [0, 10],
    [10, 10],
    [20, 10],
    [100, 10],
    [180, 10],
    [180, 10],
    [50, 10],
    [55, 10],
    [58, 10],
    [75, 10],
  ].map(([offset, bytes]) => pattern.next(0, 0, offset!, bytes!, true));
  const { consecutive, random, strided, repeated, backward } = PATTERN;
  // Steps of 5 and 3 bytes leave no gap between pieces of 10, that of 17 does.
  const overlapping = [repeated, repeated];
  const jumps = [random, strided, repeated, backward, ...overlapping, random];
  expect(kinds).toEqual([consecutive, consecutive, consecutive, ...jumps]);
});

test('threads that share a handle are followed apart', () => {
  const { consecutive, backward } = PATTERN;
  const positioned = new AccessPattern(opens(1), 2);
  const places = [0, 1, 2].flatMap((step) =>
    [0, 1].map((stream) => positioned.next(0, stream, stream * 5000 + step * 100, 100, true)),
  );
  expect(new Set(places)).toEqual(new Set([consecutive]));
  // The recording shows the calls in the order of their beginnings; the offsets were given in another.
  const shared = new AccessPattern(opens(1), 2);
  const offsets = [0, 200, 100, 400, 300];
  expect(offsets.map((offset, i) => shared.next(0, i % 2, offset, 100, false))).toEqual(offsets.map(() => consecutive));
  shared.moved(0);
  expect(shared.next(0, 0, 0, 100, false)).toBe(backward);
});

test('a program that opens the file for each access goes on from one open to the next, where it sets the place', () => {
  const { consecutive, random, strided, repeated, backward } = PATTERN;
  const placed = (offsets: readonly number[], streams = 1): number[] => {
    const pattern = new AccessPattern(opens(offsets.length), streams);
    return offsets.map((offset, handle) => {
      pattern.moved(handle);
      return pattern.next(handle, handle % streams, offset, 10, false);
    });
  };
  expect(placed([500, 20, 700, 40, 900])).toEqual([consecutive, backward, random, backward, random]);
  expect(placed([10, 20, 30])).toEqual([consecutive, consecutive, consecutive]);
  expect(placed([10, 110, 210, 210])).toEqual([consecutive, strided, strided, repeated]);
  // Another process goes its own way.
  expect(placed([500, 20, 510, 30], 2)).toEqual([consecutive, consecutive, consecutive, consecutive]);
  // From the beginning again is no jump, nor is what an open does after its first access; and who sets no place, reads on.
  expect(placed([500, 0, 500, 0])).toEqual([consecutive, consecutive, strided, consecutive]);
  const several = new AccessPattern(opens(2), 1);
  const pairs = [0, 1].flatMap((handle) => [500, 510].map((offset) => several.next(handle, 0, offset, 10, true)));
  expect(pairs).toEqual(pairs.map(() => consecutive));
  const appending = new AccessPattern(opens(2), 1);
  expect([30, 90].map((offset, handle) => appending.next(handle, 0, offset, 10, false))).toEqual([
    consecutive,
    consecutive,
  ]);
});

const PLAIN = { appends: false, isEnd: false, process: 0, place: 0 };

function needsCall(buffer: Coalescing, handle: number, offset: number, bytes: number, access = PLAIN): boolean {
  const { appends, isEnd, process, place } = access;
  return buffer.needsCall(handle, offset, bytes, appends, isEnd, process, place);
}

test('a buffer joins what begins where the last access ended, as long as it has room', () => {
  const buffer = new Coalescing(2, 100);
  const calls = [
    [0, 0, 60],
    [0, 60, 40],
    [0, 100, 10],
    [0, 200, 10],
    [1, 210, 10],
    [0, 210, 10],
    [0, 220, 500],
    [0, 720, 10],
  ].map(([handle, offset, bytes]) => needsCall(buffer, handle!, offset!, bytes!));
  expect(calls).toEqual([true, false, true, true, true, false, true, true]);
  // Appended, wherever that is.
  const appends = { ...PLAIN, appends: true };
  expect([needsCall(buffer, 1, NaN, 10, appends), needsCall(buffer, 1, NaN, 10)]).toEqual([false, true]);
});

test('the call for a full buffer counts once for each place with a part in it', () => {
  const buffer = new Coalescing(1, 100);
  const calls = [NONE, 1, 2, 1, 2, 1, 2].map((place, i) => needsCall(buffer, 0, i * 20, 20, { ...PLAIN, place }));
  expect(calls).toEqual([false, true, true, false, false, true, true]);
});

test('each process has a buffer of its own', () => {
  const buffer = new Coalescing(1, 100);
  const calls = [0, 0, 1, 0].map((process, i) => needsCall(buffer, 0, i * 10, 10, { ...PLAIN, process }));
  expect(calls).toEqual([true, false, true, true]);
});

test('what was not there yet when a file was read to its end needs a call of its own', () => {
  const buffer = new Coalescing(1, 100);
  const calls = [0, 10, 20].map((offset) => needsCall(buffer, 0, offset, 10, { ...PLAIN, isEnd: true }));
  expect(calls).toEqual([true, true, true]);
});

async function totals(lines: readonly string[]): Promise<(metric: Metric) => number> {
  const text = lines.map((line, i) => `7 1795252180.${String(i).padStart(6, '0')} ${line} <0.000010>\n`).join('');
  const trace = await readStrace([memoryFile('t', text)]);
  const metrics = measure(trace, NO_SITES, ignoredFiles(trace.files));
  return (metric) => {
    let sum = 0;
    for (let cell = 0; cell < metrics.cells.length; cell++) sum += metrics.cells.get(cell, metric);
    return sum;
  };
}

test('syncs count the writes before them, reopens need an earlier open, seeks an access behind them', async () => {
  const get = await totals([
    'openat(AT_FDCWD</w>, "a", O_RDWR) = 3</w/a>',
    'write(3</w/a>, "x", 10) = 10',
    'fsync(3</w/a>) = 0',
    'fsync(3</w/a>) = 0',
    'lseek(3</w/a>, 0, SEEK_SET) = 0',
    'read(3</w/a>, "x", 10) = 10',
    'lseek(3</w/a>, 0, SEEK_SET) = 0',
    'close(3</w/a>) = 0',
    'openat(AT_FDCWD</w>, "a", O_RDWR) = 3</w/a>',
    'close(3</w/a>) = 0',
  ]);
  expect([get('syncs'), get('writeSyncs'), get('syncedWrites')]).toEqual([2, 1, 1]);
  expect([get('opens'), get('reopens'), get('closes'), get('recloses')]).toEqual([2, 1, 2, 1]);
  expect([get('seeks'), get('accessSeeks')]).toEqual([2, 1]);
});

test('a seek may be for several accesses, and is none for one that names its offset', async () => {
  const seek = 'lseek(3</w/a>, 0, SEEK_SET) = 0';
  const read = 'read(3</w/a>, "x", 10) = 10';
  const get = await totals([
    'openat(AT_FDCWD</w>, "a", O_RDWR) = 3</w/a>',
    ...[seek, read, seek, read, read, read, seek, read],
    ...[seek, 'pread64(3</w/a>, "x", 10, 90) = 10', seek],
  ]);
  expect([get('seeks'), get('accessSeeks'), get('sharedSeeks')]).toEqual([5, 3, 1]);
});

test('a read that finds the end of the file is no small read; a short one that asked for much is none either', async () => {
  const get = await totals([
    'openat(AT_FDCWD</w>, "a", O_RDWR) = 3</w/a>',
    'read(3</w/a>, "x", 65536) = 20',
    'read(3</w/a>, "", 65536) = 0',
    'read(3</w/a>, "", 10) = 0',
    'read(3</w/a>, "x", 10) = 10',
  ]);
  expect([get('reads'), get('tinyReads'), get('smallReads')]).toEqual([4, 1, 2]);
});

test('appends are consecutive although their offsets are unknown', async () => {
  const get = await totals([
    'openat(AT_FDCWD</w>, "a", O_WRONLY|O_APPEND) = 3</w/a>',
    'write(3</w/a>, "x", 10) = 10',
    'write(3</w/a>, "x", 10) = 10',
  ]);
  expect([get('consecutiveWrites'), get('placelessWrites')]).toEqual([2, 0]);
});

test('the system’s files, pipes and sockets do not count', async () => {
  const text = [
    '/etc/passwd',
    '/usr/lib/libx.so.1',
    '/w/libmine.so',
    '/w/data.bin',
    'pipe:[1]',
    'UNIX:[2]',
    '/dev/shm/x',
    '/memfd:a',
  ]
    .map((file, i) => `7 1795252180.00000${i} read(3<${file}>, "x", 1) = 1 <0.1>\n`)
    .join('');
  const trace = await readStrace([memoryFile('t', text)]);
  const ignored = ignoredFiles(trace.files);
  expect(trace.files.files.filter((_, file) => counts(ignored, file)).map(({ path }) => path)).toEqual(['/w/data.bin']);
});

test('the tracer’s part is that of the cheapest call, not of the few that ran on cold caches', async () => {
  const call = (text: string, microseconds: number): string => `7 1795252180.5 ${text} <0.0000${microseconds}>\n`;
  const cold = call('fstat(3</lib/x>, {st_size=1}) = 0', 40).repeat(10);
  const trace = await readStrace([memoryFile('t', cold + call('write(4</w/a>, "x", 1) = 1', 10).repeat(100))]);
  expect(tracerOverhead(trace, 1_000_000, 100)).toEqual({ perCallNs: 9800, share: 0.98 });
  // Too few of a kind to be sure: they are better than nothing.
  const short = await readStrace([memoryFile('t', call('write(4</w/a>, "x", 1) = 1', 10))]);
  expect(tracerOverhead(short, 10_000, 1).perCallNs).toBe(9800);
  const untimed = await readStrace([memoryFile('t', '7 1795252180.5 write(4</w/a>, "x", 1) = 1\n')]);
  expect(tracerOverhead(untimed, 0, 1)).toEqual({ perCallNs: NaN, share: NaN });
});
