import { expect, test } from 'vitest';
import { layerEstimates, layerTrace, type LayerRow } from '../../../../test/support/layer-rows.ts';
import { runText } from '../../../export/analysis/run-text.ts';
import type { RunCost } from '../cost.ts';

/** 1,000 reads of a stream, one of 128 of which waits for the file; they are all that the program does. */
function runOfReads(bytes: number, waitNs: number): RunCost {
  let start = 0;
  const rows = Array.from({ length: 1000 }, (_, i): LayerRow => {
    const duration = i % 128 === 0 ? waitNs : 400;
    const row: LayerRow = { call: 'fread', start, duration, bytes, offset: i * bytes, line: 7 };
    start += duration;
    return row;
  });
  return layerEstimates(layerTrace(rows)).run;
}

test('what a stream formats and copies in its buffer is no waiting for files', () => {
  const run = runOfReads(32, 3000);
  expect(run.bufferedNs).toBe(1000 * 400);
  expect(run.ioShare).toBe(1);
  expect(run.boundBy).toBe('computing');
  expect(runText(run)).toContain(
    '400 µs of which is formatting and copying in the buffers of streams: it is bound by computing',
  );
});

test('what calls take beyond it is, and so are those that reach the file each time', () => {
  const slow = runOfReads(32, 500_000);
  expect(slow).toMatchObject({ bufferedNs: 1000 * 400, boundBy: 'io' });
  expect(runText(slow)).not.toContain('formatting');
  expect(runOfReads(4096, 3000)).toMatchObject({ bufferedNs: 0, boundBy: 'io' });
});
