import { expect, test } from 'vitest';
import { eventTrace, type MadeEvent } from '../../../test/support/event-trace.ts';
import { CallTable, LAYERS, type Layer } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import { linkLayers } from '../layers/link-layers.ts';
import { measure, type Metrics } from './access-metrics.ts';

const [OPEN, CLOSE] = [2, 3];

interface Opening {
  readonly layer: Layer;
  readonly from: number;
  readonly to: number;
  /** Index of the opening whose handle it belongs to. */
  readonly parent?: number;
}

/** Each opening is an open at the beginning of its time and a close at its end, 10 ns each, with a handle of its own. */
function measured(openings: readonly Opening[]): Metrics {
  const rows = openings
    .flatMap(({ layer, from, to }, handle) => [
      { layer, handle, start: from, call: OPEN },
      { layer, handle, start: to - 10, call: CLOSE },
    ])
    .sort((a, b) => a.start - b.start);
  const trace = eventTrace([{}], ['/data/snapshots'], rows.length, (event, row) => {
    const plain: MadeEvent = { stream: 0, start: 0, duration: 10, call: OPEN, file: 0, bytes: 0, parent: NONE };
    Object.assign(event, plain, { duration: rows[row]!.layer === 'MPI-IO' ? 10 : 4 }, rows[row]);
  });
  for (const { layer, parent = NONE } of openings) {
    trace.handles.add(0, 0, parent, { layer: LAYERS.indexOf(layer) });
  }
  linkLayers(trace);
  const nowhere = { sites: [], siteOfNode: new Int32Array(0), isStartUp: new Uint8Array(0) };
  return measure(trace, nowhere, new Uint8Array(1));
}

const sums = ({ cells }: Metrics): number[] =>
  (['reopens', 'reopenTime', 'recloses', 'recloseTime'] as const).map((metric) => cells.get(0, metric));

test('what MPI-IO opens for one call, twice at first, is one opening of the program, with all its time', () => {
  const once: readonly Opening[] = [
    { layer: 'MPI-IO', from: 0, to: 100 },
    { layer: 'POSIX', from: 1, to: 95, parent: 0 },
    { layer: 'POSIX', from: 5, to: 96, parent: 0 },
  ];
  const again = once.map(({ layer, from, to, parent }) => ({
    layer,
    from: from + 1000,
    to: to + 1000,
    ...(parent !== undefined && { parent: 3 }),
  }));
  expect(sums(measured(once))).toEqual([0, 0, 0, 0]);
  expect(sums(measured([...once, ...again]))).toEqual([1, 10, 1, 10]);
});

test('a stream that is made of what was just opened is no second opening; one more of what is open already is', () => {
  const made = (rows: readonly (readonly [call: string, handle: number])[]): number[] => {
    const calls = new CallTable();
    const [open, fdopen, close] = [
      calls.intern('open', 'open'),
      calls.intern('fdopen', 'open'),
      calls.intern('fclose', 'close'),
    ];
    const numbers: Readonly<Record<string, number>> = { open, fdopen, fclose: close };
    const trace = eventTrace([{}], ['/data/log'], rows.length, (event, row) => {
      const [call, handle] = rows[row]!;
      const plain: MadeEvent = { stream: 0, start: row * 10, duration: 4, call: 0, file: 0, bytes: 0 };
      Object.assign(event, plain, { call: numbers[call], handle });
    });
    for (const [call] of rows) if (call !== 'fclose') trace.handles.add(0, 0, NONE, {});
    const nowhere = { sites: [], siteOfNode: new Int32Array(0), isStartUp: new Uint8Array(0) };
    const { cells } = measure({ ...trace, calls }, nowhere, new Uint8Array(1));
    return (['reopens', 'recloses', 'rewraps'] as const).map((metric) => cells.get(0, metric));
  };
  const opened = (handle: number): [string, number][] => [
    ['open', handle],
    ['fdopen', handle + 1],
    ['fclose', handle + 1],
  ];
  expect(made([...opened(0), ...opened(2), ...opened(4)])).toEqual([2, 2, 0]);
  const wrapped = (handle: number): [string, number][] => opened(handle - 1).slice(1);
  expect(made([['open', 0], ...wrapped(1), ...wrapped(2), ...wrapped(3)])).toEqual([2, 2, 4]);
});

test('data sets of one file are no openings of it', () => {
  const file: Opening = { layer: 'HDF5', from: 0, to: 1000 };
  const set = (from: number): Opening => ({ layer: 'HDF5', from, to: from + 50, parent: 0 });
  expect(sums(measured([file, set(20), set(100), set(200)]))).toEqual([0, 0, 0, 0]);
  expect(sums(measured([file, { ...file, from: 2000, to: 3000 }]))).toEqual([1, 4, 1, 4]);
});
