import { expect, test } from 'vitest';
import { layerEstimates, layerTrace, type LayerRow } from '../../../../test/support/layer-rows.ts';
import type { Gain } from '../gain.ts';

const US = 1000;

/** What small writes to a data set save that become few, with such pauses before each of them. */
function gainOfWrites(pauseNs: number, source: string): { gain: Gain; savable: number; ioNs: number } {
  const rows = Array.from({ length: 200 }, (_, i): LayerRow => ({
    ...{ call: 'H5Dwrite', start: i * (pauseNs + 10 * US), duration: 10 * US, bytes: 8, line: 7 },
  }));
  rows.push({ call: 'pwrite', start: rows.at(-1)!.start + 100, duration: US, bytes: 1600, offset: 0, parent: 199 });
  const { insights, run } = layerEstimates(layerTrace(rows), {}, source);
  const { gain } = insights.find(({ code }) => code === 'L32')!;
  return { gain, savable: run.savableNs!, ioNs: run.ioNs };
}

test('what Python does for each statement is saved with its calls, and is said', () => {
  const compiled = gainOfWrites(40 * US, '/src/main.c').gain;
  const { gain, savable, ioNs } = gainOfWrites(40 * US, '/src/main.py');
  const language = gain.savedNs! - compiled.savedNs!;
  // 198 pauses of 40 µs hold that, and what the loop does besides.
  expect(language).toBeGreaterThan(0.5 * 198 * 40 * US);
  expect(gain.highNs! - compiled.highNs!).toBeGreaterThanOrEqual(0.95 * 198 * 40 * US);
  expect(gain.languageNs).toBeCloseTo(language);
  expect(gain.method).toContain("of Python's own work");
  expect(compiled.method).not.toContain('own work');
  expect(savable).toBeGreaterThan(ioNs);
});

test('a pause in which the program computes is not taken for the work of the language', () => {
  const short = gainOfWrites(80 * US, '/src/main.py').gain;
  const long = gainOfWrites(80_000 * US, '/src/main.py').gain;
  expect(long.savedNs).toBeCloseTo(short.savedNs!);
  expect(long.highNs! - long.savedNs!).toBeLessThan(long.savedNs!);
});
