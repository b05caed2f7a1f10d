import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layerFindings, layerTrace, type LayerRow } from '../../../../test/support/layer-rows.ts';
import { layerCallsOf } from '../../../../test/support/layer-rows.ts';
import { sievingOf } from './data-sieving.ts';

const MIB = 1 << 20;

/** One read for `useful` bytes, served by reads one behind the other. */
function sievedRead(useful: number, pieces: readonly number[]): LayerRow[] {
  let offset = 0;
  const below = pieces.map((bytes, number): LayerRow => {
    const row: LayerRow = { call: 'pread', start: 10 + number * 100, duration: 90, bytes, offset, parent: 0, line: 4 };
    offset += bytes;
    return row;
  });
  return [{ call: 'MPI_File_read', start: 0, duration: 20 + pieces.length * 100, bytes: useful, line: 4 }, ...below];
}

/** One write for `useful` bytes into blocks that are read, changed and written back. */
function sievedWrite(useful: number, blocks: readonly number[]): LayerRow[] {
  const rows: LayerRow[] = [{ call: 'MPI_File_write', start: 0, duration: 1e6, bytes: useful, line: 4 }];
  let offset = 0;
  blocks.forEach((bytes, number) => {
    const common = { duration: 90_000, bytes, offset, parent: 0, line: 4 };
    rows.push({ call: 'pread', start: 10 + number * 200_000, ...common });
    rows.push({ call: 'pwrite', start: 100_010 + number * 200_000, ...common });
    offset += bytes;
  });
  return rows;
}

test('figure 3.18: 32 MiB asked for, 40 MiB read; that is worth its while, and no squiggle', () => {
  const pieces = Array.from({ length: 10 }, () => 4 * MIB);
  const found = layerFindings(layerTrace(sievedRead(32 * MIB, pieces)));
  const sieving = found.get('L22')!;
  expect(sieving.message).toContain(
    '1 MPI_File_read for 32 MiB, with gaps between its pieces, is served by 10 reads of 40 MiB (data sieving): 8 MiB (20 %) are holes that nobody asked for, 80 % of what is moved is used',
  );
  expect(sieving.severity).toBe('ok');
  expect(sieving.sites).toMatchObject([{ site: 4, severity: 'ok' }]);
  expect(sieving.evidence).toMatchObject({
    usefulBytes: 32 * MIB,
    holeBytes: 8 * MIB,
    efficiency: 0.8,
    lowerReads: 10,
  });
  expect(found.has('L21'), 'the same is not said twice').toBe(false);
});

test('the picture has what was asked for, the holes and the reads along the file', () => {
  const pieces = Array.from({ length: 10 }, () => 4 * MIB);
  const { picture } = layerFindings(layerTrace(sievedRead(32 * MIB, pieces))).get('L22')!;
  expect(picture).toMatchObject({ axis: 'offset', from: 0, to: 40 * MIB });
  expect(picture!.lanes.map(({ label, bars }) => [label, bars.map(({ kind }) => kind)])).toEqual([
    ['MPI_File_read', ['call', 'hole']],
    ['reads below', Array.from({ length: 10 }, () => 'read')],
  ]);
});

test('where little of it is used, it is a finding with a way out', () => {
  const sieving = layerFindings(
    layerTrace(
      sievedRead(
        MIB,
        Array.from({ length: 10 }, () => 4 * MIB),
      ),
    ),
  ).get('L22')!;
  expect(sieving.severity).toBe('high');
  expect(sieving.recommendations.map(({ snippet }) => snippet!.title)).toEqual([
    'MPI-IO: all pieces by one collective read',
    'MPI-IO: no data sieving for reads',
  ]);
});

test('writes read what is around their pieces, and write it back', () => {
  const sieving = layerFindings(
    layerTrace(
      sievedWrite(
        4 * MIB,
        Array.from({ length: 4 }, () => 4 * MIB),
      ),
    ),
  ).get('L22')!;
  expect(sieving.message).toContain('4 reads of 16 MiB before 4 writes of 16 MiB');
  expect(sieving.evidence).toMatchObject({ holeBytes: 12 * MIB, movedBytes: 32 * MIB, efficiency: 0.125 });
  expect(sieving.severity).toBe('high');
});

test('an access without gaps is not sieved', () => {
  expect(
    layerFindings(
      layerTrace(
        sievedRead(
          40 * MIB,
          Array.from({ length: 10 }, () => 4 * MIB),
        ),
      ),
    ).has('L22'),
  ).toBe(false);
  const plain = sievedWrite(
    16 * MIB,
    Array.from({ length: 4 }, () => 4 * MIB),
  );
  expect(layerFindings(layerTrace(plain)).has('L22')).toBe(false);
});

test('a stream that reads ahead is no data sieving, but moves more bytes', () => {
  const rows: LayerRow[] = [];
  for (let number = 0; number < 40; number++) {
    const parent = rows.push({ call: 'fread', start: number * 1000, duration: 900, bytes: 100, line: 9 }) - 1;
    rows.push({
      call: 'pread',
      start: number * 1000 + 1,
      duration: 800,
      bytes: 4096,
      offset: number * 1e6,
      parent,
      line: 9,
    });
  }
  const found = layerFindings(layerTrace(rows));
  expect(found.has('L22')).toBe(false);
  expect(found.get('L21')!.message).toContain('41 times as much: the buffer of the stream reads on past');
});

test.each([
  ['read before write', [64, 64], [100], 'what is around the data is read before it is written'],
  ['moved again', [], [0, 0, 0, 0], 'the same bytes are moved several times'],
])('more bytes below: %s', (_, reads, places, words) => {
  const rows: LayerRow[] = [{ call: 'H5Dwrite', start: 0, duration: 1e6, bytes: 2 * MIB, line: 5 }];
  for (const offset of reads) rows.push({ call: 'pread', start: 1, duration: 3e5, bytes: 2 * MIB, offset, parent: 0 });
  for (const offset of places)
    rows.push({ call: 'pwrite', start: 9, duration: 2e5, bytes: 2 * MIB, offset, parent: 0 });
  expect(layerFindings(layerTrace(rows)).get('L21')!.message).toContain(words);
});

const pieces = fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 30 });

test('holes are never less than none, and never more than was moved', () =>
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 2000 }), (sizes, useful) => {
      const calls = layerCallsOf(layerTrace(sievedRead(useful, sizes)));
      const group = calls.upper!.groups[0]!;
      const moved = sizes.reduce((sum, size) => sum + size, 0);
      expect(group.lower.readBytes).toBe(moved);
      expect(group.lower.reads).toBe(sizes.length);
      const sieving = sievingOf(group, 1.2);
      expect(sieving === undefined).toBe(moved < 1.2 * useful);
      if (sieving === undefined) return;
      expect(sieving.holes).toBeGreaterThanOrEqual(0);
      expect(sieving.holes + sieving.useful).toBe(sieving.moved);
      expect(sieving.efficiency).toBeGreaterThan(0);
      expect(sieving.efficiency).toBeLessThanOrEqual(1);
    }),
  ));
