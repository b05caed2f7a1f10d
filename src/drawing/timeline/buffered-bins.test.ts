import { describe, expect, test } from 'vitest';
import { binsFor, covers, MOST_BINS } from './buffered-bins.ts';
import { clamped, lengthOf, moved, zoomed } from './visible-span.ts';

const RUN = 60e9;

describe('what a track asks for', () => {
  test('is three times what shows, in bins of a power of two that start at a multiple of it', () => {
    const visible = { fromNs: 20e9, toNs: 22e9 };
    const asked = binsFor(visible, 1000, RUN);
    expect(Math.log2(asked.binNs) % 1).toBe(0);
    expect(asked.fromNs % asked.binNs).toBe(0);
    expect(asked.fromNs).toBeLessThanOrEqual(18e9);
    expect(asked.toNs).toBeGreaterThanOrEqual(24e9);
    expect((asked.toNs - asked.fromNs) / asked.binNs).toBe(asked.bins);
    const binsAPixel = lengthOf(visible) / 1000 / asked.binNs;
    expect(binsAPixel).toBeGreaterThanOrEqual(1);
    expect(binsAPixel).toBeLessThan(2);
  });

  test('is enough until one has moved as far as a screen, or zoomed', () => {
    const visible = { fromNs: 20e9, toNs: 22e9 };
    const held = binsFor(visible, 1000, RUN);
    expect(covers(held, moved(visible, 1.9e9, RUN), 1000, RUN)).toBe(true);
    expect(covers(held, moved(visible, -1.9e9, RUN), 1000, RUN)).toBe(true);
    expect(covers(held, moved(visible, 3e9, RUN), 1000, RUN)).toBe(false);
    expect(covers(held, zoomed(visible, 3, 21e9, RUN), 1000, RUN)).toBe(false);
    expect(covers(held, zoomed(visible, 0.2, 21e9, RUN), 1000, RUN)).toBe(false);
  });

  test('ends with the run, however short that is and however wide the screen', () => {
    for (const run of [0, 1, 500, 1e6, 1e15])
      for (const width of [0, 1, 300, 8000]) {
        const visible = clamped({ fromNs: 0, toNs: run }, run);
        const asked = binsFor(visible, width, run);
        expect(asked.bins).toBeGreaterThanOrEqual(1);
        expect(asked.bins).toBeLessThanOrEqual(MOST_BINS);
        expect(asked.fromNs).toBe(0);
        expect(covers(asked, visible, width, run), `${run} ns on ${width} pixels`).toBe(true);
      }
  });
});
