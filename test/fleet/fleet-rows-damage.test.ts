/** Rows of logs whose counters are anything at all: each is a row that the store takes, or no row. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { TableDefinition } from '../../src/fleet/schema/table.ts';
import { TABLES, type TableName } from '../../src/fleet/schema/tables.ts';
import { parquetPart } from '../../src/fleet/store/parquet-part.ts';
import { Words, writeLog } from '../support/darshan/darshan-writer.ts';
import { rowsOf } from '../support/store-rows.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'rows-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FILES = [11n, 12n, 13n, 14n] as const;
/** Modules whose records have a fixed length: place in the header, version, bytes of a record. */
const MODULES = [
  [1, 4, 704],
  [2, 3, 560],
  [9, 2, 248],
] as const;

/** Numbers as Darshan writes them, and some that it never would. */
const word = fc.oneof(
  fc.bigInt({ min: -1n, max: 100_000n }),
  fc.constantFrom(0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 40n),
  fc.double({ min: 0, max: 1000, noNaN: true }).map(bitsOf),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
);

function bitsOf(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigInt64(0);
}

const recordOf = (bytes: number) =>
  fc
    .record({
      file: fc.constantFrom(...FILES),
      rank: fc.integer({ min: -1, max: 3 }),
      values: fc.array(word, { minLength: bytes / 8 - 2, maxLength: bytes / 8 - 2 }),
    })
    .map(({ file, rank, values }) => new Words().int(file, rank, ...values).bytes);

const layoutOf = fc
  .record({
    file: fc.constantFrom(...FILES),
    head: fc.array(word, { minLength: 4, maxLength: 4 }),
    targets: fc.array(word),
  })
  .map(({ file, head, targets }) => new Words().int(file, -1, ...head, targets.length, ...targets).bytes);

const log = fc
  .tuple(
    fc.array(layoutOf, { maxLength: 3 }),
    ...MODULES.map(([, , bytes]) => fc.array(recordOf(bytes), { maxLength: 4 })),
  )
  .map(([layouts, ...records]) =>
    writeLog({
      packing: 'none',
      mounts: [
        ['/scratch', 'lustre'],
        ['/', 'ext4'],
      ],
      names: [
        [11n, '/scratch/a'],
        [12n, '/home/b'],
        [13n, '<STDOUT>'],
      ],
      modules: [
        ...MODULES.map(([slot, version], i) => ({ slot, version, streams: [Buffer.concat(records[i]!)] })),
        { slot: 8, version: 1, streams: [Buffer.concat(layouts)] },
      ].filter(({ streams }) => streams[0]!.length > 0),
    }),
  );

test('whatever a log counts, its rows are numbers that a store takes', { timeout: 60_000 }, async () => {
  const location = path.join(folder, 'any.darshan');
  let fileRows = 0;
  await fc.assert(
    fc.asyncProperty(log, async (bytes) => {
      writeFileSync(location, bytes);
      const { rows } = await rowsOf(location);
      for (const [table, ofTable] of Object.entries(rows)) {
        const definition: TableDefinition = TABLES[table as TableName];
        const columns = Object.entries(definition.columns);
        for (const row of ofTable as readonly Readonly<Record<string, unknown>>[]) {
          expect(Object.keys(row).sort()).toEqual(columns.map(([name]) => name).sort());
          for (const [name, { type }] of columns)
            expect(isA(type, row[name]), `${table}.${name}: ${String(row[name])}`).toBe(true);
        }
        expect((await parquetPart(table as TableName, ofTable as never)).length).toBeGreaterThan(0);
      }
      const [job] = rows.job!;
      fileRows += rows.file!.length;
      expect(job!.files).toBe(rows.file!.length);
      expect(rows.file!.some((file) => file.path === '<STDOUT>')).toBe(false);
    }),
    { numRuns: 60 },
  );
  expect(fileRows).toBeGreaterThan(60);
});

function isA(type: string, value: unknown): boolean {
  if (value === null) return true;
  if (type === 'integers')
    return (value as number[]).every((each) => Number.isInteger(each) && Math.abs(each) < 2 ** 31);
  if (type === 'texts') return Array.isArray(value);
  if (type === 'text' || type === 'boolean') return typeof value === (type === 'text' ? 'string' : 'boolean');
  return typeof value === 'number' && Number.isFinite(value);
}
