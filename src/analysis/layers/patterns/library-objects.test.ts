import { expect, test } from 'vitest';
import { NONE } from '../../../trace/events.ts';
import { layerEstimates, layerFindings, layerTrace, type LayerRow } from '../../../../test/support/layer-rows.ts';

const US = 1000;

/** Each step makes or opens a data set, writes it, and closes it, which writes what the library holds. */
function steps(count: number, first: 'H5Dcreate2' | 'H5Dopen2', bytes: number): LayerRow[] {
  return Array.from({ length: count }, (_, step): LayerRow[] => {
    const start = step * 1000 * US;
    const row = 4 * step;
    return [
      { call: first, start, duration: 100 * US, line: 5 },
      { call: 'H5Dwrite', start: start + 200 * US, duration: 5 * US, bytes, line: 6 },
      { call: 'H5Dclose', start: start + 300 * US, duration: 50 * US, line: 7 },
      { call: 'pwrite', start: start + 301 * US, duration: 10 * US, bytes, offset: step * bytes, parent: row + 2 },
    ];
  }).flat();
}

test('data sets each of which is made for a few values are many objects, and what their closing writes follows', () => {
  const found = layerFindings(layerTrace(steps(100, 'H5Dcreate2', 256)));
  const { message, sites, recommendations, severity } = found.get('L40')!;
  expect(message).toContain('100 × H5Dcreate2 each make an object of their own; they cost 10 ms');
  expect(sites.map(({ site }) => site)).toEqual([5, 7]);
  expect(severity).toBe('warn');
  expect(recommendations[0]!.text).toContain('Make fewer, larger objects');
  expect(found.has('L42')).toBe(false);
});

test('data sets that are opened around each access are told to stay open, and explain what their transfers do', () => {
  const made: LayerRow = { call: 'H5Dcreate2', start: 0, duration: 100 * US, line: 2 };
  const rows = steps(100, 'H5Dopen2', 256).map((row) =>
    row.parent === undefined ? row : { ...row, parent: row.parent + 1 },
  );
  const found = layerFindings(layerTrace([made, ...rows.map((row) => ({ ...row, start: row.start + 1000 * US }))]));
  expect(found.get('L42')!.sites.map(({ site }) => site)).toEqual([5, 7]);
  expect(found.get('L42')!.recommendations[0]!.text).toContain('Open each data set once before the loop');
  expect(found.has('L40')).toBe(false);
});

test.each([
  ['the same data set each time', () => 'x', true],
  ['another one each time', (step: number) => `x${step}`, false],
])('of a file that is only read, opened by h5py: %s', (_what, nameOf, isReopened) => {
  const rows = Array.from({ length: 100 }, (_, step): LayerRow[] => [
    { call: 'H5Oopen', start: step * 1000 * US, duration: 100 * US, line: 5, handle: step },
    { call: 'H5Dread', start: step * 1000 * US + 200 * US, duration: 5 * US, bytes: 8, line: 5, handle: step },
    { call: 'H5Idec_ref', start: step * 1000 * US + 300 * US, duration: 50 * US, line: 5, handle: step },
  ]).flat();
  const trace = layerTrace(rows);
  for (let step = 0; step < 100; step++) trace.handles.add(0, 0, NONE);
  const handleNames = new Map(Array.from({ length: 100 }, (_, step) => [step, nameOf(step)]));
  const definitions = { paradigms: [], files: [], communicators: [], handleNames };
  const found = layerFindings({ ...trace, definitions });
  expect(found.has('L42')).toBe(isReopened);
  if (!isReopened) return;
  const { message, recommendations } = found.get('L42')!;
  expect(message).toContain('100 × H5Oopen open the same data set, group or attribute; they cost 10 ms');
  expect(recommendations[0]!.text).toContain("x = f['x'] before the loop");
});

test('objects that are said to lie in each other are told by the names that there are', () => {
  const rows = Array.from({ length: 100 }, (_, step): LayerRow[] => [
    { call: 'H5Oopen', start: step * 1000 * US, duration: 100 * US, line: 5, handle: step % 2 },
    { call: 'H5Idec_ref', start: step * 1000 * US + 300 * US, duration: 50 * US, line: 5, handle: step % 2 },
  ]).flat();
  const trace = layerTrace(rows);
  trace.handles.add(0, 0, 1);
  trace.handles.add(0, 0, 0);
  const handleNames = new Map([
    [0, 'a'],
    [1, 'b'],
  ]);
  const found = layerFindings({ ...trace, definitions: { paradigms: [], files: [], communicators: [], handleNames } });
  expect(found.has('L42')).toBe(true);
});

test('data sets of a file that is only read may each be another one: nothing is said of opening them', () =>
  expect(layerFindings(layerTrace(steps(100, 'H5Dopen2', 256))).has('L42')).toBe(false));

test('a few large data sets are none', () => {
  const rows = steps(8, 'H5Dcreate2', 4 << 20);
  const found = layerFindings(layerTrace(rows));
  expect([found.has('L40'), found.has('L42')]).toEqual([false, false]);
});

/** Reads of parts of two chunks in turns, each of which the library reads and unpacks for every call. */
function parts(count: number, chunkOf: (number: number) => number): LayerRow[] {
  return Array.from({ length: count }, (_, number): LayerRow[] => [
    { call: 'H5Dread', start: number * 1000 * US, duration: 500 * US, bytes: 8192, line: 9 },
    {
      ...{ call: 'pread', start: number * 1000 * US + 10, duration: 20 * US, bytes: 50_000 },
      ...{ offset: chunkOf(number) * 50_000, parent: 2 * number },
    },
  ]).flat();
}

test('chunks that are read and unpacked anew for each call cost what the library does with them', () => {
  const { run, insights } = layerEstimates(layerTrace(parts(100, (number) => number % 2)));
  const { message, evidence, gain, severity } = insights.find(({ code }) => code === 'L41')!;
  expect(message).toContain(
    '100 × H5Dread of 8 KiB read 100 pieces of the file, 98 of them (98 %) not for the first time',
  );
  expect(evidence).toMatchObject({ pieces: 100, piecesAgain: 98, distinctBytes: 100_000, libraryTimeNs: 48_000 * US });
  // 98 of 100 pieces, 480 µs each.
  expect(gain.savedNs).toBeCloseTo(98 * 480 * US);
  expect(severity).toBe('high');
  expect(run.savableNs).toBeGreaterThanOrEqual(gain.savedNs!);
});

test('chunks each of which is read once are none', () =>
  expect(layerFindings(layerTrace(parts(100, (number) => number))).has('L41')).toBe(false));

test('a flush of the library after each record is the cause of what it writes', () => {
  const rows = Array.from({ length: 100 }, (_, step): LayerRow[] => [
    { call: 'H5Dwrite', start: step * 1000 * US, duration: 5 * US, bytes: 100, line: 3 },
    { call: 'H5Fflush', start: step * 1000 * US + 10 * US, duration: 300 * US, line: 4 },
    {
      ...{ call: 'pwrite', start: step * 1000 * US + 20 * US, duration: 100 * US, bytes: 65_536 },
      ...{ offset: 0, parent: 3 * step + 1, line: 4 },
    },
  ]).flat();
  const found = layerFindings(layerTrace(rows));
  const { message, sites, recommendations } = found.get('L43')!;
  expect(message).toContain('100 × H5Fflush write what the library holds and would have gathered; they cost 30 ms');
  expect(sites.map(({ site }) => site)).toEqual([4]);
  expect(recommendations[0]!.text).toContain('Leave H5Fflush to the end or to a checkpoint');
  expect(found.get('P10')!.follows).toEqual(['L43']);
});

test('files of the classic format of NetCDF are told nothing of chunks, those of HDF5 are', () => {
  const rows = (isHdf5: boolean): LayerRow[] =>
    Array.from({ length: 40 }, (_, number): LayerRow[] => {
      const first = number * (isHdf5 ? 10 : 9);
      const top: LayerRow = {
        call: 'nc_put_vara_double',
        start: number * 1000 * US,
        duration: 900 * US,
        bytes: 65_536,
        line: 2,
      };
      const between: LayerRow[] = isHdf5
        ? [{ call: 'H5Dwrite', start: top.start + 1, duration: 890 * US, bytes: 65_536, parent: first }]
        : [];
      const writes = Array.from({ length: 8 }, (_each, i): LayerRow => ({
        ...{ call: 'pwrite', start: top.start + 10 + i * 100 * US, duration: 90 * US, bytes: 8192 },
        ...{ offset: (number * 8 + i) * 8192, parent: first + between.length },
      }));
      return [top, ...between, ...writes];
    }).flat();
  const advice = (isHdf5: boolean): string =>
    layerFindings(layerTrace(rows(isHdf5)))
      .get('L20')!
      .recommendations.map(({ text }) => text)
      .join(' ');
  expect(advice(false)).toContain('nc__create');
  expect(advice(false)).not.toContain('chunk');
  expect(advice(true)).toContain('chunk');
});
