import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { EVENT_FLAGS } from '../../src/trace/events.ts';
import { run } from '../support/programs.ts';
import {
  compile,
  counts,
  debianPython,
  fileOf,
  flags,
  folder,
  hasFortran,
  hasMpi,
  hasPython,
  hasSerial,
  hasTools,
  nameOf,
  record,
  rowsOf,
  sources,
  transfers,
  type Run,
} from '../support/recorder/recorded-libraries.ts';

/** The layers HDF5, NetCDF and PnetCDF of the recorder library: own programs, and those of Debian, recorded as they are. */
describe.skipIf(!hasMpi)('PnetCDF', () =>
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
  }, 120_000),
);

describe.skipIf(!hasMpi || !hasSerial)('two copies of HDF5 in one process', () =>
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
  }, 120_000),
);

describe.skipIf(!hasSerial)('mistakes', () =>
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
  ),
);

describe.skipIf(!hasFortran)('Fortran', () =>
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
  }, 120_000),
);

describe.skipIf(!hasPython)('Python', () =>
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
  }, 120_000),
);

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
