import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Layer } from '../../src/trace/calls.ts';
import { EVENT_FLAGS, NONE } from '../../src/trace/events.ts';
import { open, run } from '../support/programs.ts';
import {
  compile,
  counts,
  fileOf,
  flags,
  folder,
  hasMpi,
  isWithin,
  layersAround,
  objectOf,
  record,
  rowsOf,
  sources,
  sum,
  transfers,
  writtenWithin,
  type Recorded,
} from '../support/recorder/recorded-libraries.ts';

/** One program of all layers of the recorder library: HDF5, NetCDF and PnetCDF above MPI-IO and POSIX. */
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
      prepare: (place) => writeFileSync(path.join(place, 'settings.txt'), `${ROWS}\n${COLUMNS}\n`),
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
