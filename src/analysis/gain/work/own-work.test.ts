import { expect, test } from 'vitest';
import { layerEstimates, layerTrace, type LayerRow } from '../../../../test/support/layer-rows.ts';

const US = 1000;

/** Creations of data sets, which make no request, between two writes that do. */
function creations(count: number): LayerRow[] {
  const rows: LayerRow[] = [
    { call: 'H5Dwrite', start: 0, duration: 100 * US, bytes: 1 << 20, line: 4 },
    { call: 'pwrite', start: 10, duration: 90 * US, bytes: 1 << 20, offset: 0, parent: 0 },
  ];
  for (let i = 0; i < count; i++)
    rows.push({ call: 'H5Awrite', start: (200 + 50 * i) * US, duration: 40 * US, line: 9 });
  return rows;
}

test('what a library does itself is dear without any request, and is told with its calls', () => {
  const { unmarked } = layerEstimates(layerTrace(creations(20)));
  const own = unmarked.find(({ sites }) => sites.includes(9))!;
  expect(own).toMatchObject({ kind: 'unjudged', events: 20, timeNs: 800 * US });
  expect(own.what).toBe(
    'no rule covers 20 calls of H5Awrite (40 µs each in the library itself, without the requests below)',
  );
  expect(own.cost.untracedNs).toBeCloseTo(800 * US);
});

test('what the requests below take is none of it', () => {
  const { unmarked } = layerEstimates(layerTrace(creations(1)));
  // 10 µs of the write are the library's own: less than a tenth of 140 µs.
  expect(unmarked.filter(({ what }) => what.includes('H5Dwrite'))).toEqual([]);
  expect(unmarked.map(({ events }) => events)).toEqual([1, 1]);
});

test('all findings together save what a library does itself, too, and no more than there is', () => {
  const rows = Array.from({ length: 200 }, (_, i): LayerRow => ({
    ...{ call: 'H5Dwrite', start: i * 20 * US, duration: 10 * US, bytes: 8, line: 7 },
  }));
  rows.push({ call: 'pwrite', start: 199 * 20 * US + 100, duration: US, bytes: 1600, offset: 0, parent: 199 });
  const { run, insights } = layerEstimates(layerTrace(rows));
  const { gain } = insights.find(({ code }) => code === 'L32')!;
  expect(run.savableNs).toBeCloseTo(gain.savedNs!);
  expect(run.savableNs).toBeLessThanOrEqual(run.ioNs);
});
