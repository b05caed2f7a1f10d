import { expect, test } from 'vitest';
import { layerFindings, layerSites, layerTrace, type LayerRow } from '../../../test/support/layer-rows.ts';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { readStrace } from '../../readers/strace/strace-reader.ts';
import { measure } from '../metrics/access-metrics.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { TRAIT } from '../sites/stack-traits.ts';
import { findInsights } from './evaluate.ts';
import type { Insight, Recommendation } from './insight.ts';
import { DEFAULT_THRESHOLDS } from './thresholds.ts';

/** Everything that advice says, its examples too. */
function words(recommendations: readonly Recommendation[]): string {
  return recommendations
    .flatMap(({ text, snippet, alternatives = [] }) => [
      text,
      snippet?.code ?? '',
      ...alternatives.map(({ code }) => code),
    ])
    .join('\n');
}

/** Elements that four ranks write one by one into a shared data set. */
function elements(): LayerRow[] {
  const rows: LayerRow[] = [];
  for (let element = 0; element < 2000; element++) {
    const common = { stream: element % 4, bytes: 8, line: 31 };
    const start = element * 20_000;
    const parent = rows.push({ ...common, call: 'H5Dwrite', start, duration: 10_000 }) - 1;
    const mpi = rows.push({ ...common, call: 'MPI_File_write_at', start: start + 10, duration: 9000, parent }) - 1;
    const offset = 2048 + element * 8;
    rows.push({ ...common, call: 'pwrite', start: start + 20, duration: 8000, offset, parent: mpi });
  }
  return rows;
}

test('a line that calls HDF5 is told the calls of HDF5, never those of MPI-IO below it', () => {
  const found = layerFindings(layerTrace(elements(), { ranks: 4 }));
  for (const code of ['M03', 'P16']) {
    const advice = words(found.get(code)!.recommendations);
    expect(advice).toContain('H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE)');
    expect(advice).toContain('H5Sselect_hyperslab');
    expect(advice).not.toContain('MPI_File_');
  }
});

/** System calls, all from one line of a file; of process 7 unless a number stands before them. */
async function found(
  file: string,
  calls: readonly string[],
  traits = 0,
  throughModule?: string,
): Promise<{ insights: Map<string, Insight> }> {
  const line = (call: string, row: number): string => {
    const [, process = '7', rest] = /^(?:(\d+) )?(.*)$/.exec(call)!;
    return `${process} 179525218${(row / 10_000 + 0.0001).toFixed(6)} ${rest!}\n`;
  };
  const text = calls.map(line).join('');
  const trace = await readStrace([memoryFile('t', text)]);
  trace.events.update((chunk, number) => {
    for (let i = 0; i < trace.events.rowsIn(number); i++) chunk.stack[i] = 5;
  });
  const place = { ...layerSites().sites[5]!, file, ...(throughModule !== undefined && { throughModule }) };
  const callSites: CallSites = {
    sites: Array.from({ length: 6 }, () => place),
    siteOfNode: Int32Array.from([0, 1, 2, 3, 4, 5]),
    isStartUp: new Uint8Array(6),
    traitsOfNode: new Uint8Array(6).fill(traits),
  };
  const capabilities = { ...trace.capabilities, stacks: true };
  const ignored = new Uint8Array(trace.files.length);
  const all = { ...trace, capabilities };
  const metrics = measure(all, callSites, ignored);
  const insights = findInsights(all, metrics, DEFAULT_THRESHOLDS, callSites);
  return { insights: new Map(insights.map((insight) => [insight.code, insight])) };
}

const OPEN = 'openat(AT_FDCWD</w>, "a", O_RDWR|O_CREAT, 0644) = 3</w/a> <0.000010>';
const writes = (count: number): string[] =>
  Array.from({ length: count }, () => 'write(3</w/a>, "x", 16) = 16 <0.000010>');

test('a line of Python gets Python, one of Fortran Fortran, one of C C', async () => {
  const languages = async (file: string): Promise<string[]> => {
    const { insights } = await found(file, [OPEN, ...writes(400)]);
    const { snippet, alternatives = [] } = insights.get('P06')!.recommendations[0]!;
    return [snippet!, ...alternatives].map(({ language }) => language);
  };
  expect(await languages('/w/run.py')).toEqual(['python']);
  expect(await languages('/w/solver.F90')).toEqual(['fortran']);
  expect(await languages('/w/main.c')).toEqual(['c']);
  expect(await languages('/w/main.cpp')).toEqual(['cpp']);
});

test("random records of Fortran that fetch a whole buffer of gfortran's are told of its size", async () => {
  const reads = (size: number): string[] =>
    Array.from({ length: 600 }, (_, number) => {
      const offset = ((number * 7919) % 600) * 4096;
      return [
        `lseek(3</w/a>, ${offset}, SEEK_SET) = ${offset} <0.000010>`,
        `read(3</w/a>, "x"..., ${size}) = ${size} <0.000100>`,
      ];
    }).flat();
  const advice = async (size: number, module?: string): Promise<string> =>
    words((await found('/w/table.f90', [OPEN, ...reads(size)], 0, module)).insights.get('P11')!.recommendations);
  expect(await advice(131_072, 'libgfortran')).toContain('GFORTRAN_UNFORMATTED_BUFFER_SIZE=4096');
  expect(await advice(128, 'libgfortran')).not.toContain('GFORTRAN');
  // Another compiler's library fetches as much, and knows no such variable.
  expect(await advice(131_072)).not.toContain('GFORTRAN');
});

test('a program without MPI is not told to use it', async () => {
  const one = [OPEN, ...writes(1500)];
  const { insights } = await found(
    '/w/main.c',
    one.flatMap((call) => [call, `8 ${call}`]),
  );
  expect(insights.has('P16')).toBe(true);
  expect(words([...insights.values()].flatMap(({ recommendations }) => recommendations))).not.toContain('MPI');
});

test('a line that calls NetCDF is told the calls of NetCDF, collective ones where MPI is', async () => {
  const one = [OPEN, ...writes(1500)];
  const calls = one.flatMap((call) => [call, `8 ${call}`]);
  const netcdf = TRAIT.netcdf | TRAIT.hdf5;
  const alone = words((await found('/w/main.c', calls, netcdf)).insights.get('P16')!.recommendations);
  expect(alone).toContain('nc_put_vara_double');
  expect(alone).not.toMatch(/nc_var_par_access|MPI|fwrite/);
  const parallel = words((await found('/w/main.c', calls, netcdf | TRAIT.mpi)).insights.get('P16')!.recommendations);
  expect(parallel).toContain('nc_var_par_access(file, variable, NC_COLLECTIVE)');
  expect(parallel).not.toContain('MPI_File');
});

const seeks = (whence: string): string[] =>
  Array.from({ length: 200 }, (_, number) => [
    `lseek(3</w/a>, ${number * 64}, ${whence}) = ${number * 64} <0.000010>`,
    'write(3</w/a>, "x", 4096) = 4096 <0.000010>',
  ]).flat();

test('a seek to the end before each write is O_APPEND; elsewhere it is pwrite; those of a library are its own', async () => {
  const atEnd = await found('/w/main.c', [OPEN, ...seeks('SEEK_END')]);
  expect(words(atEnd.insights.get('L03')!.recommendations)).toContain('O_APPEND');
  const elsewhere = await found('/w/main.c', [OPEN, ...seeks('SEEK_SET')]);
  expect(words(elsewhere.insights.get('L03')!.recommendations)).toContain('pwrite');
  for (const trait of [TRAIT.stdio, TRAIT.hdf5, TRAIT.netcdf, TRAIT.mpi])
    expect((await found('/w/main.c', [OPEN, ...seeks('SEEK_SET')], trait)).insights.has('L03')).toBe(false);
});

test('new files that are opened once each are no finding; questions beside them are', async () => {
  const files = Array.from({ length: 100 }, (_, number) => [
    `openat(AT_FDCWD</w>, "f${number}", O_WRONLY|O_CREAT, 0644) = 3</w/f${number}> <0.000100>`,
    `write(3</w/f${number}>, "x", 4096) = 4096 <0.000010>`,
    `close(3</w/f${number}>) = 0 <0.000010>`,
  ]).flat();
  expect((await found('/w/main.c', files)).insights.has('P17')).toBe(false);
  const asked = Array.from({ length: 500 }, (_, number) => `chmod("/w/f${number % 100}", 0600) = 0 <0.000100>`);
  expect((await found('/w/main.c', [...files, ...asked])).insights.has('P17')).toBe(true);
});

test('who is no aggregator of a collective write moves less, and that is no imbalance', () => {
  const rows = [true, false].map((collective): LayerRow[] =>
    [0, 1].flatMap((stream) => {
      const common = { stream, file: stream, bytes: stream === 0 ? 8 << 20 : 2 << 20, offset: 0, collective, line: 4 };
      return [{ ...common, call: collective ? 'MPI_File_write_at_all' : 'MPI_File_write_at', start: 0, duration: 1e6 }];
    }),
  );
  const [together, alone] = rows.map((of) => layerFindings(layerTrace(of, { ranks: 2 })));
  expect(alone!.has('P21')).toBe(true);
  expect(together!.has('P21')).toBe(false);
});

test('a line that calls SQLite is told statements and settings, no calls that the library makes', async () => {
  const asks = 'newfstatat(AT_FDCWD</w>, "/w/look.db", {st_mode=S_IFREG|0644, st_size=9, ...}, 0) = 0 <0.000020>';
  const lookUp = [
    'openat(AT_FDCWD</w>, "/w/look.db", O_RDWR|O_CREAT|O_CLOEXEC, 0644) = 4</w/look.db> <0.000020>',
    asks,
    asks,
    asks,
    asks,
    ...Array.from(
      { length: 40 },
      (_, page) => `pread64(4</w/look.db>, "x"..., 1024, ${page * 1024}) = 1024 <0.000020>`,
    ),
    'close(4</w/look.db>) = 0 <0.000020>',
  ];
  const calls = Array.from({ length: 80 }, () => lookUp).flat();
  const { insights } = await found('/w/look.py', calls, 0, 'sqlite3');
  const said = (code: string): string => words(insights.get(code)!.recommendations);
  expect(said('L02')).toContain('Keep the connection open');
  expect(said('P09')).toContain('create an index');
  expect(said('L12')).toContain('BEGIN');
  for (const { recommendations, code } of insights.values())
    expect(words(recommendations), code).not.toMatch(/os\.pread|file\.read|read_bytes|scandir/);
});

test('what a Python module asks is not the line\u2019s to keep the answer of', async () => {
  const asks = 'newfstatat(AT_FDCWD</w>, "/w/app.log", {st_mode=S_IFREG|0644, st_size=9, ...}, 0) = 0 <0.000020>';
  const calls = [OPEN, ...writes(10), ...Array.from({ length: 400 }, () => asks)];
  const said = async (module?: string): Promise<string> =>
    words((await found('/w/run.py', calls, 0, module)).insights.get('L12')!.recommendations);
  expect(await said('logging')).toMatch(/^The Python module logging asks this, not the line that calls it/);
  for (const module of [undefined, 'genericpath']) expect(await said(module)).toContain('os.stat(path)');
});
