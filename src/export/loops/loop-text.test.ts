import { expect, test } from 'vitest';
import { CALLS, eventTrace } from '../../../test/support/event-trace.ts';
import { findLoops } from '../../analysis/loops/find-loops.ts';
import type { CallSites } from '../../analysis/sites/call-sites.ts';
import type { Stream } from '../../trace/trace.ts';
import { LoopLines } from './loop-lines.ts';
import { loopsText } from './loop-text.ts';

const WRITE = CALLS.findIndex(([name]) => name === 'write');
const noSites = { sites: [], siteOfNode: new Int32Array(0) } as unknown as CallSites;

/** The outline of streams that write pieces of a file, each from a place of its own on. */
function textOf(streams: readonly Partial<Stream>[], from: readonly number[], sizes: readonly number[] = []): string {
  const trace = eventTrace(streams, ['/f'], streams.length * 4, (event, row) => {
    const stream = Math.floor(row / 4);
    const offset = from[stream]! + (row % 4) * 5000;
    Object.assign(event, { stream, call: WRITE, file: 0, bytes: sizes[stream] ?? 8, offset });
  });
  const lines = new LoopLines(trace, noSites, (file) => ({ file, isHere: false }));
  const groups = findLoops(trace).map((group) => ({
    ...lines.group(group),
    patterns: lines.tree(group.patterns, lines.counting(group), { lines: 100 }),
  }));
  return loopsText({ recording: 'made', calls: 'outermost', groups });
}

test('threads of ranks are named and counted by these', () => {
  const threads = [0, 1].flatMap((rank) =>
    [1, 2].map((which) => ({ rank, processId: 50, pid: 50 + rank * 10 + which })),
  );
  expect(textOf(threads, [0, 70, 1000, 1070])).toBe(`made

ranks 0-1: 4 calls of each in 2 lines, 64 B
  4 × [ 64 B, strided
    write 8 B, offset 1000×rank += 5000, /f, 64 B
  ]

ranks 0-1: 4 calls of each in 2 lines, 64 B
  4 × [ 64 B, strided
    write 8 B, offset 1000×rank + 70 += 5000, /f, 64 B
  ]
`);
  expect(textOf(threads, [0, 0, 9, 9])).toContain('ranks 0-1, 4 threads: 4 calls of each in 2 lines, 128 B\n');
});

test('sizes that depend on the rank', () =>
  expect(textOf([{ rank: 0 }, { rank: 1 }, { rank: 2 }], [0, 90, 180], [100, 110, 120])).toContain(`
ranks 0-2: 4 calls of each in 2 lines, 1.29 KiB
  4 × [ 1.29 KiB, strided
    write 10×rank + 100 B, offset 90×rank += 5000, /f, 1.29 KiB
`));

test('without ranks processes are counted as they are named', () =>
  expect(textOf([{ pid: 70 }, { pid: 90 }, { pid: 80 }], [2100, 100, 1100])).toContain(`
processes 90, 80, 70: 4 calls of each in 2 lines, 96 B
  4 × [ 96 B, strided
    write 8 B, offset 1000×process + 100 += 5000, /f, 96 B
`));

/** The outline of one stream that writes so many bytes at the beginning of a file, one after the other. */
function outline(sizes: readonly number[]): string {
  const trace = eventTrace([{ rank: 0 }], ['/f'], sizes.length, (event, row) => {
    Object.assign(event, { call: WRITE, file: 0, bytes: sizes[row]!, requested: sizes[row]!, offset: 0 });
  });
  const lines = new LoopLines(trace, noSites, (file) => ({ file, isHere: false }));
  const groups = findLoops(trace).map((group) => ({
    ...lines.group(group),
    patterns: lines.tree(group.patterns, lines.counting(group), { lines: 100 }),
  }));
  return loopsText({ recording: 'made', calls: 'outermost', groups })
    .replace(/^[^]*lines[^\n]*\n/, '')
    .replace(/write (\d+) B, offset 0, \/f, /g, '$1: ');
}

test('figure 3 of the DIOS paper: what a loop did has a name where it is done again, and its sums', () =>
  expect(outline([1, 2, 1, 2, 1, 2, 3, 1, 2, 3])).toBe(`  2 × M1 [ 6 B
    1: 2 B
    2: 4 B
  ]
  2 × [ 12 B
    M1, 6 B
    3: 6 B
  ]
`));

test('what is done before the loop, or by no other lines, has no name; of two the longer one stands', () => {
  expect(outline([1, 2, 9, 1, 2, 1, 2])).not.toContain('M1');
  const twice = outline([1, 2, 1, 2, 8, 1, 2, 3, 1, 2, 3, 9, 1, 2, 3, 7, 1, 2]);
  expect(twice.match(/M\d/g)).toEqual(['M1', 'M2', 'M1', 'M2', 'M1']);
});
