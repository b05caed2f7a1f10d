import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCapture } from '../src/readers/capture/capture-reader.ts';
import { libraryFrom } from '../src/session/recorder-source.ts';
import { LAYERS, type Layer } from '../src/trace/calls.ts';
import { EVENT_FLAGS, NONE } from '../src/trace/events.ts';
import type { Trace } from '../src/trace/trace.ts';
import { memoryFile } from './memory-file.ts';
import { freshFolder, has, open, run } from './programs.ts';
import { expectSound } from './sound-trace.ts';

/** The layers HDF5, NetCDF and PnetCDF of the recorder library: own programs, and those of Debian, recorded as they are. */
const sources = path.resolve(import.meta.dirname, 'programs/recorder-libraries');
const folder = freshFolder('recorder-libraries');
const debianPython = '/usr/bin/python3';
let preloaded = '';

beforeAll(async () => {
  const cacheFolder = path.join(tmpdir(), 'iolens-test-recorder');
  preloaded = (await libraryFrom({ folder: path.resolve(import.meta.dirname, '../src') }, { cacheFolder })).file;
}, 180_000);

/* ---- what is here ---- */

function succeeds(command: string, ...options: string[]): boolean {
  return spawnSync(command, options, { stdio: 'ignore' }).status === 0;
}

const isLinux = process.platform === 'linux' && has('cc', 'pkg-config');
const packages = (...names: string[]): boolean => isLinux && succeeds('pkg-config', '--exists', ...names);
const hasMpi = packages('netcdf-mpi', 'hdf5-openmpi', 'pnetcdf') && has('mpicc.openmpi', 'mpirun.openmpi');
const hasSerial = packages('netcdf', 'hdf5-serial');
const hasFortran = packages('netcdf-fortran', 'hdf5-serial') && has('gfortran');
const hasPython = isLinux && succeeds(debianPython, '-c', 'import h5py, netCDF4');
const hasTools = isLinux && ['h5ls', 'h5repack', 'h5dump', 'ncdump', 'nccopy'].every((tool) => has(tool));

const lacking = Object.entries({ hasMpi, hasSerial, hasFortran, hasPython, hasTools }).filter(([, is]) => !is);
// eslint-disable-next-line no-console
if (lacking.length > 0) console.warn(`Not recorded here: ${lacking.map(([what]) => what.slice(3)).join(', ')}`);

/* ---- compiling, running, recording ---- */

function flags(...packageNames: string[]): string[] {
  return run(folder, 'pkg-config', '--cflags', '--libs', ...packageNames)
    .trim()
    .split(/\s+/)
    .filter((flag) => flag !== '');
}

function compile(source: string, compiler: string, ...options: string[]): string {
  const binary = path.join(folder, path.parse(source).name);
  run(folder, compiler, '-g', '-O1', '-o', binary, path.join(sources, source), ...options);
  return binary;
}

interface Run {
  readonly status: number | null;
  readonly output: string;
  /** What the program left in its folder, by name. */
  readonly files: Record<string, string>;
}

interface Recorded {
  readonly plain: Run;
  readonly recorded: Run;
  readonly recording: string;
  readonly trace: Trace;
}

let runs = 0;

function start(place: string, command: readonly string[], environment: readonly string[], ranks: number): Run {
  const launcher = ['mpirun.openmpi', '--allow-run-as-root', '--oversubscribe', '--mca', 'io', 'romio321'];
  const launched = ranks === 0 ? [] : [...launcher, '-n', String(ranks)];
  const [first, ...rest] = [...launched, 'env', ...environment, ...command];
  const { status, stdout, stderr } = spawnSync(first!, rest, { cwd: place, encoding: 'utf8', timeout: 120_000 });
  const files = readdirSync(place).map((name) => [name, readFileSync(path.join(place, name), 'latin1')]);
  return { status, output: stdout + stderr, files: Object.fromEntries(files) as Record<string, string> };
}

/**
 * Runs a command twice in a folder of its own, without the recorder and with it.
 * @param ranks 0: without a launcher.
 */
async function record(
  command: readonly string[],
  { ranks = 0, prepare = (): void => undefined }: { ranks?: number; prepare?: (place: string) => void } = {},
): Promise<Recorded> {
  const name = path.join(folder, `run-${runs++}`);
  const recording = `${name}-recording`;
  for (const place of [`${name}-plain`, `${name}-recorded`]) {
    mkdirSync(place);
    prepare(place);
  }
  const plain = start(`${name}-plain`, command, [], ranks);
  const environment = [`LD_PRELOAD=${preloaded}`, `IOLENS_RECORDING=${recording}`];
  const recorded = start(`${name}-recorded`, command, environment, ranks);
  expect(plain.status, plain.output).toBe(0);
  expect(recorded.status, recorded.output).toBe(0);
  const names = existsSync(recording) ? readdirSync(recording) : [];
  const trace = await readCapture(
    names.map((file) => memoryFile(file, new Uint8Array(readFileSync(path.join(recording, file))))),
  );
  expectSound(trace);
  expect(trace.damage).toEqual([]);
  return { plain, recorded, recording, trace };
}

/* ---- what was recorded ---- */

function rowsOf(trace: Trace, layer: Layer, name?: RegExp): number[] {
  const { events, calls } = trace;
  const rows = Array.from({ length: events.length }, (_, row) => row);
  return rows.filter(
    (row) =>
      events.value('layer', row) === LAYERS.indexOf(layer) &&
      name?.test(calls.names[events.value('call', row)]!) !== false,
  );
}

const nameOf = ({ calls, events }: Trace, row: number): string => calls.names[events.value('call', row)]!;

function counts(trace: Trace, layer: Layer): Record<string, number> {
  const found: Record<string, number> = {};
  for (const row of rowsOf(trace, layer)) found[nameOf(trace, row)] = (found[nameOf(trace, row)] ?? 0) + 1;
  return found;
}

/** The name of what a call is on, as its handle has it. */
function objectOf({ events, definitions }: Trace, row: number): string {
  return definitions!.handleNames.get(events.value('handle', row)) ?? '';
}

function fileOf({ events, files }: Trace, row: number): string {
  const file = events.value('file', row);
  return file === NONE ? '' : path.basename(files.at(file).path);
}

/** `name object bytes file` of all transfers of a layer. */
function transfers(trace: Trace, layer: Layer): string[] {
  return rowsOf(trace, layer, /read|write|_i?b?m?(put|get)_/i).map((row) =>
    [nameOf(trace, row), objectOf(trace, row), trace.events.value('bytes', row), fileOf(trace, row)].join(' '),
  );
}

/** Bytes that a layer wrote inside of a call, however deep. */
function writtenWithin(trace: Trace, call: number, layer: Layer): number {
  const { events } = trace;
  let bytes = 0;
  for (const row of rowsOf(trace, layer, /write/)) {
    let above = row;
    while (above !== NONE && above !== call) above = events.value('parent', above);
    if (above === call) bytes += events.value('bytes', row);
  }
  return bytes;
}

/** Layers of the calls around a row, from itself outwards. */
function layersAround({ events }: Trace, row: number): string[] {
  const layers: string[] = [];
  for (let at = row; at !== NONE; at = events.value('parent', at)) {
    const layer = LAYERS[events.value('layer', at)]!;
    if (layers.at(-1) !== layer) layers.push(layer);
  }
  return layers;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

describe.skipIf(!hasMpi)('a program of all layers', () => {
  const RANKS = 2;
  const ROWS = 8;
  const COLUMNS = 32;
  const STEPS = 3;
  const FIELD = ROWS * COLUMNS * 8;
  let run2: Recorded;

  beforeAll(async () => {
    const multiarch = run(folder, 'cc', '-print-multiarch').trim();
    const headers = `-I/usr/lib/${multiarch}/netcdf/mpi/include`;
    const binary = compile('all_layers.c', 'mpicc.openmpi', headers, ...flags('netcdf-mpi', 'hdf5-openmpi', 'pnetcdf'));
    run2 = await record([binary, '.'], {
      ranks: RANKS,
      prepare: (place) => {
        writeFileSync(path.join(place, 'settings.txt'), `${ROWS}\n${COLUMNS}\n`);
      },
    });
  }, 180_000);

  test('says and leaves the same', () => {
    expect(run2.recorded).toEqual(run2.plain);
    expect(run2.plain.output).toContain('sum 321280.0');
  });

  test('is recorded in each, by each rank', () => {
    const { trace } = run2;
    expect(trace.definitions!.paradigms.map(({ name }) => name).sort()).toEqual(
      ['HDF5', 'MPI-IO', 'NetCDF', 'POSIX', 'PnetCDF', 'STDIO'].sort(),
    );
    expect(counts(trace, 'NetCDF')).toEqual({
      ...{ nc_create_par: 2, nc_def_dim: 6, nc_def_var: 4, nc_put_att_text: 2, nc_enddef: 2, nc_var_par_access: 2 },
      ...{ nc_put_vara_double: 2 * STEPS, nc_put_vara_schar: 2, nc_open_par: 2, nc_get_vara_double: 2, nc_close: 4 },
    });
    expect(counts(trace, 'PnetCDF')).toEqual({
      ...{ ncmpi_create: 2, ncmpi_def_dim: 4, ncmpi_def_var: 4, ncmpi_enddef: 2, ncmpi_iput_vara_double: 4 },
      ...{ ncmpi_wait_all: 2, ncmpi_put_vara_double_all: 2, ncmpi_close: 2 },
    });
    const ranks = rowsOf(trace, 'NetCDF').map((row) => trace.streams[trace.events.value('stream', row)]!.rank);
    expect(new Set(ranks)).toEqual(new Set([0, 1]));
  });

  test('with names and bytes', () => {
    const { trace } = run2;
    const twice = (lines: string[]): string[] => [...lines, ...lines].sort();
    const steps = Array.from({ length: STEPS }, () => `nc_put_vara_double temperature ${FIELD} fields.nc`);
    expect(transfers(trace, 'NetCDF').sort()).toEqual(
      twice([
        ...steps,
        'nc_put_att_text temperature:units 1 fields.nc',
        `nc_put_vara_schar mask ${ROWS * COLUMNS} fields.nc`,
        `nc_get_vara_double temperature ${FIELD} fields.nc`,
      ]),
    );
    expect(transfers(trace, 'PnetCDF').sort()).toEqual(
      twice([
        `ncmpi_iput_vara_double east ${FIELD} wind.nc`,
        `ncmpi_iput_vara_double north ${FIELD} wind.nc`,
        `ncmpi_put_vara_double_all north ${FIELD} wind.nc`,
      ]),
    );
    const own = transfers(trace, 'HDF5').filter((line) => line.endsWith('table.h5'));
    expect(own).toEqual(twice([`H5Dwrite means ${COLUMNS * 8} table.h5`]));
    const within = transfers(trace, 'HDF5').filter((line) => /^H5D.*fields.nc/.test(line));
    expect(within.sort()).toEqual(
      twice([
        ...steps.map(() => `H5Dwrite temperature ${FIELD} fields.nc`),
        `H5Dwrite mask ${ROWS * COLUMNS} fields.nc`,
        `H5Dread temperature ${FIELD} fields.nc`,
      ]),
    );
    // HDF5 gives NetCDF's own function, which it calls back, a group that nobody opened.
    const opened = rowsOf(trace, 'HDF5', /^H5Oopen$/).map((row) => `${objectOf(trace, row)} ${fileOf(trace, row)}`);
    expect(opened.sort()).toEqual(
      twice(['step', 'row', 'column', 'temperature', 'mask'].map((name) => `${name} fields.nc`)),
    );
    const [checkpoint] = rowsOf(trace, 'MPI-IO', /write_at_all/).filter(
      (row) => fileOf(trace, row) === 'checkpoint.bin',
    );
    expect(trace.events.value('bytes', checkpoint!)).toBe(FIELD);
  });

  test('the layers below stand within the calls above', () => {
    const { trace } = run2;
    const posix = rowsOf(trace, 'POSIX').map((row) => layersAround(trace, row).join(' < '));
    expect([...new Set(posix)]).toEqual(
      expect.arrayContaining([
        'POSIX < MPI-IO < HDF5 < NetCDF',
        'POSIX < MPI-IO < HDF5',
        'POSIX < MPI-IO < PnetCDF',
        'POSIX < MPI-IO',
        'POSIX',
      ]),
    );
    expect(rowsOf(trace, 'STDIO').map((row) => layersAround(trace, row))).toContainEqual(['STDIO']);
    // Each step goes through all of them, whichever rank wrote for both.
    const calls = rowsOf(trace, 'NetCDF', /^nc_put_vara_double$/);
    for (const layer of ['HDF5', 'MPI-IO', 'POSIX'] as const)
      expect(sum(calls.map((row) => writtenWithin(trace, row, layer))), layer).toBe(RANKS * STEPS * FIELD);
    const begun = rowsOf(trace, 'PnetCDF', /wait_all/);
    for (const layer of ['MPI-IO', 'POSIX'] as const)
      // `north` is of half as large values in the file.
      expect(sum(begun.map((row) => writtenWithin(trace, row, layer))), layer).toBe(RANKS * 1.5 * FIELD);
  });

  test('with collective transfers told from others, and those that were begun as long as they took', () => {
    const { trace } = run2;
    const has = (row: number, flag: number): boolean => (trace.events.value('flags', row) & flag) !== 0;
    const collective = rowsOf(trace, 'HDF5', /^H5D(write|read)$/).filter((row) => has(row, EVENT_FLAGS.collective));
    expect(collective.map((row) => objectOf(trace, row)).sort()).toEqual([
      ...['means', 'means', ...Array.from({ length: 2 * STEPS }, () => 'temperature')],
    ]);
    const begun = rowsOf(trace, 'PnetCDF', /iput/);
    expect(begun.every((row) => has(row, EVENT_FLAGS.nonBlocking))).toBe(true);
    expect(begun.some((row) => has(row, EVENT_FLAGS.neverReturned))).toBe(false);
  });

  test('with the lines of this one source', async () => {
    const recording = await open(run2.recording, sources);
    const { sites, siteOfNode } = recording.callSites();
    const { events } = recording.trace;
    const text = readFileSync(path.join(sources, 'all_layers.c'), 'utf8').split('\n');
    const lineWith = (mark: string): number => text.findIndex((line) => line.includes(`/* ${mark} */`)) + 1;
    const linesOf = (rows: readonly number[]): Set<string> =>
      new Set(
        rows.map((row) => {
          const stack = events.value('stack', row);
          const site = stack === NONE ? undefined : sites[siteOfNode[stack]!];
          return site === undefined ? '' : `${path.basename(site.file)}:${site.line}`;
        }),
      );
    const expectLine = (layer: Layer, call: RegExp, file: string): void => {
      const rows = rowsOf(recording.trace, layer, call).filter((row) => fileOf(recording.trace, row) === file);
      expect(rows.length, layer).toBeGreaterThan(0);
      expect(linesOf(rows), layer).toContain(`all_layers.c:${lineWith(layer)}`);
    };
    expectLine('NetCDF', /put_vara_double/, 'fields.nc');
    expectLine('PnetCDF', /wait_all/, 'wind.nc');
    expectLine('HDF5', /H5Dwrite/, 'table.h5');
    expectLine('MPI-IO', /write_at_all/, 'checkpoint.bin');
    expectLine('POSIX', /write/, 'log.0');
    expectLine('STDIO', /fgets/, 'settings.txt');
    // Below NetCDF the program's line is the same in each layer.
    const step = rowsOf(recording.trace, 'NetCDF', /put_vara_double/);
    const below = rowsOf(recording.trace, 'POSIX', /write/).filter((row) =>
      step.some((call) => isWithin(recording.trace, row, call)),
    );
    expect(linesOf(below)).toEqual(new Set([`all_layers.c:${lineWith('NetCDF')}`]));
    await recording.close();
  }, 60_000);
});

function isWithin({ events }: Trace, row: number, call: number): boolean {
  for (let at = row; at !== NONE; at = events.value('parent', at)) if (at === call) return true;
  return false;
}

describe.skipIf(!hasMpi)('PnetCDF', () => {
  test('moves values in all its ways', async () => {
    const binary = compile('requests.c', 'mpicc.openmpi', ...flags('pnetcdf'));
    const { plain, recorded, trace } = await record([binary, 'requests.nc'], { ranks: 1 });
    expect(recorded.files).toEqual(plain.files);
    const of = (call: string, bytes: number, name = 'a'): string => `${call} ${name} ${bytes} requests.nc`;
    expect(transfers(trace, 'PnetCDF')).toEqual([
      of('ncmpi_put_att_text', 3, 'a:units'),
      of('ncmpi_iput_vara_double', 80),
      of('ncmpi_iput_vara_float', 0),
      of('ncmpi_iput_vara', 80),
      // It was cancelled.
      of('ncmpi_iput_var1_double', 0),
      of('ncmpi_put_vars_double_all', 80),
      of('ncmpi_put_varn_double_all', 16),
      of('ncmpi_mput_vara_double_all', 160),
      of('ncmpi_put_vard_all', 40),
      of('ncmpi_get_vara_float_all', 40),
      'ncmpi_put_var1_double_all  0 requests.nc',
    ]);
    const begun = rowsOf(trace, 'PnetCDF', /iput/);
    expect(begun.map((row) => trace.events.value('flags', row) & EVENT_FLAGS.neverReturned)).toEqual([0, 0, 0, 0]);
    const waits = rowsOf(trace, 'PnetCDF', /wait|cancel/);
    const end = (row: number): number => trace.events.value('start', row) + trace.events.value('duration', row);
    const [first, nothing, second, cancelled] = begun.map(end);
    expect(first).toBeGreaterThanOrEqual(end(waits[0]!));
    expect(nothing).toBeLessThan(trace.events.value('start', waits[0]!));
    expect(cancelled).toBeGreaterThanOrEqual(end(waits[1]!));
    expect(second).toBeGreaterThanOrEqual(end(waits[2]!));
  }, 120_000);
});

describe.skipIf(!hasMpi || !hasSerial)('two copies of HDF5 in one process', () => {
  test('each get the calls of those who were linked with them', async () => {
    const netcdf = ['-I/usr/include', '-lnetcdf'];
    const binary = compile('two_copies.c', 'mpicc.openmpi', ...netcdf, ...flags('hdf5-openmpi'));
    const linked = run(folder, 'ldd', binary);
    expect(linked).toContain('libhdf5_openmpi.so');
    expect(linked).toContain('libhdf5_serial.so');
    const { plain, recorded, trace } = await record([binary, 'a.nc', 'b.h5']);
    expect(recorded.output).toBe(plain.output);
    expect(transfers(trace, 'NetCDF')).toEqual(['nc_put_var_int values 40 a.nc', 'nc_get_var_int values 40 a.nc']);
    expect(transfers(trace, 'HDF5').filter((line) => line.startsWith('H5D'))).toEqual([
      ...['H5Dwrite values 40 a.nc', 'H5Dwrite numbers 40 b.h5', 'H5Dread values 40 a.nc', 'H5Dread numbers 40 b.h5'],
    ]);
  }, 120_000);
});

describe.skipIf(!hasSerial)('mistakes', () => {
  test.each(hasMpi ? ['hdf5-serial', 'hdf5-openmpi'] : ['hdf5-serial'])(
    'of a program with %s are reported by HDF5 as ever',
    async (copy) => {
      const binary = compile('mistakes.c', hasMpi ? 'mpicc.openmpi' : 'cc', ...flags(copy));
      const { plain, recorded, trace } = await record([binary, 'mistakes.h5']);
      const timeless = ({ output }: Run): string => output.replace(/thread \d+|time = .*? 20\d\d/g, '');
      expect(timeless(recorded)).toBe(timeless(plain));
      const failed = rowsOf(trace, 'HDF5').filter((row) => trace.events.value('error', row) !== 0);
      expect(failed.map((row) => nameOf(trace, row))).toEqual([
        ...['H5Fopen', 'H5Dopen2', 'H5Dwrite', 'H5Dwrite', 'H5Dwrite', 'H5Dread', 'H5Dread', 'H5Dread', 'H5Aread'],
        ...['H5Awrite', 'H5Dclose'],
      ]);
    },
    120_000,
  );
});

describe.skipIf(!hasFortran)('Fortran', () => {
  test('reaches the libraries of C', async () => {
    const hdf5 = flags('hdf5-serial').flatMap((flag) => (flag === '-lhdf5' ? ['-lhdf5_fortran', flag] : [flag]));
    const binary = compile('fields.f90', 'gfortran', '-I/usr/include', ...hdf5, ...flags('netcdf-fortran'));
    const { plain, recorded, trace } = await record([binary, 'f.h5', 'f.nc']);
    expect(recorded.output).toBe(plain.output);
    expect(transfers(trace, 'HDF5')).toContain('H5Dwrite pressure 800 f.h5');
    expect(transfers(trace, 'NetCDF')).toEqual([
      'nc_put_att_text salt:units 3 f.nc',
      'nc_put_vara_double salt 800 f.nc',
    ]);
  }, 120_000);
});

describe.skipIf(!hasPython)('Python', () => {
  test('whose modules bring the libraries along', async () => {
    const script = path.join(sources, 'fields.py');
    const { plain, recorded, trace } = await record([debianPython, script, 'p.h5', 'p.nc']);
    expect(recorded.output).toBe(plain.output);
    const own = transfers(trace, 'HDF5').filter((line) => line.endsWith('p.h5'));
    expect(own).toEqual([
      'H5Dwrite temperature 8000 p.h5',
      'H5Awrite units 8 p.h5',
      'H5Dwrite temperature 80 p.h5',
      'H5Dread grid/temperature 8000 p.h5',
    ]);
    expect(transfers(trace, 'NetCDF')).toEqual([
      'nc_put_att_text :title 13 p.nc',
      'nc_put_vara /ocean/salt 800 p.nc',
      'nc_get_vara /ocean/salt 80 p.nc',
    ]);
    // h5py closes by giving up references.
    expect(counts(trace, 'HDF5')['H5Idec_ref']).toBeGreaterThan(4);
  }, 120_000);
});

describe.skipIf(!hasTools || !hasPython)('programs of Debian', () => {
  const place = path.join(folder, 'tools');
  const input = (name: string): string => path.join(place, name);
  beforeAll(() => {
    mkdirSync(place);
    run(place, debianPython, path.join(sources, 'fields.py'), 't.h5', 't.nc');
  }, 60_000);

  test.each([
    ['h5ls', ['-r', '-v', input('t.h5')], 't.h5'],
    ['h5dump', [input('t.h5')], 't.h5'],
    ['h5repack', ['-f', 'GZIP=5', input('t.h5'), 'packed.h5'], 'packed.h5'],
    ['ncdump', [input('t.nc')], 't.nc'],
    ['nccopy', ['-d', '5', input('t.nc'), 'copied.nc'], 'copied.nc'],
  ])('%s says and leaves the same', async (tool, options, file) => {
    const { plain, recorded, trace } = await record([tool, ...options]);
    expect(recorded.output).toBe(plain.output);
    expect(Object.keys(recorded.files)).toEqual(Object.keys(plain.files));
    const layer = tool.startsWith('nc') ? 'NetCDF' : 'HDF5';
    expect(rowsOf(trace, layer).map((row) => fileOf(trace, row))).toContain(file);
    const inHdf5 = rowsOf(trace, 'HDF5', /^H5D(read|write)/).filter((row) => trace.events.value('bytes', row) > 0);
    if (tool !== 'h5ls') expect(inHdf5.length).toBeGreaterThan(0);
  });
});
