import { expect, test } from 'vitest';
import type { SourceFrame } from '../../symbols/resolved-stacks.ts';
import { dataLibraryFrame, StackTraits, TRAIT } from './stack-traits.ts';

function frame(functionName: string, module = '/w/app'): SourceFrame {
  return {
    functionName,
    module,
    file: '',
    line: 0,
    column: 0,
    changed: false,
    inlined: false,
    address: NaN,
    isLibrary: true,
  };
}

test.each([
  ['fflush', TRAIT.flush | TRAIT.stdio],
  ['_IO_new_file_write', TRAIT.stdio],
  ['std::basic_filebuf<char, std::char_traits<char> >::overflow(int)', TRAIT.stdio],
  ['std::ostream::flush()', TRAIT.flush],
  ['std::__1::basic_ostream<char, std::__1::char_traits<char> >::flush()', TRAIT.flush],
  ['std::basic_ostream<char, std::char_traits<char> >& std::endl<char>(…)', 0],
  ['std::endl<char, std::char_traits<char> >', TRAIT.flush],
  ['_gfortran_st_flush', TRAIT.flush],
  ['H5Fflush', TRAIT.flush | TRAIT.hdf5],
  ['H5Dwrite', TRAIT.hdf5],
  ['H5FD_flush', 0],
  ['PMPI_File_write_at', TRAIT.independent | TRAIT.mpi],
  ['mpi_file_read_', TRAIT.independent | TRAIT.mpi],
  ['MPI_File_iwrite_shared', TRAIT.independent | TRAIT.mpi],
  ['MPI_File_write_at_all', TRAIT.collective | TRAIT.mpi],
  ['MPI_File_read_all_begin', TRAIT.collective | TRAIT.mpi],
  ['MPI_File_open', TRAIT.mpi],
  ['flush_all_my_tables', 0],
  ['my_mpi_helper', 0],
  ['nc_put_var1_double', TRAIT.netcdf],
  ['nf90_put_var', TRAIT.netcdf],
])('traits of %s', (name, traits) => expect(new StackTraits().of([frame(name)])).toBe(traits));

test.each([
  ['/usr/lib/x86_64-linux-gnu/libhdf5_serial.so.103.3.1', TRAIT.hdf5],
  ['/opt/openmpi/lib/libmpi.so.40', TRAIT.mpi],
  ['/usr/bin/python3.11', TRAIT.python],
  ['/opt/conda/lib/libpython3.12.so.1.0', TRAIT.python],
  ['/w/python_like', 0],
])('traits of a frame in %s', (module, traits) => expect(new StackTraits().of([frame('x', module)])).toBe(traits));

test('what is flushed because a file is closed, or its header is complete, is no flush after a record', () => {
  const chain = (outer: string): SourceFrame[] => [frame('pwrite64'), frame('H5Fflush'), frame(outer), frame('main')];
  expect(new StackTraits().of(chain('nc_close'))).toBe(TRAIT.hdf5 | TRAIT.netcdf);
  expect(new StackTraits().of(chain('nc_enddef'))).toBe(TRAIT.hdf5 | TRAIT.netcdf);
  expect(new StackTraits().of(chain('nc_sync'))).toBe(TRAIT.hdf5 | TRAIT.netcdf | TRAIT.flush);
});

test('the function of a data library that the program called is the outermost', () => {
  const hdf5 = '/usr/lib/libhdf5.so.103';
  const chain = [frame('write', '/lib/libc.so.6'), frame('H5Pget_fapl_multi', hdf5), frame('H5Dwrite', hdf5)];
  expect(dataLibraryFrame([...chain, frame('PyInit_h5d', '/usr/lib/python3/dist-packages/h5d.so')])).toBe(2);
  expect(dataLibraryFrame([frame('write', '/lib/libc.so.6')])).toBe(-1);
});
