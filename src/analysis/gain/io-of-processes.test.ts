import { describe, expect, test } from 'vitest';
import { counterTrace } from '../../../test/support/counter-trace.ts';
import { layerEstimates, layerTrace, type LayerRow } from '../../../test/support/layer-rows.ts';
import { analysed } from '../../../test/support/analysed-text.ts';
import { StraceText } from '../../../test/support/strace-text.ts';
import { ioSpreadText } from '../../export/analysis/io-spread.ts';
import { countedIo } from './counted-io.ts';
import { ioOfJob } from './io-of-processes.ts';

const writes = (stream: number, duration: number, count = 100): LayerRow[] =>
  Array.from({ length: count }, (_, i): LayerRow => {
    return { call: 'pwrite', start: i * 10_000, duration, stream, bytes: 4096, offset: i * 4096 };
  });

describe('the I/O of several processes', () => {
  test('is that of the slowest, with mean and least; ranks that do none count', () => {
    const { run } = layerEstimates(
      layerTrace([...writes(0, 8000), ...writes(1, 4000), ...writes(2, 0, 1)], { ranks: 3 }),
    );
    expect(run.ioNs).toBe(800_000);
    expect(run.ioOfProcesses).toEqual({ processes: 3, meanNs: 400_000, leastNs: 0 });
    expect(ioSpreadText(run)).toBe(
      'Of the 3 processes the slowest spends 800 µs in I/O, all of them 400 µs on average, the quickest 0 ns.',
    );
  });

  test('of one process, and of those that a script starts one after the other, has no mean', async () => {
    expect(layerEstimates(layerTrace(writes(0, 8000))).run.ioOfProcesses).toBeUndefined();
    const text = new StraceText();
    for (const pid of [1, 2, 3])
      text.times(50, () => text.call(pid, 'write(3</w/a>, ""..., 4096) = 4096', 50)).call(pid, 'exit_group(0) = ?', 9);
    expect((await analysed(text)).run.ioOfProcesses).toBeUndefined();
  });

  test('of a log of counters is known as a sum: the mean is, the least is not', () => {
    const trace = counterTrace({
      job: { processes: 4 },
      modules: { POSIX: [{ path: '/scratch/a', values: { POSIX_F_WRITE_TIME: 6, POSIX_F_SLOWEST_RANK_TIME: 3 } }] },
    });
    expect(ioOfJob(trace, countedIo(trace, new Uint8Array(trace.files.length)))).toEqual({
      processes: 4,
      meanNs: 1.5e9,
      leastNs: null,
    });
  });
});
