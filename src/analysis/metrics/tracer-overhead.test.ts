import { expect, test } from 'vitest';
import { readStrace } from '../../readers/strace/strace-reader.ts';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { tracerOverhead } from './tracer-overhead.ts';

async function overheadOf(seconds: readonly number[]): Promise<number> {
  const lines = seconds.map(
    (duration, i) => `7 ${1_700_000_000 + i}.000000 write(3</data/out>, "x", 1) = 1 <${duration.toFixed(6)}>\n`,
  );
  const trace = await readStrace([memoryFile('a.strace', lines.join(''))], {});
  return tracerOverhead(trace, 1e9, seconds.length).perCallNs;
}

test('the cheapest calls bound it', async () => {
  expect(await overheadOf([...Array<number>(30).fill(0.0001), ...Array<number>(70).fill(0.001)])).toBe(100_000 - 200);
});

test('calls that all take a tenth of a second are slow themselves: nothing is said of the tracer', async () => {
  expect(await overheadOf(Array<number>(20).fill(0.1))).toBeNaN();
});
