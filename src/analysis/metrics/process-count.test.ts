import { expect, test } from 'vitest';
import type { Stream } from '../../trace/trace.ts';
import { counterTrace } from '../../../test/support/counter-trace.ts';
import { processCount } from './process-noun.ts';

const part = (run: string) => ({ name: run, path: `/r/${run}`, commandId: '', host: '', launchId: '', run });
const parts = [part('a'), part('b')];
const stream = (pid: number, processId: number, more: Partial<Stream> = {}): Stream => ({
  host: 'n1',
  pid,
  processId,
  part: 0,
  ...more,
});

test('threads are of their process', () =>
  expect(processCount({ streams: [stream(7, 7), stream(8, 7), stream(9, 9)], parts })).toBe(2));

test('the same number on another host, or in another run of the recorder, is another process', () =>
  expect(
    processCount({ streams: [stream(7, 7), stream(7, 7, { host: 'n2' }), stream(7, 7, { part: 1 })], parts }),
  ).toBe(3));

test('ranks count, with all their threads and whatever started them', () => {
  const ranks = [0, 1, 2, 3].flatMap((rank) => [
    stream(10 + rank, 10 + rank, { rank }),
    stream(20 + rank, 10 + rank, { rank }),
  ]);
  const launchers = [1, 2, 3, 4].map((pid) => stream(pid, pid));
  expect(processCount({ streams: [...launchers, ...ranks], parts })).toBe(4);
});

test('a log of counters says how many there were, also of those that did nothing', () => {
  const of = (processes: number): number | null => processCount(counterTrace({ job: { processes }, modules: {} }));
  expect(of(12)).toBe(12);
  expect(of(0)).toBeNull();
});
