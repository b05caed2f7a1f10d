import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCapture } from '../../src/readers/capture/capture-reader.ts';
import { LAYERS } from '../../src/trace/calls.ts';
import { EVENT_FLAGS, NONE, type EventColumn } from '../../src/trace/events.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { memoryFile } from '../support/memory-file.ts';
import { freshFolder, has, open, run } from '../support/programs.ts';
import { sharedRecorder } from '../support/recorder/recorder-runs.ts';
import { expectSound } from '../support/sound-trace.ts';

/**
 * The layer MPI-IO of the recorder library under the MPI libraries that are here: programs that say themselves what they
 * called, how many bytes they moved and where, are recorded and compared.
 */
const LIBRARIES = ['openmpi', 'mpich'] as const;
type Library = (typeof LIBRARIES)[number];
const sources = path.resolve(import.meta.dirname, '../programs/mpi-io');
const folder = freshFolder('recorder-mpi');
let preloaded = '';

const here = LIBRARIES.filter(
  (library) => process.platform === 'linux' && has(`mpicc.${library}`, `mpirun.${library}`),
);
if (here.length < LIBRARIES.length)
  console.warn(`MPI-IO is recorded with: ${here.join(', ') || 'none, there is no MPI'}`); // oxlint-disable-line no-console

interface Run {
  readonly status: number | null;
  /** What the program left in its folder, by name. */
  readonly files: Map<string, string>;
  readonly output: string;
}

let runs = 0;

/** Runs a program with FOLDER/data and FOLDER/list as its arguments. */
function start(library: Library, ranks: number, command: readonly string[], more: Record<string, string> = {}): Run {
  const place = path.join(folder, `run-${runs++}`);
  mkdirSync(place);
  const launcher = library === 'openmpi' ? ['--allow-run-as-root', '--oversubscribe'] : [];
  const { LD_PRELOAD, IOLENS_RECORDING, ...environment } = more;
  const recorded =
    LD_PRELOAD === undefined ? [] : ['env', `LD_PRELOAD=${LD_PRELOAD}`, `IOLENS_RECORDING=${IOLENS_RECORDING}`];
  const options = [...launcher, '-n', String(ranks), ...recorded, ...command, path.join(place, 'data')];
  const { status, stdout, stderr } = spawnSync(`mpirun.${library}`, [...options, path.join(place, 'list')], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, ...environment },
  });
  // ROMIO's files of shared pointers have random names.
  const names = readdirSync(place).filter((name) => !name.startsWith('.'));
  const files = new Map(names.map((name) => [name, readFileSync(path.join(place, name), 'latin1')]));
  return { status, files, output: stdout + stderr };
}

interface Recorded extends Run {
  readonly trace: Trace;
  /** One of its files. */
  readonly recording: string;
}

async function record(
  library: Library,
  ranks: number,
  command: readonly string[],
  more: Record<string, string> = {},
): Promise<Recorded> {
  const recording = path.join(folder, `recording-${runs}`);
  const done = start(library, ranks, command, { ...more, LD_PRELOAD: preloaded, IOLENS_RECORDING: recording });
  const names = existsSync(recording) ? readdirSync(recording) : [];
  const trace = await readCapture(
    names.map((name) => memoryFile(name, new Uint8Array(readFileSync(path.join(recording, name))))),
  );
  expectSound(trace);
  return { ...done, trace, recording: path.join(recording, names[0]!) };
}

const binaryOf = (library: Library, name: string): string => path.join(folder, `${name}.${library}`);

function compile(library: Library, name: string, source: string, ...options: string[]): string {
  const binary = binaryOf(library, name);
  const compiler = source.endsWith('.c') ? `mpicc.${library}` : `mpif90.${library}`;
  run(folder, compiler, '-g', '-O1', ...options, '-o', binary, path.join(sources, source), '-pthread');
  return binary;
}

/** Of the first MPI_File_write_at in calls.c. */
const WRITE_AT_LINE =
  readFileSync(path.join(sources, 'calls.c'), 'utf8')
    .split('\n')
    .findIndex((line) => line.includes('MPI_File_write_at(')) + 1;

/* ---- what was recorded ---- */

const MPI_IO = LAYERS.indexOf('MPI-IO');
const POSIX = LAYERS.indexOf('POSIX');

/** Rows of a layer by rank, in the order in which the calls began. */
function rowsByRank({ events, streams }: Trace, layer: number): number[][] {
  const rows: number[][] = [];
  for (let row = 0; row < events.length; row++) {
    if (events.value('layer', row) !== layer) continue;
    const { rank } = streams[events.value('stream', row)]!;
    (rows[rank!] ??= []).push(row);
  }
  return rows;
}

function nameOf({ events, calls }: Trace, row: number): string {
  return calls.names[events.value('call', row)]!;
}

/** A call as the programs write it down. */
function lineOf(trace: Trace, row: number): string {
  const value = (column: EventColumn): number => {
    const found = trace.events.value(column, row);
    return Number.isNaN(found) ? -1 : found;
  };
  const asked = value('requested');
  return [nameOf(trace, row), asked, asked < 0 ? -1 : value('bytes'), value('offset')].join(' ');
}

function listing(files: Map<string, string>, rank: number): string[] {
  return files.get(`list.${rank}`)!.trim().split('\n');
}

function countNames(trace: Trace, rows: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[nameOf(trace, row)] = (counts[nameOf(trace, row)] ?? 0) + 1;
  return counts;
}

/** Compares all ranks with what they said; returns how many calls that were. */
function expectListed({ trace, files, status, output }: Recorded, ranks: number): number {
  expect(status, output).toBe(0);
  const rows = rowsByRank(trace, MPI_IO);
  expect(rows.length).toBe(ranks);
  for (let rank = 0; rank < ranks; rank++)
    expect(
      rows[rank]!.map((row) => lineOf(trace, row)),
      `rank ${rank}`,
    ).toEqual(listing(files, rank));
  return rows.flat().length;
}

/** The calls of POSIX below independent accesses without a view move the same bytes at the same place. */
function expectLinked(trace: Trace): void {
  const { events } = trace;
  const below = new Map<number, number[]>();
  for (const row of rowsByRank(trace, POSIX).flat()) {
    const parent = events.value('parent', row);
    if (parent !== NONE && /read|write/.test(nameOf(trace, row)))
      below.set(parent, [...(below.get(parent) ?? []), row]);
  }
  let linked = 0;
  for (const row of rowsByRank(trace, MPI_IO).flat()) {
    if (!/^MPI_File_(read|write)(_at)?$/.test(nameOf(trace, row)) || events.value('bytes', row) === 0) continue;
    const rows = (below.get(row) ?? []).filter((of) => events.value('file', of) === events.value('file', row));
    const moved = rows.reduce((sum, of) => sum + events.value('bytes', of), 0);
    expect([moved, Math.min(...rows.map((of) => events.value('offset', of)))], lineOf(trace, row)).toEqual([
      events.value('bytes', row),
      events.value('offset', row),
    ]);
    linked++;
  }
  expect(linked).toBeGreaterThan(0);
}

describe.skipIf(here.length === 0)('MPI-IO by the recorder library', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    preloaded = await sharedRecorder();
    for (const library of here) {
      compile(library, 'calls', 'calls.c');
      compile(library, 'odd', 'odd.c');
    }
  }, 120_000);

  describe.each(here)('%s', (library) => {
    test('every function: counts, bytes, offsets, and the program goes on as without', async () => {
      const command = [binaryOf(library, 'calls')];
      const plain = start(library, 4, command);
      const recorded = await record(library, 4, command);
      expect([plain.status, recorded.status]).toEqual([0, 0]);
      expect([...recorded.files].filter(([name, text]) => plain.files.get(name) !== text)).toEqual([]);
      expect(expectListed(recorded, 4)).toBe(4 * listing(plain.files, 0).length);
      expectLinked(recorded.trace);
      expect(recorded.trace.damage).toEqual([]);
      const { sites } = (await open(recorded.recording, sources)).callSites();
      expect(sites.map(({ file, line }) => [path.basename(file), line])).toContainEqual(['calls.c', WRITE_AT_LINE]);
    });

    test('flags, errors, communicators and the views of files', async () => {
      const { trace } = await record(library, 4, [binaryOf(library, 'calls')], { IOLENS_LAYERS: 'mpi-io' });
      const { events } = trace;
      const [first] = rowsByRank(trace, MPI_IO);
      const flagged = (flag: number): Set<string> =>
        new Set(first!.filter((row) => (events.value('flags', row) & flag) !== 0).map((row) => nameOf(trace, row)));
      const collective = flagged(EVENT_FLAGS.collective);
      expect(collective).toContain('MPI_File_iread_at_all');
      expect(collective).toContain('MPI_File_write_ordered');
      expect(collective).not.toContain('MPI_File_write_shared');
      expect(flagged(EVENT_FLAGS.nonBlocking).size).toBe(16);
      expect(flagged(EVENT_FLAGS.neverReturned).size).toBe(0);
      const failed = first!.filter((row) => events.value('error', row) !== 0);
      expect(countNames(trace, failed)).toEqual({ MPI_File_open: 1, MPI_File_write_at: 2 });
      const opens = rowsByRank(trace, MPI_IO).map((rows) =>
        rows
          .filter((row) => nameOf(trace, row) === 'MPI_File_open' && events.value('error', row) === 0)
          .map((row) => trace.definitions!.communicators[trace.handles.communicator.at(events.value('handle', row))]!)
          .map(({ name, members }) => `${name} ${members.map((stream) => trace.streams[stream]!.rank).join(',')}`),
      );
      const self = Array.from({ length: 3 }, () => 'MPI_COMM_SELF ');
      expect(opens).toEqual([
        ['MPI_COMM_WORLD 0,1,2,3', 'block 0,1', 'stride 0,2', ...self],
        ['MPI_COMM_WORLD 0,1,2,3', 'block 0,1', 'stride 1,3', ...self],
        ['MPI_COMM_WORLD 0,1,2,3', 'block 2,3', 'stride 0,2', ...self],
        ['MPI_COMM_WORLD 0,1,2,3', 'block 2,3', 'stride 1,3', ...self],
      ]);
    });

    const withFortran = has(`mpif90.${library}`, 'gfortran');
    test.skipIf(!withFortran).each([
      ["include 'mpif.h'", 'calls_mpif.F90', []],
      ['use mpi', 'calls_mpif.F90', ['-DUSE_MPI']],
      ['use mpi_f08', 'calls_f08.f90', []],
    ] as const)('Fortran: %s', async (name, source, options) => {
      // GCC 10 and later refuse buffers of several types; MPI's old interfaces are made of them.
      const binary = compile(library, `fortran-${name.replace(/\W/g, '')}`, source, '-w', ...options);
      const recorded = await record(library, 4, [binary]);
      expect(expectListed(recorded, 4)).toBe(48);
    });

    test('threads that write to files of their own', async () => {
      const { trace, status } = await record(library, 2, [binaryOf(library, 'odd'), 'threads']);
      expect(status).toBe(0);
      for (const rows of rowsByRank(trace, MPI_IO))
        expect(countNames(trace, rows)).toEqual({
          ...{ MPI_File_open: 4, MPI_File_write: 800, MPI_File_iwrite_at: 800, MPI_File_close: 4 },
        });
      expectLinked(trace);
      expect(trace.damage).toEqual([]);
    });

    test.skipIf(library !== 'mpich')('counts of 64 bits', async () => {
      const { trace } = await record(library, 1, [binaryOf(library, 'odd'), 'large']);
      expect(rowsByRank(trace, MPI_IO)[0]!.map((row) => lineOf(trace, row))).toEqual([
        'MPI_File_open -1 -1 -1',
        'MPI_File_write_at_c 64 64 0',
        'MPI_File_write_c 64 64 0',
        'MPI_File_iread_at_c 64 64 0',
        'MPI_File_close -1 -1 -1',
      ]);
    });

    test('more transfers at once than are kept', async () => {
      const { trace, status } = await record(library, 2, [binaryOf(library, 'odd'), 'many']);
      expect(status).toBe(0);
      const rows = rowsByRank(trace, MPI_IO)[0]!.filter((row) => nameOf(trace, row) === 'MPI_File_iwrite_at');
      expect(rows.length).toBe(20_000);
      expect(rows.reduce((sum, row) => sum + trace.events.value('bytes', row), 0)).toBe(20_000);
      expect(trace.damage).toEqual([]);
    });

    test.each(['abort', 'fatal'])('%s ends the program as without', async (kind) => {
      const plain = start(library, 2, [binaryOf(library, 'odd'), kind]);
      const { trace, status } = await record(library, 2, [binaryOf(library, 'odd'), kind]);
      expect(plain.status).not.toBe(0);
      expect(status).toBe(plain.status);
      const counts = rowsByRank(trace, MPI_IO).map((rows) => countNames(trace, rows));
      expect(counts).toContainEqual({ MPI_File_open: 1, MPI_File_write: kind === 'abort' ? 3 : 1 });
    });
  });

  const romio = here.includes('openmpi') && run(folder, 'ompi_info', '--param', 'io', 'all').includes('romio');
  test.skipIf(!romio)('Open MPI with ROMIO', async () => {
    const recorded = await record('openmpi', 4, [binaryOf('openmpi', 'calls'), 'older'], { OMPI_MCA_io: '^ompio' });
    expectListed(recorded, 4);
    expectLinked(recorded.trace);
  });

  const python = '/usr/bin/python3';
  const hasModule = here.includes('openmpi') && spawnSync(python, ['-c', 'from mpi4py import MPI']).status === 0;
  test.skipIf(!hasModule)('Python, whose MPI library nobody else sees', async () => {
    const recorded = await record('openmpi', 4, [python, path.join(sources, 'calls.py')]);
    expect(expectListed(recorded, 4)).toBe(28);
  });
});
