import { expect, test } from 'vitest';
import { traceOfCalls, type TimedCall } from '../../../test/support/timed-calls.ts';
import { dependencyDot, dependencyGraph } from './dependency-graph.ts';
import { replayOfRecording } from './replay-of-recording.ts';

test('a file that goes from one process to another is a synchronisation node between their I/O nodes', async () => {
  const calls: TimedCall[] = [
    [7, 0, 5, 'openat(AT_FDCWD</w>, "a", O_WRONLY|O_CREAT|O_TRUNC, 0644) = 3</w/a>'],
    [7, 10, 5, 'write(3</w/a>, "x"..., 100) = 100'],
    [8, 20, 5, 'openat(AT_FDCWD</w>, "a", O_RDONLY) = 3</w/a>'],
    [8, 30, 5, 'read(3</w/a>, "x"..., 100) = 100'],
    [7, 40, 5, 'write(3</w/a>, "x"..., 50) = 50'],
  ];
  const trace = await traceOfCalls(calls);
  const ignored = new Uint8Array(trace.files.length);
  const graph = dependencyGraph(replayOfRecording(trace, { calls: 'requests', thinkTime: 0, ignored }));
  expect(graph.nodes).toEqual([
    { kind: 'I/O', task: 0, operations: 2, bytes: 100 },
    { kind: 'synchronisation', tasks: [0, 1] },
    { kind: 'I/O', task: 0, operations: 1, bytes: 50 },
    { kind: 'I/O', task: 1, operations: 2, bytes: 100 },
  ]);
  expect(graph.edges).toEqual([
    { from: 0, to: 1, task: 0 },
    { from: 1, to: 2, task: 0 },
    { from: 1, to: 3, task: 1 },
  ]);
  expect(dependencyDot(graph)).toContain('n1 -> n3');
});
