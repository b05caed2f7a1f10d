import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { absent, corpus } from '../../../test/support/corpus.ts';
import { readArchive } from '../../../test/support/otf2/otf2-archives.ts';
import { LAYERS, OPERATIONS } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';

const ARCHIVES = [
  'meta_locks',
  'aio_nonblocking',
  'collective_write_agg',
  'data_sieving_read',
  'hl_write_split',
  'btio_full',
  'btio_simple',
];

interface Sums {
  ops: number;
  bytesRequest: number;
  bytesResult: number;
  ticks: number;
}

/** What OTF2's own library says of an archive (shared/data/otf2/src/expect.py). */
interface Expected {
  readonly clock: { readonly ticksPerSecond: number; readonly globalOffset: number; readonly traceLength: number };
  readonly byParadigm: Readonly<Record<string, Readonly<Record<string, Sums>>>>;
  readonly byParadigmAndRank: Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, { readonly ops: number; readonly bytes: number }>>>>>
  >;
  readonly collectiveBegins: number;
  readonly nonBlockingBegins: number;
  readonly unmatchedBegins: number;
  readonly eventsByType: Readonly<Record<string, number>>;
  readonly files: readonly string[];
  readonly handles: readonly {
    readonly name: string;
    readonly file: string | null;
    readonly paradigm: string;
    readonly parentIndex: number | null;
    readonly ops: number;
    readonly bytesResult: number;
  }[];
  readonly requestSizeCounts: Readonly<Record<string, number>>;
  readonly regionCalls: Readonly<Record<string, number>>;
  readonly regionInclusiveTicks: Readonly<Record<string, number>>;
  readonly regionExclusiveTicks: Readonly<Record<string, number>>;
  readonly lastTimestamp: number;
}

const MODES: Readonly<Record<string, string>> = { read: 'READ', write: 'WRITE', sync: 'FLUSH' };

interface Row {
  readonly row: number;
  readonly operation: string;
  readonly paradigm: string;
  readonly [column: string]: number | string;
}

function rowsOf(trace: Trace): Row[] {
  return Array.from({ length: trace.events.length }, (_, row) => {
    const value = (column: Parameters<typeof trace.events.value>[0]): number => trace.events.value(column, row);
    const columns = [
      'start',
      'duration',
      'bytes',
      'requested',
      'handle',
      'stream',
      'flags',
      'layer',
      'argument',
    ] as const;
    return {
      row,
      operation: OPERATIONS[trace.calls.operation[value('call')]!]!,
      paradigm: LAYERS[value('layer')]!,
      ...Object.fromEntries(columns.map((column) => [column, value(column)])),
    };
  });
}

/** Rows that stand for an operation of the archive, not for a function without a record. */
function operations(rows: readonly Row[]): Row[] {
  return rows.filter(
    ({ operation, requested, handle }) =>
      operation in MODES && handle !== NONE && (operation === 'sync' || !Number.isNaN(requested)),
  );
}

const total = (sums: Record<string, number>, key: string, value = 1): void => {
  sums[key] = (sums[key] ?? 0) + value;
};

describe.each(ARCHIVES)('the archive %s', (name) => {
  const folder = corpus(`otf2/${name}`);
  const given = test.skipIf(folder === undefined);

  const load = async (): Promise<{ trace: Trace; expected: Expected; rows: Row[] }> => {
    const expected = JSON.parse(readFileSync(path.join(folder!, 'expected.json'), 'utf8')) as Expected;
    const trace = await readArchive(folder!);
    return { trace, expected, rows: rowsOf(trace) };
  };

  given(
    folder === undefined
      ? absent(`otf2/${name}`)
      : 'has the operations that the library counts, by paradigm, mode and rank',
    async () => {
      const { trace, expected, rows } = await load();
      const sums: Record<string, Record<string, Sums>> = {};
      const ranks: Record<string, Record<string, Record<string, { ops: number; bytes: number }>>> = {};
      const sizes: Record<string, number> = {};
      for (const row of operations(rows)) {
        const mode = MODES[row.operation]!;
        const sum = ((sums[row.paradigm] ??= {})[mode] ??= { ops: 0, bytesRequest: 0, bytesResult: 0, ticks: 0 });
        const requested = mode === 'FLUSH' ? 0 : Number(row['requested']);
        sum.ops++;
        sum.bytesRequest += requested;
        sum.bytesResult += Number(row['bytes']);
        sum.ticks += Number(row['duration']);
        const rank = `MPI Rank ${trace.streams[Number(row['stream'])]!.rank!}`;
        const ofRank = (((ranks[row.paradigm] ??= {})[mode] ??= {})[rank] ??= { ops: 0, bytes: 0 });
        ofRank.ops++;
        ofRank.bytes += Number(row['bytes']);
        total(sizes, `${row.paradigm} ${mode} ${requested}`);
      }
      expect(sums).toEqual(expected.byParadigm);
      expect(ranks).toEqual(expected.byParadigmAndRank);
      for (const [size, count] of Object.entries(expected.requestSizeCounts))
        expect([size, sizes[size]]).toEqual([size, count]);
      const flagged = (flag: number): number => operations(rows).filter((row) => Number(row['flags']) & flag).length;
      expect(flagged(EVENT_FLAGS.collective)).toBe(expected.collectiveBegins);
      expect(flagged(EVENT_FLAGS.nonBlocking)).toBe(expected.nonBlockingBegins);
      expect(flagged(EVENT_FLAGS.neverReturned)).toBe(expected.unmatchedBegins);
      expect(trace.damage).toEqual([]);
    },
  );

  given('has the handles, with files, parents and what moved through them', async () => {
    const { trace, expected, rows } = await load();
    const { handles, files, definitions } = trace;
    const found = expected.handles.map((_, index) => {
      const file = handles.file.at(index);
      const parent = handles.parent.at(index);
      const own = operations(rows).filter(({ handle }) => handle === index);
      return {
        index,
        name: definitions!.handleNames.get(index) ?? '',
        file: file === NONE ? null : files.at(file).path,
        paradigm: LAYERS[handles.layer.at(index)],
        parentIndex: parent === NONE ? null : parent,
        ops: own.length,
        bytesResult: own.reduce((sum, { bytes }) => sum + Number(bytes), 0),
      };
    });
    expect(found).toEqual(expected.handles);
    expect(handles.length).toBe(expected.handles.length);
    expect(files.files.map((file) => file.path)).toEqual(expected.files);
  });

  given('has the functions, how often they were called and how long they took', async () => {
    const { trace, expected } = await load();
    const functions = trace.functions!;
    const [calls, inclusive, exclusive]: Record<string, number>[] = [{}, {}, {}];
    for (let row = 0; row < functions.length; row++) {
      const { name } = functions.functions[functions.function.at(row)]!;
      const duration = functions.duration.at(row);
      total(calls!, name);
      total(inclusive!, name, duration);
      total(exclusive!, name, duration);
      const caller = functions.caller.at(row);
      if (caller !== NONE) total(exclusive!, functions.functions[functions.function.at(caller)]!.name, -duration);
    }
    expect(calls).toEqual(expected.regionCalls);
    expect(inclusive).toEqual(expected.regionInclusiveTicks);
    expect(exclusive).toEqual(expected.regionExclusiveTicks);
    expect(functions.length).toBe(expected.eventsByType['Enter']);
    expect(trace.durationNs).toBe(expected.lastTimestamp - expected.clock.globalOffset);
  });

  given('has rows for records without data, and messages', async () => {
    const { trace, expected, rows } = await load();
    const count = (operation: string, test: (row: Row) => boolean = () => true): number =>
      rows.filter((row) => row.operation === operation && row['handle'] !== NONE && test(row)).length;
    const types = expected.eventsByType;
    expect(count('open', ({ argument }) => !Number.isNaN(argument))).toBe(types['IoCreateHandle'] ?? 0);
    expect(count('close')).toBe(types['IoDestroyHandle'] ?? 0);
    expect(count('seek')).toBe(types['IoSeek'] ?? 0);
    const locks = (types['IoAcquireLock'] ?? 0) + (types['IoReleaseLock'] ?? 0) + (types['IoTryLock'] ?? 0);
    expect(count('lock')).toBe(locks);
    const messages = Array.from({ length: trace.messages?.length ?? 0 }, (_, row) => trace.messages!.at(row).kind);
    const of = (kind: string): number => messages.filter((known) => known === kind).length;
    expect(of('send')).toBe(types['MpiSend'] ?? 0);
    expect(of('receive')).toBe(types['MpiRecv'] ?? 0);
    expect(of('collective')).toBe(types['MpiCollectiveEnd'] ?? 0);
  });

  given('has rows in the order of their start, parents before children, and no time twice', async () => {
    const { trace } = await load();
    const { events } = trace;
    const latest: number[] = [];
    for (let row = 0; row < events.length; row++) {
      const stream = events.value('stream', row);
      const start = events.value('start', row);
      expect(start).toBeGreaterThanOrEqual(latest[stream] ?? 0);
      latest[stream] = start;
      const parent = events.value('parent', row);
      if (parent === NONE) continue;
      expect(parent).toBeLessThan(row);
      const isPart = (events.value('flags', row) & EVENT_FLAGS.part) !== 0;
      expect(isPart || events.value('layer', parent) < events.value('layer', row)).toBe(true);
      if (isPart) continue;
      const end = events.value('start', parent) + events.value('duration', parent);
      const isBlocking = ((events.value('flags', parent) | events.value('flags', row)) & EVENT_FLAGS.nonBlocking) === 0;
      if (isBlocking) expect(start + events.value('duration', row)).toBeLessThanOrEqual(end);
    }
  });
});
