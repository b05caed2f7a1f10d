import { expect, test } from 'vitest';
import type { CauseFileDocument } from '../../export/fleet/causes-document.ts';
import { SvgSurface } from '../offsets/surface.ts';
import { parseColour } from '../timeline/category-colours.ts';
import { drawIntervals, intervalRows, wholeOf, type FileInterval } from './interval-picture.ts';

const RED = '#ff0000';
const BLUE = '#0000ff';

function interval(path: string, start: number | null, end: number | null, from: number | null = null, seconds = 0) {
  return { path, start, end, exclusiveFrom: from, exclusiveSeconds: seconds } satisfies Partial<CauseFileDocument>;
}

/** Figure 3 of the paper. */
const FILES: FileInterval[] = [
  interval('/File1', 0, 10, 0, 10),
  interval('/File2', 6, 12, 10, 2),
  interval('/File4', 16, 18, 16, 2),
  interval('/File3<script>', 4, 8),
  interval('/without-times', null, null),
];

function svgOf(files: readonly FileInterval[], rows: readonly number[], scrollTop = 0): string {
  const surface = new SvgSurface();
  const grey = parseColour('#808080');
  const colours = { text: grey, softText: grey, background: grey, rule: grey, chosen: grey };
  drawIntervals(surface, {
    width: 490,
    height: 200,
    visible: wholeOf(files),
    files,
    rows,
    scrollTop,
    chosen: undefined,
    colours: { ...colours, bar: parseColour(BLUE), critical: parseColour(RED) },
  });
  return surface.document('Figure 3', 490, 200, grey);
}

function boxes(svg: string, colour: string): { x: number; width: number; height: number }[] {
  return [...svg.matchAll(/<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="(\d+)" fill="(#\w+)"/g)]
    .filter(([, , , , fill]) => fill === colour)
    .map(([, x, width, height]) => ({ x: Number(x), width: Number(width), height: Number(height) }));
}

test('figure 3: a bar for each file, and its critical part marked there and in the path', () => {
  const svg = svgOf(FILES, [0, 1, 2, 3, 4]);
  const scale = (490 - 147 - 12) / 18;
  const at = (from: number, seconds: number) => ({
    x: expect.closeTo(147 + from * scale, 1) as number,
    width: expect.closeTo(seconds * scale, 1) as number,
  });
  expect(boxes(svg, BLUE)).toMatchObject([at(0, 10), at(6, 6), at(16, 2), at(4, 4)]);
  const stretches = [at(0, 10), at(10, 2), at(16, 2)];
  expect(boxes(svg, RED)).toMatchObject([...stretches, ...stretches]);
  expect(svg).toContain('/File3&lt;script&gt;');
  expect(svg).toContain('>10 s<');
});

test('only rows in sight are drawn, the path always whole', () => {
  const many = Array.from({ length: 5000 }, (_, i) => interval(`/f${i}`, i, i + 1, i, 1));
  const svg = svgOf(
    many,
    many.map((_, i) => i),
    40_000,
  );
  expect(svg).toContain('/f2000');
  expect(svg).not.toContain('/f1999<');
  expect(boxes(svg, BLUE).length).toBeLessThan(12);
});

test('rows are filtered and ordered; what has no times stands last', () => {
  expect(intervalRows(FILES, 'file', 'critical')).toEqual([0, 1, 2, 3]);
  expect(intervalRows(FILES, '', 'start')).toEqual([0, 3, 1, 2, 4]);
  expect(intervalRows(FILES, '', 'length')).toEqual([0, 1, 3, 2, 4]);
  expect(intervalRows(FILES, ' FILE2', 'name')).toEqual([1]);
});

test('nothing known still has an axis', () => {
  expect(wholeOf([interval('/a', null, null)])).toEqual({ fromNs: 0, toNs: 1e9 });
  expect(svgOf([], [])).toContain('Critical path');
});

test('what is too short for the screen is seen, also at the very end', () => {
  const files = [interval('/whole', 0, 1000, 0, 999.999), interval('/last', 999.999, 1000, 999.999, 0.001)];
  const last = boxes(svgOf(files, [1]), RED).at(-1)!;
  expect(last.width).toBeGreaterThanOrEqual(1.5);
  // The plot ends twelve pixels before the picture.
  expect(last.x + last.width).toBeLessThanOrEqual(478);
});
