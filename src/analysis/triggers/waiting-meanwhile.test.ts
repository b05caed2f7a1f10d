import { describe, expect, test } from 'vitest';
import { eventTrace } from '../../../test/support/event-trace.ts';
import { FunctionCallTable } from '../../trace/function-calls.ts';
import type { Trace } from '../../trace/trace.ts';
import { findCallSites } from '../sites/call-sites.ts';
import { ResolvedStacks } from '../../symbols/resolved-stacks.ts';
import { measure } from '../metrics/access-metrics.ts';
import { findInsights } from './evaluate.ts';
import { textOf } from './message.ts';
import { DEFAULT_THRESHOLDS } from './thresholds.ts';
import { waitingMeanwhile } from './waiting-meanwhile.ts';

const MIB = 1 << 20;
const MS = 1e6;

/** Rank 0 writes ten times for 10 ms; of each of these the others spend `waiting` ms in a broadcast, and then compute. */
function gathered(waiting: number): Trace {
  const ranks = [0, 1, 2, 3].map((rank) => ({ rank }));
  const trace = eventTrace(ranks, ['/w/all'], 10, (event, row) => {
    Object.assign(event, { stream: 0, start: row * 20 * MS, duration: 10 * MS, call: 1, file: 0, bytes: 4 * MIB });
  });
  const functions = new FunctionCallTable();
  const define = (name: string, role: 'communication' | 'computation'): number =>
    functions.functions.push({ name, role, paradigm: '', sourceFile: '', sourceLine: 0 }) - 1;
  const broadcast = define('MPI_Bcast', 'communication');
  const step = define('step', 'computation');
  const call = (stream: number, start: number, duration: number, called: number): void => {
    const row = functions.enter(start, stream, called);
    functions.duration.values[row] = duration;
  };
  for (let round = 0; round < 10; round++) {
    for (const rank of [1, 2, 3]) {
      call(rank, round * 20 * MS, waiting * MS, broadcast);
      call(rank, (round * 20 + waiting) * MS, (20 - waiting) * MS, step);
    }
  }
  return { ...trace, functions };
}

function loneFinding(trace: Trace): string | undefined {
  const callSites = findCallSites(trace, new ResolvedStacks(0, trace.stacks.modules), 'line', () => false);
  const metrics = measure(trace, callSites, new Uint8Array(trace.files.length));
  const insights = findInsights(trace, metrics, DEFAULT_THRESHOLDS, callSites);
  const found = insights.find(({ code }) => code === 'L09');
  return found && textOf(found.message);
}

describe('one rank does the I/O', () => {
  const share = (trace: Trace): number | undefined =>
    waitingMeanwhile(
      trace,
      (stream) => stream === 0,
      (stream) => stream > 0,
    );

  test('what the others do meanwhile is measured where functions were recorded', () => {
    expect(share(gathered(9))).toBeCloseTo(0.9, 10);
    expect(share(gathered(2))).toBeCloseTo(0.2, 10);
    const { functions, ...without } = gathered(9);
    expect(functions!.length).toBeGreaterThan(0);
    expect(share(without)).toBeUndefined();
  });

  test('it is found where the others wait for it, and not where they compute', () => {
    expect(loneFinding(gathered(9))).toContain('while the others spend 90 % of that time waiting for messages');
    expect(loneFinding(gathered(2))).toBeUndefined();
  });

  test('where nobody knows, no waiting is claimed', () => {
    const { functions, ...without } = gathered(2);
    expect(functions).toBeDefined();
    expect(loneFinding(without)).toContain('what the others do meanwhile is not recorded');
  });
});
