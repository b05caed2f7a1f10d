import { describe, expect, test } from 'vitest';
import { eventTrace, type MadeEvent } from '../../../test/support/event-trace.ts';
import { directlyFollowsGraph } from '../dfg/directly-follows-graph.ts';
import { parseMapping } from '../dfg/mapping.ts';
import { NONE } from '../../trace/events.ts';
import { linkLayers } from './link-layers.ts';

const [READ, WRITE] = [0, 1];

/** Two collective writes that one process makes as three writes and a read, and a read of its own. */
const ROWS: readonly Partial<MadeEvent>[] = [
  { layer: 'MPI-IO', start: 0, duration: 10 },
  { layer: 'MPI-IO', start: 0, duration: 10, stream: 1 },
  { layer: 'POSIX', call: READ, start: 1, duration: 1 },
  { layer: 'POSIX', start: 2, duration: 1 },
  { layer: 'POSIX', start: 3, duration: 1 },
  { layer: 'POSIX', start: 4, duration: 1 },
  { layer: 'POSIX', call: READ, start: 20, duration: 1 },
];

function activities(layer?: string): string[] {
  const trace = eventTrace([{ rank: 0 }, { rank: 1 }], ['/a'], ROWS.length, (event, row) => {
    Object.assign(event, { stream: 0, call: WRITE, file: 0, bytes: 1, parent: NONE }, ROWS[row]);
  });
  linkLayers(trace);
  const callSites = { sites: [], siteOfNode: new Int32Array(0), isStartUp: new Uint8Array(0) };
  const { nodes } = directlyFollowsGraph(trace, callSites, {
    mapping: parseMapping('call'),
    siteVariables: [],
    pathFilter: '',
    withoutCalls: [],
    grouping: 'rank',
    ...(layer !== undefined && { layer }),
  });
  return nodes.map(({ activity, events }) => `${activity} ${events}`).sort();
}

describe('a graph of a recording of several layers shows', () => {
  test.each([
    [undefined, ['read 1', 'write 2']],
    ['outermost', ['read 1', 'write 2']],
    ['requests', ['read 2', 'write 3']],
    ['all', ['read 2', 'write 5']],
    ['MPI-IO', ['write 2']],
    ['posix', ['read 2', 'write 3']],
    ['HDF5', []],
  ])('%s', (layer, expected) => expect(activities(layer)).toEqual(expected));

  test('and refuses a layer that there is not, with those that there are', () =>
    expect(() => activities('stdoi')).toThrow(
      /there is no layer "stdoi": choose outermost, requests, all, or one of .*MPI-IO/,
    ));
});
