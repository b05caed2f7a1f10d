import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { absent, corpus } from '../../../test/support/corpus.ts';
import { contentOfFolder, readFolder } from '../../../test/support/recorder/recorder-folder.ts';
import { LAYERS, OPERATIONS, type Operation } from '../../trace/calls.ts';
import { EVENT_FLAGS, LINKS, LOCK_KIND, NONE, OPEN_MODE, type EventColumn } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';

/** Reads and writes by layer and direction: `POSIX WRITE`. */
type Sums = Record<string, { ops: number; bytes: number }>;

function sumsOf({ events, calls }: Trace): Sums {
  const sums: Sums = {};
  for (let row = 0; row < events.length; row++) {
    const operation = OPERATIONS[calls.operation[events.value('call', row)]!]!;
    if (operation !== 'read' && operation !== 'write') continue;
    const key = `${LAYERS[events.value('layer', row)]!} ${operation.toUpperCase()}`;
    const sum = (sums[key] ??= { ops: 0, bytes: 0 });
    sum.ops++;
    sum.bytes += events.value('bytes', row);
  }
  return sums;
}

/** The same of an OTF2 archive of the same program. */
function expectedSums(file: string): Sums {
  const { byParadigm } = JSON.parse(readFileSync(file, 'utf8')) as {
    byParadigm: Record<string, Record<string, { ops: number; bytesResult: number }>>;
  };
  return Object.fromEntries(
    Object.entries(byParadigm).flatMap(([layer, kinds]) =>
      Object.entries(kinds).map(([kind, { ops, bytesResult }]) => [`${layer} ${kind}`, { ops, bytes: bytesResult }]),
    ),
  );
}

/** Values of a column for the calls of a name. */
function column(trace: Trace, call: string, name: EventColumn): number[] {
  const values: number[] = [];
  for (let row = 0; row < trace.events.length; row++) {
    if (trace.calls.names[trace.events.value('call', row)] === call) values.push(trace.events.value(name, row));
  }
  return values;
}

const read = (name: string): Promise<Trace> => readFolder(contentOfFolder(corpus(`recorder/${name}`)!));
const large = corpus('recorder/btio_simple');

describe('traces of our own programs', () => {
  test.for(['btio_simple', 'btio_full'])(
    '%s moves what the OTF2 archive of the same program says',
    async (name, { skip }) => {
      const expected = corpus(`otf2/${name}/expected.json`);
      const isHere = expected !== undefined && corpus(`recorder/${name}`) !== undefined;
      if (!isHere) {
        skip(absent(`otf2/${name}`));
        return;
      }
      const trace = await read(name);
      expect(sumsOf(trace)).toEqual(expectedSums(expected));
      expect(trace.damage).toEqual([]);
    },
  );

  test.skipIf(large === undefined)(
    `each small write of btio_simple is the child of one call of MPI-IO, at the same place (else: ${absent('recorder/btio_simple')})`,
    async () => {
      const trace = await read('btio_simple');
      const { events, handles } = trace;
      expect(sumsOf(trace)['POSIX WRITE']).toEqual({ ops: 8192, bytes: 8192 * 640 });
      let children = 0;
      for (let row = 0; row < events.length; row++) {
        if (trace.calls.names[events.value('call', row)] !== 'pwrite') continue;
        const parent = events.value('parent', row);
        expect(trace.calls.names[events.value('call', parent)]).toBe('MPI_File_write_at');
        expect(LINKS[events.value('link', row)]).toBe('nesting');
        expect(events.value('offset', row)).toBe(events.value('offset', parent));
        expect(events.value('stream', row)).toBe(events.value('stream', parent));
        expect(events.value('start', row)).toBeGreaterThanOrEqual(events.value('start', parent));
        expect(handles.parent.at(events.value('handle', row))).toBe(events.value('handle', parent));
        children++;
      }
      expect(children).toBe(8192);
    },
  );

  test('collective writes: one rank writes what four hand over', async () => {
    const trace = await read('collective_write');
    expect(sumsOf(trace)).toEqual({
      'MPI-IO WRITE': { ops: 16, bytes: 16 << 20 },
      'POSIX WRITE': { ops: 4, bytes: 16 << 20 },
    });
    const flags = column(trace, 'MPI_File_write_at_all', 'flags');
    expect(flags.every((bits) => (bits & EVENT_FLAGS.collective) !== 0)).toBe(true);
    expect(new Set(column(trace, 'pwrite', 'stream'))).toEqual(new Set([0]));
    expect(column(trace, 'pwrite', 'offset')).toEqual([0, 1, 2, 3].map((step) => step * 4 * 2 ** 20));
    expect(column(trace, 'MPI_File_open', 'argument')).toEqual(Array(4).fill(1 | OPEN_MODE.create));
    expect(trace.streams.map(({ rank }) => rank)).toEqual([0, 1, 2, 3]);
    const { communicators } = trace.definitions!;
    expect(communicators).toEqual([{ name: 'MPI_COMM_WORLD', members: [0, 1, 2, 3], parent: NONE, isSelf: false }]);
    const [handle] = column(trace, 'MPI_File_open', 'handle');
    expect(trace.handles.communicator.at(handle!)).toBe(0);
    expect(LAYERS[trace.handles.layer.at(handle!)]).toBe('MPI-IO');
  });

  test('ranks that were compressed together hold the same calls', async () => {
    const [apart, together] = [await read('collective_write'), await read('collective_write_ipc')];
    const offsets = (trace: Trace): number[] => column(trace, 'MPI_File_write_at_all', 'offset');
    expect(offsets(together)).toEqual(offsets(apart));
    expect(sumsOf(together)).toEqual(sumsOf(apart));
  });

  test('a derived view hides offsets, and a note says so', async () => {
    const trace = await read('btio_full');
    expect(column(trace, 'MPI_File_write_at_all', 'offset')).toEqual(Array(16).fill(NaN));
    expect(column(trace, 'pwrite', 'offset')).toEqual([0, 1, 2, 3].map((step) => step * 1310720));
    expect(trace.notes.join('\n')).toMatch(/unknown offset .*: 16 of MPI-IO/);
  });

  test('HDF5: a call of unknown size with the calls that it makes, all of one file', async () => {
    const trace = await read('hdf5_chunked');
    const { events } = trace;
    const sums = sumsOf(trace);
    expect(sums['HDF5 WRITE']).toEqual({ ops: 1, bytes: 0 });
    expect(sums['POSIX WRITE']?.ops).toBeGreaterThan(64);
    expect(column(trace, 'H5Dwrite', 'requested')).toEqual([NaN]);
    const [write] = Array.from({ length: events.length }, (_, row) => row).filter(
      (row) => trace.calls.names[events.value('call', row)] === 'H5Dwrite',
    );
    const children = column(trace, 'pwrite', 'parent').filter((parent) => parent === write);
    expect(children).toHaveLength(56);
    // The other chunks stay in HDF5's cache until the data set is closed.
    const makers = column(trace, 'pwrite', 'parent').map((row) => trace.calls.names[events.value('call', row)]);
    expect(makers.filter((name) => name === 'H5Dclose')).toHaveLength(8);
    const handle = events.value('handle', write!);
    expect(LAYERS[trace.handles.layer.at(handle)]).toBe('HDF5');
    expect(trace.files.at(events.value('file', write!)).path).toBe('/tmp/scratch/rec/sim.h5');
    // What works on no file has none: data spaces and property lists.
    expect(column(trace, 'H5Screate_simple', 'file')).toEqual([NONE]);
    expect(trace.notes.join('\n')).toMatch(/unknown size.*: 2 of HDF5/);
  });

  test('append, locks, seeks, duplicates and messages', async () => {
    const trace = await read('meta');
    expect(column(trace, 'fcntl(F_SETLK)', 'argument').slice(0, 2)).toEqual([
      LOCK_KIND.tryExclusive,
      LOCK_KIND.release,
    ]);
    const operation = (call: string): Operation => OPERATIONS[trace.calls.operation[trace.calls.find(call)!]!]!;
    expect([operation('fcntl(F_SETLK)'), operation('fcntl')]).toEqual(['lock', 'other']);
    expect(column(trace, 'lseek', 'argument').slice(0, 2)).toEqual([0, 2]);
    // The file was there before, so nobody knows its end; behind the seek to its beginning all is known again.
    expect(column(trace, 'write', 'flags')[0]).toBe(EVENT_FLAGS.append);
    expect(column(trace, 'write', 'offset')[0]).toBeNaN();
    expect(column(trace, 'read', 'offset').slice(0, 2)).toEqual([0, NaN]);
    // A second file is made anew by O_EXCL.
    expect(column(trace, 'write', 'offset').slice(2, 5)).toEqual([0, 47, 94]);
    const handles = column(trace, 'close', 'handle');
    expect(handles[0]).toBe(handles[1]);
    const messages = trace.messages!;
    const all = Array.from({ length: messages.length }, (_, row) => messages.at(row));
    expect(
      all
        .filter(({ kind }) => kind === 'receive')
        .map(({ stream, peer, tag, receivedBytes }) => [stream, peer, tag, receivedBytes]),
    ).toEqual([
      [0, 1, 7, 4],
      [0, 2, 7, 4],
    ]);
    expect(all.filter(({ kind }) => kind === 'send').map(({ stream, peer }) => [stream, peer])).toEqual([
      [1, 0],
      [2, 0],
    ]);
    expect(
      all
        .filter(({ operation: name }) => name === 'broadcast')
        .map(({ sentBytes, receivedBytes }) => [sentBytes, receivedBytes]),
    ).toEqual([
      [4, 0],
      [0, 4],
      [0, 4],
    ]);
  });

  test('functions hold all calls, each with its caller', async () => {
    const trace = await read('hdf5_chunked');
    const { functions } = trace;
    expect(functions!.length).toBe(163);
    const roles = new Map(functions!.functions.map(({ name, role }) => [name, role]));
    expect([roles.get('pwrite'), roles.get('H5Fcreate'), roles.get('MPI_Barrier'), roles.get('MPI_Comm_rank')]).toEqual(
      ['I/O', 'metadata', 'synchronisation', 'communication'],
    );
    const name = (row: number): string => functions!.functions[functions!.function.at(row)]!.name;
    const callers = new Set<string>();
    for (let row = 0; row < functions!.length; row++) {
      if (name(row) === 'pread') callers.add(name(functions!.caller.at(row)));
    }
    expect(callers).toContain('H5Dread');
  });
});
