import { expect, test } from 'vitest';
import { at, codes, insightsOf } from '../../support/analysed-text.ts';
import { frame, line, StraceText } from '../../support/strace-text.ts';

/** What is said of writes that go through NetCDF, HDF5 and MPI-IO, as the stacks of strace show them. */

function through(frames: readonly string[], bytes: number, count = 200, processes = 1): StraceText {
  const text = new StraceText();
  return text.times(count, (i) =>
    text.call(1 + (i % processes), at('write', '/w/a', i * bytes, bytes), 10, [...frames, line(31)]),
  );
}

test('L04: what the library flushes because a file is closed, or its header complete, is none; its own call is', async () => {
  /** Many small pieces, all of which one call of the program writes out. */
  const flushedBy = (call: string): StraceText =>
    through([frame('libhdf5.so.103', 'H5Fflush'), frame('libnetcdf.so.19', call)], 200);
  for (const call of ['nc_close', 'nc_enddef']) {
    const found = await insightsOf(flushedBy(call));
    expect(found.length, call).toBeGreaterThan(0);
    expect(
      found.map(({ code }) => code),
      call,
    ).not.toContain('L04');
    expect(found.map(({ message }) => message).join(), call).not.toMatch(/flush/);
  }
  expect(await codes(flushedBy('nc_sync'))).toContain('L04');
});

test('L14: element-wise writes of HDF5 through MPI-IO by several processes are those of independent calls', async () => {
  const mpi = [frame('libmca_common_ompio.so', 'x'), frame('libmpi.so.40', 'PMPI_File_write_at')];
  const frames = [...mpi, frame('libhdf5_openmpi.so.103', 'H5Dwrite')];
  const found = await insightsOf(through(frames, 8, 2000, 4));
  const marks = new Map(found.map(({ code, sites }) => [code, sites[0]?.explainedBy]));
  expect([marks.has('L30'), marks.get('M03')]).toEqual([false, undefined]);
  expect([marks.get('L14'), marks.get('P06')]).toEqual(['M03', 'L14']);
  const advice = found
    .find(({ code }) => code === 'M03')!
    .recommendations.map(({ text }) => text)
    .join();
  expect(advice).not.toContain('MPI_File_write_at_all');
});
