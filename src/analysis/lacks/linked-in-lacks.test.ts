import { expect, test } from 'vitest';
import { eventTrace } from '../../../test/support/event-trace.ts';
import { ResolvedStacks } from '../../symbols/resolved-stacks.ts';
import { NameTable } from '../../trace/names.ts';
import type { Layer } from '../../trace/calls.ts';
import type { FormatName } from '../../trace/format-traits.ts';
import type { Trace } from '../../trace/trace.ts';
import { linkedInLacks } from './linked-in-lacks.ts';
import { FORMAT_TRAITS } from '../../readers/format-traits.ts';

/** What a recording of one call lacks whose stack leads through a function of a module. */
function lacks(functionName: string, module: string, layer: Layer = 'POSIX', format: FormatName = 'iolens'): string[] {
  const made = eventTrace([{}], ['/scratch/a.h5'], 1, (event) => Object.assign(event, { call: 1, file: 0, layer }));
  const modules = new NameTable([module]);
  const trace = {
    ...made,
    format,
    form: FORMAT_TRAITS[format],
    stacks: Object.assign(made.stacks, { modules }),
  } as Trace;
  const resolved = new ResolvedStacks(1, modules);
  resolved.beginPlace(0, NaN, false);
  resolved.addFrame('emit', '/src/emit.c', 7, 0);
  resolved.addFrame(functionName, '', 0, 0);
  return linkedInLacks(trace, resolved).map(({ what }) => what);
}

test('a library that is linked into the program is told', () => {
  expect(lacks('H5Dwrite', '/w/app')).toEqual(['no calls of HDF5, which is linked into app']);
  expect(lacks('H5FD__sec2_write', '/w/app')).toEqual(['no calls of HDF5, which is linked into app']);
  expect(lacks('nc_put_vara_double', '/w/app')).toEqual(['no calls of NetCDF, which is linked into app']);
  expect(lacks('PMPI_File_write_at', '/w/app')).toEqual(['no calls of MPI-IO, which is linked into app']);
});

test.each([
  ['its calls are there', 'H5Dwrite', '/w/app', 'HDF5', 'iolens'],
  [
    'it is the library itself, whose layer was not wanted',
    'H5Dwrite',
    '/usr/lib/libhdf5_serial.so.103',
    'POSIX',
    'iolens',
  ],
  ['the program has names like it', 'H5_of_mine', '/w/app', 'POSIX', 'iolens'],
  ['strace sees calls of the system only', 'H5Dwrite', '/w/app', 'POSIX', 'strace'],
] as const)('nothing is lacking: %s', (_, functionName, module, layer, format) =>
  expect(lacks(functionName, module, layer, format)).toEqual([]),
);
