import { describe, expect, test } from 'vitest';
import { lanePixels, stepLine } from './lane-shapes.ts';
import { endsOf, timelineSvg, type TimelinePicture } from './timeline-svg.ts';

const OVER = { fromNs: 0, toNs: 64, bins: 8, binNs: 8 };
const CELLS = {
  over: OVER,
  category: Uint16Array.from([0, 0, 0xffff, 1, 1, 1, 0xffff, 0]),
  busy: Uint8Array.from([255, 255, 0, 128, 128, 128, 0, 1]),
};
const PICTURE: TimelinePicture = {
  title: 'heat <b>&"',
  width: 640,
  labelWidth: 160,
  rowHeight: 20,
  visible: { fromNs: 0, toNs: 64 },
  axis: 'time',
  rows: [
    { label: 'node01', depth: 0, isGroup: true },
    { label: '<script>x</script>', depth: 1, isGroup: false, cells: CELLS },
  ],
  lanes: [
    {
      label: 'Bandwidth',
      unit: 'bytes per second',
      series: [
        {
          label: 'read',
          colour: [1, 2, 3],
          values: { over: OVER, values: Float32Array.from([0, 0, 5e6, 5e6, 0, 0, 0, 0]) },
        },
      ],
    },
  ],
  categories: [
    { label: 'write', colour: [200, 100, 0], share: 0.7 },
    { label: 'read', colour: [0, 100, 200], share: 0.3 },
  ],
  theme: { isDark: false, isHighContrast: false, background: [255, 255, 255] },
  text: [0, 0, 0],
  range: { fromNs: 16, toNs: 32 },
};

describe('a timeline as SVG', () => {
  const svg = timelineSvg(PICTURE);

  test('has a box for each stretch, where it is', () => {
    const boxes = [...svg.matchAll(/<rect x="([\d.]+)" y="\d+" width="([\d.]+)" height="16" fill="(#\w+)"/g)];
    expect(boxes.map(([, x, width]) => [Number(x), Number(width)])).toEqual([
      [160, 160],
      [400, 240],
      [720, 80],
    ]);
    expect(boxes[0]![3]).toBe('#c86400');
    expect(boxes[1]![3]).not.toBe('#0064c8');
  });

  test('says what the colours and the axes mean', () => {
    for (const part of ['write 70 %', 'read 30 %', 'Bandwidth', '5 MB/s', '>node01<', 'stroke-dasharray'])
      expect(svg).toContain(part);
  });

  test('holds no markup of a recording, and nothing that runs or loads', () => {
    expect(svg).not.toMatch(/<script|<b>|onload|href|url\(/);
    expect(svg).toContain('&lt;script&gt;');
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  });

  test('an empty timeline is a picture, too', () =>
    expect(timelineSvg({ ...PICTURE, rows: [], lanes: [], categories: [] })).toContain('</svg>'));
});

test('a lane keeps its peaks, and its line only its corners', () => {
  const values = { over: OVER, values: Float32Array.from([0, 9, 0, 0, 2, 2, 2, 2]) };
  const pixels = lanePixels(values, { fromNs: 0, toNs: 64 }, 4);
  expect([...pixels]).toEqual([9, 0, 2, 2]);
  expect(stepLine(pixels, 10, 100)).toEqual([
    [0, 100],
    [0, 100],
    [0, 10],
    [1, 10],
    [1, 100],
    [2, 100],
    [2, 80],
    [4, 80],
    [4, 100],
  ]);
});

test('the middle of a long name gives way', () => {
  expect(endsOf('/scratch/run/output.dat', 12)).toBe('/sc…tput.dat');
  expect(endsOf('short', 12)).toBe('short');
});
