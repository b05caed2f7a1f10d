import { describe, expect, test } from 'vitest';
import { eventTrace, type MadeEvent } from '../../../test/support/event-trace.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { linkLayers } from '../layers/link-layers.ts';
import { TRAIT } from '../sites/stack-traits.ts';
import { LAYER_ROLE, layerRoles } from './layer-roles.ts';

const [WRITE, OPEN] = [1, 2];

function traceOf(rows: readonly Partial<MadeEvent>[]): Trace {
  const trace = eventTrace([{ rank: 0 }, { rank: 1 }], ['/a', '/b'], rows.length, (event, row) => {
    const plain = { stream: 0, start: 0, duration: 10, call: WRITE, file: 0, bytes: 8, flags: 0, parent: NONE };
    Object.assign(event, plain, { link: 'none', layer: 'POSIX' }, rows[row]);
  });
  linkLayers(trace);
  return trace;
}

/** `request outermost` or one of the two, of each row. */
function rolesOf(trace: Trace): string[] {
  const roles = layerRoles(trace);
  const chunk = trace.events.chunkOf(0);
  return Array.from({ length: trace.events.length }, (_, i) => {
    const bits = roles?.of(chunk, i) ?? LAYER_ROLE.request | LAYER_ROLE.outermost;
    const names = [bits & LAYER_ROLE.request ? 'request' : '', bits & LAYER_ROLE.outermost ? 'outermost' : ''];
    return names.filter((name) => name !== '').join(' ');
  });
}

describe('what a row counts as', () => {
  test('the lowest call is the request, the highest is the program’s own', () => {
    const rows = rolesOf(
      traceOf([{ layer: 'HDF5' }, { layer: 'MPI-IO', duration: 9 }, { duration: 8 }, { start: 20, duration: 3 }]),
    );
    expect(rows).toEqual(['outermost', '', 'request', 'request outermost']);
  });

  test('in two-phase I/O one process makes the requests of all', () => {
    const rows = rolesOf(traceOf([{ layer: 'MPI-IO' }, { layer: 'MPI-IO', stream: 1 }, { duration: 5 }]));
    expect(rows).toEqual(['outermost', 'outermost', 'request']);
  });

  test('what becomes nothing below is the request', () => {
    const rows = [
      // Opening shows in both layers, writing in one; and another file is written by HDF5 alone.
      { layer: 'STDIO', call: OPEN },
      { call: OPEN, duration: 5 },
      { layer: 'STDIO', start: 20 },
      { layer: 'STDIO', start: 40, file: 1 },
    ] as const;
    expect(rolesOf(traceOf(rows))).toEqual(['outermost', 'request', 'request outermost', 'request outermost']);
  });

  test('calls without a file are as the others of their layer', () => {
    const rows = [
      { layer: 'MPI-IO', call: OPEN },
      { call: OPEN, duration: 5 },
      { layer: 'MPI-IO', call: OPEN, start: 20, file: NONE },
      { layer: 'MPI-IO', start: 40, file: NONE },
    ] as const;
    expect(rolesOf(traceOf(rows))).toEqual(['outermost', 'request', 'outermost', 'request outermost']);
  });

  test('what a library reads elsewhere meanwhile is not its transfer', () => {
    const rows = [{ layer: 'MPI-IO' }, { file: 1, parent: 0, link: 'nesting', duration: 3 }] as const;
    expect(rolesOf(traceOf(rows))).toEqual(['request outermost', 'request']);
  });

  test('parts of a call are as the call', () => {
    const part = { flags: EVENT_FLAGS.part, link: 'part' } as const;
    const rows = [
      { layer: 'MPI-IO' },
      { duration: 5 },
      { duration: 5, parent: 1, ...part },
      { start: 20 },
      { start: 20, parent: 3, ...part },
    ] as const;
    expect(rolesOf(traceOf(rows))).toEqual([
      'outermost',
      'request',
      'request',
      'request outermost',
      'request outermost',
    ]);
  });

  test('recordings without links need no roles', () => {
    expect(layerRoles(traceOf([{}, { start: 2, duration: 3 }]))).toBeUndefined();
    expect(layerRoles(traceOf([{ layer: 'STDIO', file: 1 }, {}]))).toBeUndefined();
  });
});

test('a call of MPI-IO says itself how it is made, and what it becomes does not say it again', () => {
  const trace = traceOf([
    { layer: 'MPI-IO', flags: EVENT_FLAGS.collective },
    { duration: 5 },
    { layer: 'MPI-IO', stream: 1, call: 6 },
  ]);
  trace.calls.intern('MPI_File_write_at', 'write');
  const roles = layerRoles(trace)!;
  const chunk = trace.events.chunkOf(0);
  const independent = TRAIT.mpi | TRAIT.independent;
  expect(roles.traitsOf(chunk, 0, false, 0)).toBe(TRAIT.mpi | TRAIT.collective);
  expect(roles.traitsOf(chunk, 1, false, independent | TRAIT.collective | TRAIT.stdio)).toBe(TRAIT.mpi | TRAIT.stdio);
  expect(roles.traitsOf(chunk, 2, false, 0)).toBe(independent);
});
