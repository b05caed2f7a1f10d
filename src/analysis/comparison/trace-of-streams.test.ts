import { expect, test } from 'vitest';
import { eventTrace, type MadeEvent } from '../../../test/support/event-trace.ts';
import { LINKS, NONE } from '../../trace/events.ts';
import { MEMORY_ONLY } from '../../trace/chunk-store.ts';
import { traceOfStreams } from './trace-of-streams.ts';

test('links lead to the same calls, wherever they stand, and to none that is left out', () => {
  const rows: readonly Partial<MadeEvent>[] = [
    { stream: 1 },
    // Its caller stands behind it.
    { stream: 0, layer: 'POSIX', parent: 3, link: 'time' },
    { stream: 0, layer: 'POSIX', parent: 0, link: 'handle' },
    { stream: 0, layer: 'MPI-IO' },
  ];
  const trace = eventTrace([{}, {}], ['/a'], rows.length, (event, row) => {
    Object.assign(event, { start: row, duration: 1, file: 0, parent: NONE, link: 'none' }, rows[row]);
  });
  const { events } = traceOfStreams(trace, (stream) => stream === 0, MEMORY_ONLY);
  const links = [0, 1, 2].map((row) => [events.value('parent', row), LINKS[events.value('link', row)]]);
  expect(links).toEqual([
    [2, 'time'],
    [NONE, 'none'],
    [NONE, 'none'],
  ]);
});
