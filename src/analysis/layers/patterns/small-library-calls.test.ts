import { expect, test } from 'vitest';
import { layerFindings, layerTrace, type LayerRow } from '../../../../test/support/layer-rows.ts';

/** Calls of a library, of which every fiftieth makes a request. */
function gathered(call: LayerRow['call'], count: number, bytes: number, requestNs = 2000): LayerRow[] {
  const rows: LayerRow[] = [];
  for (let number = 0; number < count; number++) {
    const start = number * 20_000;
    const parent = rows.push({ call, start, duration: 10_000, bytes, line: 7 }) - 1;
    if (number % 50 === 49)
      rows.push({ call: 'pwrite', start: start + 1000, duration: requestNs, bytes: 50 * bytes, offset: 0, parent });
  }
  return rows;
}

test('small calls that the library gathers are found at their line, with what the library itself takes', () => {
  const found = layerFindings(layerTrace(gathered('H5Dwrite', 200, 512))).get('L32')!;
  expect(found.message).toBe(
    '200 × H5Dwrite of 512 B became 4 pwrite: the library gathers them, and its own work, 9.96 µs for each call, is what costs. Without the calls below they cost 1.99 ms, 50 % of the run.',
  );
  expect(found.sites).toMatchObject([{ site: 7, events: 200, severity: 'high' }]);
  expect(found.evidence).toMatchObject({ upperCalls: 200, lowerCalls: 4, lowerTimeNs: 8000, libraryTimeNs: 1_992_000 });
  // 199 of 200 calls fewer, 9.96 µs each, less a copy of 100 KiB.
  expect(found.gain.savedNs).toBeCloseTo(199 * 9960 - 0.25 * 200 * 512, -1);
  const { snippet, alternatives } = found.recommendations[0]!;
  // The line is one of C.
  expect([snippet!.language, alternatives]).toEqual(['c', undefined]);
});

test('all of what a library is handed may stay in its memory', () => {
  const writes = gathered('H5Dwrite', 200, 8).filter(({ call }) => call === 'H5Dwrite');
  const closing: LayerRow[] = [
    { call: 'H5Dclose', start: 5_000_000, duration: 5000 },
    { call: 'pwrite', start: 5_001_000, duration: 2000, bytes: 1600, offset: 0, parent: writes.length },
  ];
  const { message } = layerFindings(layerTrace([...writes, ...closing])).get('L32')!;
  expect(message).toContain('200 × H5Dwrite of 8 B made no request: the library gathers them');
  // Of another file requests were recorded, of this one none: nobody knows what became of its writes.
  const elsewhere = closing.map((row) => ({ ...row, file: 1 }));
  expect(layerFindings(layerTrace([...writes, ...elsewhere])).has('L32')).toBe(false);
});

test('what another library serves from its memory is no request', () => {
  const rows = Array.from({ length: 200 }, (_, number): LayerRow[] => [
    { call: 'nc_put_var1_double', start: number * 20_000, duration: 10_000, bytes: 8, line: 7 },
    { call: 'H5Dwrite', start: number * 20_000 + 100, duration: 1000, bytes: 8, parent: 2 * number },
  ]).flat();
  const found = layerFindings(layerTrace(rows)).get('L32')!;
  expect(found.message).toContain('200 × nc_put_var1_double of 8 B became 200 H5Dwrite: the library gathers them');
});

test('large calls, few calls, and calls whose requests are what costs are none', () => {
  expect(layerFindings(layerTrace(gathered('H5Dwrite', 200, 8192))).has('L32')).toBe(false);
  expect(layerFindings(layerTrace(gathered('H5Dwrite', 20, 512))).has('L32')).toBe(false);
  const each = gathered('H5Dwrite', 200, 512).filter(({ call }) => call === 'H5Dwrite');
  const rows = each.flatMap((row, number): LayerRow[] => [
    row,
    { call: 'pwrite', start: row.start + 100, duration: 9000, bytes: 512, offset: number * 512, parent: 2 * number },
  ]);
  expect(layerFindings(layerTrace(rows)).has('L32')).toBe(false);
  const quick = rows.map((row) => (row.call === 'pwrite' ? { ...row, duration: 900 } : row));
  expect(layerFindings(layerTrace(quick)).has('L32')).toBe(false);
});

test('streams of the C library are made for small pieces', () =>
  expect(layerFindings(layerTrace(gathered('fread', 200, 16))).has('L32')).toBe(false));
