import { expect, test } from 'vitest';
import type { RunCost } from '../../analysis/gain/cost.ts';
import { runFigures } from './run-figures.ts';
import { runText } from './run-text.ts';

const RUN: RunCost = {
  durationNs: 1.31e9,
  isWhole: true,
  untracedNs: 1.31e9,
  mostNs: 1.31e9,
  ioNs: 0.812e9,
  bufferedNs: 0,
  ioShare: 0.62,
  boundBy: 'io',
  savableNs: 0.66e9,
  savableShare: 0.5,
  traced: false,
  complete: true,
  unseen: [],
};

test('the figures of a run are those of its sentence', () => {
  const figures = runFigures(RUN)!;
  expect(figures).toEqual({
    length: '1.31 s',
    io: '812 ms',
    ioShare: '62 %',
    isEstimated: false,
    isIoSlight: false,
    saved: { time: '660 ms', share: '50 %' },
    unseen: [],
    isPart: false,
  });
  const text = runText(RUN)!;
  for (const figure of [figures.length, figures.io, figures.ioShare, figures.saved!.time])
    expect(text).toContain(figure);
});

test('a run without times has none', () => {
  expect(runFigures({ ...RUN, untracedNs: 0 })).toBeUndefined();
  // What the calls usually cost is known, but not how long the run is.
  expect(runFigures({ ...RUN, durationNs: 0 })).toBeUndefined();
  expect(runFigures({ ...RUN, untracedNs: NaN })).toBeUndefined();
});

test('little I/O is slight, unless the tracer may have made the rest', () => {
  const little = { ...RUN, ioNs: 1e6, ioShare: 0.001, boundBy: 'computing' } as const;
  expect(runFigures(little)!.isIoSlight).toBe(true);
  const doubtful = { ...little, traced: true, boundBy: 'unknown', durationNs: 3e9 } as const;
  expect(runFigures(doubtful)!.isIoSlight).toBe(false);
  expect(runFigures(doubtful)!.isEstimated).toBe(true);
});

test('nothing is said to be saved where that is not known, and a part is said to be one', () => {
  expect(runFigures({ ...RUN, savableNs: null, savableShare: null })!.saved).toBeUndefined();
  expect(runFigures({ ...RUN, savableNs: 0, savableShare: 0 })!.saved).toBeUndefined();
  expect(runFigures({ ...RUN, complete: false })!.isPart).toBe(true);
});
