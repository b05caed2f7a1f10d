import { describe, expect, test } from 'vitest';
import { eventTrace, type MadeEvent } from '../../../test/support/event-trace.ts';
import { NONE } from '../../trace/events.ts';
import type { RecordingSource, Trace } from '../../trace/trace.ts';
import { withLinkedLayers } from './linked-trace.ts';

function traceOf(rows: readonly Partial<MadeEvent>[]): Trace {
  const trace = eventTrace([{ rank: 0 }, { rank: 0, part: 1 }], ['/a'], rows.length, (event, row) => {
    Object.assign(event, { call: 1, file: 0, bytes: 1, parent: NONE, link: 'none' }, rows[row]);
  });
  return { ...trace, parts: [trace.parts[0]!, trace.parts[0]!] };
}

describe('a recording that was read', () => {
  const source: RecordingSource = {
    ...{ format: 'strace', version: '', path: '/b', offsetNs: 5, parts: 1 },
    ...{ offsetFrom: 'calls that both recorded', uncertaintyNs: 3 },
  };
  const rows: readonly Partial<MadeEvent>[] = [
    { layer: 'MPI-IO', start: 10, duration: 10 },
    { layer: 'POSIX', start: 8, duration: 4, stream: 1 },
  ];
  const first: RecordingSource = { ...source, offsetNs: 0, offsetFrom: 'first source', uncertaintyNs: 0 };

  test.each([
    ['calls that both recorded', 3, 0, 0],
    ['dates of both recordings', 1, NONE, 0],
    ['dates of both recordings', 2e9, NONE, 1],
    ['beginnings', NaN, NONE, 1],
  ] as const)('is linked within what %s leave open', (offsetFrom, uncertaintyNs, parent, notes) => {
    const trace = { ...traceOf(rows), sources: [first, { ...source, offsetFrom, uncertaintyNs }] };
    expect(withLinkedLayers(trace).notes).toHaveLength(notes);
    expect(trace.events.value('parent', 1)).toBe(parent);
  });

  test.each([
    ['dates of both recordings', 2e9, 'is known to ± 2 s only'],
    ['beginnings', NaN, 'is a guess'],
  ] as const)('is not linked by %s, and says why', (offsetFrom, uncertaintyNs, words) => {
    const within: Partial<MadeEvent> = { layer: 'POSIX', start: 12, duration: 4, stream: 1 };
    const trace = { ...traceOf([rows[0]!, within]), sources: [first, { ...source, offsetFrom, uncertaintyNs }] };
    expect(withLinkedLayers(trace).notes).toEqual([expect.stringContaining(words)]);
    expect(trace.events.value('parent', 1)).toBe(NONE);
  });

  test('says when several calls could have made one', () => {
    const overlapping = traceOf([
      { layer: 'MPI-IO', start: 0, duration: 10 },
      { layer: 'MPI-IO', start: 2, duration: 10 },
      { layer: 'POSIX', start: 4, duration: 1 },
    ]);
    expect(withLinkedLayers(overlapping).notes).toEqual([
      '1 call of a lower layer lies within several calls of the layer above at once: ' +
        'which of them made it is not known, and they count as calls of the program itself',
    ]);
  });
});
