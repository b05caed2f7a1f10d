import { expect, test } from 'vitest';
import { layerFindings, layerTrace, type LayerCallName, type LayerRow } from '../../../../test/support/layer-rows.ts';

const MIB = 1 << 20;

/** One call of a library, and what it became below: one behind the other, in the time of the call. */
function one(call: LayerRow['call'], bytes: number, lower: LayerRow['call'], sizes: readonly number[]): LayerRow[] {
  let offset = 0;
  const below = sizes.map((size, number): LayerRow => {
    const row = { call: lower, start: 1000 + number * 1000, duration: 900, bytes: size, offset, parent: 0, line: 7 };
    offset += size;
    return row;
  });
  return [{ call, start: 0, duration: 2000 + sizes.length * 1000, bytes, line: 7 }, ...below];
}

const MANY = Array.from({ length: 64 }, () => 128 * 1024);

test('one call that becomes many is found at its line, with what became of it', () => {
  const found = layerFindings(layerTrace(one('H5Dwrite', 8 * MIB, 'pwrite', MANY))).get('L20')!;
  expect(found.message).toBe(
    '1 H5Dwrite (8 MiB) became 64 reads and writes below (64 for each): 64 pwrite, mostly of 128 KiB; the calls below cost 57.6 µs, 87 % of the run. Of the 66 µs from call to return 8.4 µs are spent above them, in the library itself.',
  );
  expect(found.sites).toMatchObject([{ site: 7, events: 1, bytes: 8 * MIB, streams: 1, severity: 'high' }]);
  expect(found.evidence).toMatchObject({ upperCalls: 1, lowerCalls: 64, callsPerCall: 64, lowerMedianBytes: 131072 });
  expect(found.recommendations[0]!.snippet!.code).toContain('H5Pset_chunk');
});

test('the picture shows the call above and its requests below, over the same time', () => {
  const { picture } = layerFindings(layerTrace(one('H5Dwrite', 8 * MIB, 'pwrite', MANY))).get('L20')!;
  expect(picture).toMatchObject({ axis: 'time', from: 0, to: 66_000, lanesLeftOut: 0 });
  expect(picture!.lanes.map(({ label, amount, bars }) => [label, amount, bars.length])).toEqual([
    ['H5Dwrite', '66 µs', 1],
    ['pwrite', '64 calls', 64],
  ]);
});

test('one call that stays one is no finding, and many calls that stay as many are none', () => {
  expect(layerFindings(layerTrace(one('H5Dwrite', 8 * MIB, 'pwrite', [8 * MIB]))).has('L20')).toBe(false);
  const rows = Array.from({ length: 100 }, (_, number): LayerRow[] => [
    { call: 'MPI_File_write_at', start: number * 10, duration: 9, bytes: 640, line: 3 },
    {
      call: 'pwrite',
      start: number * 10 + 1,
      duration: 7,
      bytes: 640,
      offset: number * 640,
      parent: number * 2,
      line: 3,
    },
  ]).flat();
  expect(layerFindings(layerTrace(rows)).has('L20')).toBe(false);
});

test('large pieces are information only', () => {
  const pieces = Array.from({ length: 40 }, () => 10 * MIB);
  expect(layerFindings(layerTrace(one('H5Dwrite', 400 * MIB, 'pwrite', pieces))).get('L20')!.severity).toBe('info');
});

test('calls without any below count: a buffer that serves most of them splits none', () => {
  const rows: LayerRow[] = one('H5Dwrite', 8 * MIB, 'pwrite', MANY);
  for (let number = 0; number < 20; number++)
    rows.push({ call: 'H5Dwrite', start: 1e6 + number, duration: 1, bytes: 100, line: 7 });
  expect(layerFindings(layerTrace(rows)).has('L20')).toBe(false);
});

test('calls through three layers count at the lowest, once', () => {
  const rows: LayerRow[] = [{ call: 'H5Dwrite', start: 0, duration: 1e6, bytes: 64 * 4096, line: 7 }];
  for (let number = 0; number < 64; number++) {
    const parent =
      rows.push({ call: 'MPI_File_write_at', start: number * 15_000, duration: 14_000, bytes: 4096, parent: 0 }) - 1;
    rows.push({
      call: 'pwrite',
      start: number * 15_000 + 1,
      duration: 9000,
      bytes: 4096,
      offset: number * 4096,
      parent,
    });
  }
  const found = layerFindings(layerTrace(rows)).get('L20')!;
  expect(found.evidence).toMatchObject({ upperCalls: 1, lowerCalls: 64, upperBytes: 262144, lowerBytes: 262144 });
  expect(found.sites).toMatchObject([{ site: 7 }]);
});

test('a call that describes, and becomes many small ones, is found too', () => {
  const rows: LayerRow[] = [];
  for (let opened = 0; opened < 4; opened++) {
    const parent = rows.push({ call: 'H5Fopen', start: opened * 1e5, duration: 9e4, line: 12 }) - 1;
    for (let number = 0; number < 12; number++) {
      const start = opened * 1e5 + number * 1000;
      rows.push({ call: 'pread', start, duration: 500, bytes: 96, offset: number * 4096, parent, line: 12 });
    }
  }
  const found = layerFindings(layerTrace(rows)).get('L28')!;
  expect(found.message).toContain('4 × H5Fopen became 48 calls below (12 for each): 48 pread');
  expect(found.sites).toMatchObject([{ site: 12, events: 4 }]);
});

test('without stacks the file takes the place of the line', () => {
  const rows = one('H5Dwrite', 8 * MIB, 'pwrite', MANY).map((row) => ({ ...row, line: undefined }));
  const found = layerFindings(layerTrace(rows)).get('L20')!;
  expect(found.sites).toEqual([]);
  expect(found.files).toMatchObject([{ file: 0, events: 1 }]);
});

test('links that go in a circle end the search for callers, not the analysis', () => {
  const rows: LayerRow[] = [
    { call: 'H5Dwrite', start: 0, duration: 10, bytes: 1, parent: 1 },
    { call: 'MPI_File_write_at', start: 0, duration: 10, bytes: 1, parent: 0 },
    { call: 'pwrite', start: 1, duration: 5, bytes: 1, parent: 1 },
  ];
  expect([...layerFindings(layerTrace(rows)).keys()]).toEqual([]);
});

/** Ranks that each open data sets; `readers` of them read their descriptions by themselves. */
function described(ranks: number, readers: number): LayerRow[] {
  const rows: LayerRow[] = [];
  for (let stream = 0; stream < ranks; stream++) {
    for (let opened = 0; opened < 10; opened++) {
      const start = opened * 1e5;
      const parent = rows.push({ call: 'H5Dopen2', start, duration: 9e4, stream, line: 25 }) - 1;
      for (let number = 0; number < 2 && stream < readers; number++)
        rows.push({ call: 'pread', start: start + 10, duration: 4e4, stream, bytes: 512, offset: 0, parent, line: 25 });
    }
  }
  return rows;
}

test('metadata that every rank reads for itself are found at their line; read by one for all they are not', () => {
  const found = layerFindings(layerTrace(described(4, 4), { ranks: 4 }));
  expect(found.get('L30')!.message).toContain(
    '40 × H5Dopen2 of 4 processes became 80 small reads and writes of metadata below (512 B on average: 80 pread), made by 4 processes, each for itself',
  );
  expect(found.get('L30')!.sites).toMatchObject([{ site: 25, events: 40, streams: 4 }]);
  expect(layerFindings(layerTrace(described(4, 1), { ranks: 4 })).has('L30')).toBe(false);
});

test('calls in between that move nothing are no requests', () => {
  const rows = one('H5Dwrite', 8 * MIB, 'pwrite', MANY);
  for (let number = 0; number < 20; number++)
    rows.push({ call: 'MPI_File_set_view', start: number, duration: 1, parent: 0, line: 7 });
  const { evidence } = layerFindings(layerTrace(rows)).get('L20')!;
  expect(evidence).toMatchObject({ lowerCalls: 64, lowerOtherCalls: 0 });
});

test('what a data set moves is no metadata, however little and whether its size was recorded or not; an attribute is', () => {
  const written = (call: LayerCallName, bytes = 0): LayerRow[] =>
    described(4, 4).map((row) => (row.call === 'H5Dopen2' ? { ...row, call, bytes } : { ...row, call: 'pwrite' }));
  expect(layerFindings(layerTrace(written('H5Dwrite'), { ranks: 4 })).has('L30')).toBe(false);
  expect(layerFindings(layerTrace(written('H5Dwrite', 8), { ranks: 4 })).has('L30')).toBe(false);
  expect(layerFindings(layerTrace(written('H5Awrite'), { ranks: 4 })).has('L30')).toBe(true);
});

test('metadata that every rank reads for itself do not explain what another line does element by element', () => {
  const metadata = described(4, 4);
  const data = elementWise().map((row) => ({
    ...row,
    ...(row.parent !== undefined && { parent: row.parent + metadata.length }),
  }));
  const shared = layerFindings(layerTrace([...metadata, ...data], { ranks: 4 }));
  expect(shared.get('L30')!.sites).toMatchObject([{ site: 25 }]);
  for (const code of ['M03', 'P06', 'P16'])
    expect(shared.get(code)!.sites.map(({ site, explainedBy }) => [site, explainedBy === 'L30'])).toContainEqual([
      31,
      false,
    ]);
});

/** Elements of 8 B that four ranks write one by one into a shared data set, each by its own call. */
function elementWise(): LayerRow[] {
  const rows: LayerRow[] = [];
  for (let element = 0; element < 2000; element++) {
    const stream = element % 4;
    const start = element * 20_000;
    const upper = { stream, start, duration: 10_000, bytes: 8, line: 31 };
    const parent = rows.push({ ...upper, call: 'H5Dwrite' }) - 1;
    const mpi = rows.push({ ...upper, call: 'MPI_File_write_at', start: start + 10, duration: 9000, parent }) - 1;
    const lower = { stream, start: start + 20, duration: 8000, bytes: 8, offset: 2048 + element * 8, line: 31 };
    rows.push({ ...lower, call: 'pwrite', parent: mpi });
  }
  return rows;
}

test('element-wise independent transfers of HDF5 are what they are: no metadata hide them', () => {
  const found = layerFindings(layerTrace(elementWise(), { ranks: 4 }));
  expect(found.has('L30')).toBe(false);
  for (const code of ['M03', 'P16']) expect([code, found.get(code)?.sites[0]?.site]).toEqual([code, 31]);
  expect(found.get('M03')!.sites[0]!.explainedBy).toBeUndefined();
});

test('what is said of a split call holds for contiguous data sets too, and gaps between its pieces are named', () => {
  const advice = (rows: readonly LayerRow[]): string =>
    layerFindings(layerTrace(rows)).get('L20')!.recommendations[0]!.text;
  const chunks = one('H5Dwrite', 8 * MIB, 'pwrite', MANY);
  const rows = chunks.map((row) => (row.offset === undefined ? row : { ...row, offset: row.offset * 8 }));
  expect(advice(rows)).toContain('run of elements that lie side by side in the file: here gaps lie between them.');
  expect(advice(chunks)).not.toContain('gaps');
  expect(advice(chunks)).not.toContain('contiguously');
});

test('only where several processes call is there advice to transfer together', () => {
  const snippet = (rows: readonly LayerRow[], ranks: number): string =>
    layerFindings(layerTrace(rows, { ranks })).get('L20')!.recommendations[0]!.snippet!.code;
  const alone = one('H5Dwrite', 8 * MIB, 'pwrite', MANY);
  const second = alone.map((row) => ({
    ...row,
    stream: 1,
    ...(row.parent !== undefined && { parent: alone.length }),
  }));
  expect(snippet(alone, 1)).not.toContain('H5Pset_dxpl_mpio');
  expect(snippet([...alone, ...second], 2)).toContain('H5Pset_dxpl_mpio');
});

test('time that a library takes for itself is not put on what it makes the layer below do', () => {
  // Reads before each write, as of h5bench: 20 ms of 1.18 s.
  const rows: LayerRow[] = [];
  for (let number = 0; number < 100; number++) {
    const start = number * 12e6;
    const parent = rows.push({ call: 'H5Dwrite', start, duration: 11.8e6, bytes: MIB, line: 7 }) - 1;
    for (const call of ['pread', 'pwrite'] as const) {
      const at = start + (call === 'pread' ? 1000 : 200_000);
      rows.push({ call, start: at, duration: 100_000, bytes: MIB, offset: number * MIB, parent, line: 7 });
    }
  }
  expect(layerFindings(layerTrace(rows)).has('L21')).toBe(false);
  const shown = layerFindings(layerTrace(rows), { site_share: 0.01 }).get('L21')!;
  expect(shown.evidence['timeNs']).toBe(20e6);
  expect(shown.message).toContain('; the calls below cost 20 ms, 1.7 % of the run');
  expect(shown.message).toContain(
    'Of the 1.18 s from call to return 1.16 s are spent above them, in the library itself.',
  );
  expect(shown.severity).toBe('info');
});
