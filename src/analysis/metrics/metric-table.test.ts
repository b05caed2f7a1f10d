import fc from 'fast-check';
import { expect, test } from 'vitest';
import { METRIC, MetricTable } from './metric-table.ts';

const METRICS = Object.values(METRIC);

test('rows hold what was added to them, and to those that were added to them', () => {
  const rows = 300;
  const added = fc.tuple(
    // Few rows are added to often.
    fc.oneof(fc.nat(rows - 1), fc.constantFrom(1, 7)),
    fc.constantFrom(...METRICS),
    fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  );
  fc.assert(
    fc.property(
      fc.array(added, { maxLength: 100 }),
      fc.array(fc.nat(rows - 1), { maxLength: 9 }),
      fc.constantFrom(1, 120),
      (list, summed, times) => {
        const table = new MetricTable();
        while (table.length < rows) table.addRow();
        const expected = Array.from({ length: rows }, () => new Float64Array(METRICS.length));
        for (let turn = 0; turn < times; turn++)
          for (const [row, metric, amount] of list) {
            table.add(row, metric, amount);
            expected[row]![metric]! += amount;
          }
        const sum = new MetricTable();
        const expectedSum = new Float64Array(METRICS.length);
        sum.addRow();
        for (const row of summed) {
          sum.addFrom(0, table, row);
          for (const metric of METRICS) expectedSum[metric]! += expected[row]![metric]!;
        }
        const valuesOf = (of: MetricTable, row: number): Float64Array =>
          Float64Array.from(METRICS, (metric) => of.at(row, metric));
        for (const [row] of list) expect(valuesOf(table, row)).toEqual(expected[row]!);
        expect(valuesOf(sum, 0)).toEqual(expectedSum);
      },
    ),
  );
});

test('what is never counted takes no memory', () => {
  const before = process.memoryUsage().arrayBuffers;
  const table = new MetricTable();
  for (let file = 0; file < 100_000; file++) table.add(table.addRow(), METRIC.opens, 1);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2e6);
  expect(table.get(99_999, 'opens')).toBe(1);
});
