import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRuns } from './compare.ts';
import type { Comparison, FindingChange, Measure, Verdict } from './comparison.ts';
import type { Amounts, CostedAmounts, FindingFacts, LineFacts, RunFacts } from './run-facts.ts';

const amounts = fc.record({
  events: fc.integer({ min: 1, max: 1000 }),
  bytes: fc.integer({ min: 0, max: 1e6 }),
  timeNs: fc.integer({ min: 0, max: 1e9 }),
});

/** Lines of few functions, files, texts and calls, so that many fit each other. */
const lineFacts: fc.Arbitrary<LineFacts> = fc
  .record({
    file: fc.constantFrom('/w/a.c', '/w/b.c', '/w/lib/a.c', ''),
    line: fc.integer({ min: 1, max: 40 }),
    function: fc.constantFrom('main', 'emit', 'load', ''),
    text: fc.constantFrom('', 'write(fd, p, n);', 'read(fd, p, n);'),
    callers: fc.constantFrom(['main'], ['main', 'step < main'], []),
    call: fc.constantFrom('write', 'read', 'openat'),
    amounts,
  })
  .map(({ file, line, call, amounts: sums, ...rest }) => ({
    ...rest,
    recordedFile: file,
    file,
    isHere: file !== '',
    line: file === '' ? 0 : line,
    module: '/w/program',
    isCurrent: file !== '' && rest.text !== '',
    calls: { [call]: sums.events },
    kind: call === 'openat' ? 'open' : call,
    ...sums,
  }));

const placeOf = (line: LineFacts): string => `${line.recordedFile}:${line.line || line.function}`;
const lists = fc.uniqueArray(lineFacts, { selector: placeOf, maxLength: 25 });

function sumOf(all: readonly Amounts[]): Amounts {
  const sum = (name: keyof Amounts): number => all.reduce((total, each) => total + each[name], 0);
  return { events: sum('events'), bytes: sum('bytes'), timeNs: sum('timeNs') };
}

function exactly(ns: number): RunFacts['run'] {
  return { untracedNs: ns, lowNs: ns, highNs: ns };
}

function runOf(lines: readonly LineFacts[], more: Partial<RunFacts> = {}): RunFacts {
  const byCall = new Map<string, LineFacts[]>();
  for (const line of lines) {
    const call = Object.keys(line.calls)[0]!;
    byCall.set(call, [...(byCall.get(call) ?? []), line]);
  }
  const calls = [...byCall].map(([name, of]) => ({ name, ...sumOf(of) }));
  return {
    recording: 'run',
    hasTimes: true,
    traced: false,
    run: exactly(sumOf(lines).timeNs),
    durationNs: sumOf(lines).timeNs,
    total: sumOf(lines),
    lines,
    withoutLine: sumOf([]),
    files: [{ name: '/data/out.dat', ...sumOf(lines) }],
    calls,
    layers: [{ name: 'system call', ...sumOf(lines) }],
    findings: lines.map((line, index) => finding(line, index)),
    candidates: lines.map((line, index) => finding(line, index)),
    graph: {
      mapping: 'call',
      nodes: calls.map(({ name, ...sums }) => ({ activity: name, ...sums })),
      edges: calls.map(({ name, events }) => ({ from: '●', to: name, count: events })),
    },
    notes: [],
    ...more,
  };
}

function finding(
  { events, bytes, timeNs, cost }: CostedAmounts,
  line: number,
  severity: 'high' | 'warn' = 'warn',
): FindingFacts {
  const amounts = { events, bytes, timeNs, ...(cost && { cost }) };
  return { code: 'P06', trigger: 't', title: 'Small', severity, message: 'm', ...amounts, line };
}

const allRows = (comparison: Comparison) => [
  comparison.total,
  ...comparison.lines,
  ...comparison.functions,
  ...comparison.files,
  ...comparison.calls,
  ...comparison.layers,
  ...comparison.graph.nodes,
];

describe('properties of every comparison', () => {
  it('of a run with itself: nothing changed, and every line is found where it is', () =>
    fc.assert(
      fc.property(lists, (lines) => {
        const comparison = compareRuns([runOf(lines)], [runOf(lines)]);
        expect(new Set(allRows(comparison).map(({ verdict }) => verdict))).toEqual(new Set(['unchanged']));
        for (const row of comparison.lines) expect(row.new?.line).toBe(row.base?.line);
        expect(comparison.lines).toHaveLength(lines.length);
        expect(comparison.insights.every(({ change }) => change === 'unchanged')).toBe(true);
        expect(
          comparison.graph.edges.every(({ occurrence, difference }) => occurrence === 'both' && difference === 0),
        ).toBe(true);
      }),
    ));

  it('swapping the sides swaps what is said', () => {
    const swapped: Readonly<Record<Verdict, Verdict>> = {
      better: 'worse',
      worse: 'better',
      gone: 'new',
      new: 'gone',
      unchanged: 'unchanged',
      mixed: 'mixed',
      'within the spread': 'within the spread',
      'noise unknown': 'noise unknown',
    };
    const changes: Readonly<Record<FindingChange, FindingChange>> = {
      better: 'worse',
      worse: 'better',
      gone: 'new',
      new: 'gone',
      mixed: 'mixed',
      unchanged: 'unchanged',
    };
    const key = (
      row: { base: unknown; new: unknown; verdict: string; events: Measure },
      isSwapped: boolean,
    ): string => {
      const verdict = isSwapped ? swapped[row.verdict as Verdict] : row.verdict;
      const [from, to] = isSwapped ? [row.new, row.base] : [row.base, row.new];
      return JSON.stringify([from, to, verdict, Math.abs(row.events.change)]);
    };
    fc.assert(
      fc.property(lists, lists, (first, second) => {
        const there = compareRuns([runOf(first)], [runOf(second)]);
        const back = compareRuns([runOf(second)], [runOf(first)]);
        for (const name of ['lines', 'functions', 'files', 'calls'] as const) {
          const forth = there[name].map((row) => key({ ...row }, false)).sort();
          expect(back[name].map((row) => key({ ...row }, true)).sort()).toEqual(forth);
        }
        expect(back.total.timeNs!.change + there.total.timeNs!.change).toBe(0);
        const forth = there.insights.map(({ change }) => change).sort();
        expect(back.insights.map(({ change }) => changes[change]).sort()).toEqual(forth);
      }),
    );
  });

  it('every call is in one row: rows add up to the totals', () =>
    fc.assert(
      fc.property(lists, lists, amounts, (first, second, rest) => {
        const before = runOf(first, { withoutLine: rest, total: sumOf([...first, rest]) });
        const comparison = compareRuns([before], [runOf(second)]);
        for (const name of ['events', 'bytes', 'timeNs'] as const) {
          for (const side of ['base', 'new'] as const) {
            const sum = comparison.lines.reduce((total, row) => total + row[name]![side], 0);
            expect(sum).toBe(comparison.total[name]![side]);
          }
        }
      }),
    ));

  it('repetitions of the same numbers are as good as one', () =>
    fc.assert(
      fc.property(lists, lists, (first, second) => {
        const one = compareRuns([runOf(first)], [runOf(second)]);
        const three = compareRuns([runOf(first), runOf(first), runOf(first)], [runOf(second), runOf(second)]);
        expect(three.lines.map(({ events, timeNs }) => [events.change, timeNs!.change])).toEqual(
          one.lines.map(({ events, timeNs }) => [events.change, timeNs!.change]),
        );
        expect(allRows(three).some(({ verdict }) => verdict === 'noise unknown')).toBe(false);
      }),
    ));
});

const LINE: LineFacts = {
  recordedFile: '/w/a.c',
  file: '/w/a.c',
  isHere: true,
  line: 10,
  function: 'emit',
  module: '/w/a',
  isCurrent: true,
  text: 'write(fd, p, n);',
  callers: ['main'],
  calls: { write: 100 },
  kind: 'write',
  events: 100,
  bytes: 1000,
  timeNs: 1e6,
};

function withTime(timeNs: number): RunFacts {
  return runOf([{ ...LINE, timeNs }]);
}

describe('time', () => {
  it('is neither better nor worse with one run on each side', () => {
    const { lines, notes } = compareRuns([withTime(1e6)], [withTime(9e6)]);
    expect(lines[0]!.timeNs).toMatchObject({ base: 1e6, new: 9e6, change: 8e6, difference: 'noise unknown' });
    expect(lines[0]!.verdict).toBe('noise unknown');
    expect(notes.join()).toContain('how much times vary from run to run is unknown');
  });

  it('is a verdict of its own: what took longer is not better by its counts, nor what took less time worse', () => {
    const fewer = runOf([{ ...LINE, events: 10, timeNs: 9e6 }]);
    const [there, back] = [compareRuns([runOf([LINE])], [fewer]), compareRuns([fewer], [runOf([LINE])])];
    expect(there.total).toMatchObject({ countVerdict: 'better', timeVerdict: 'noise unknown', verdict: 'mixed' });
    expect(back.total).toMatchObject({ countVerdict: 'worse', timeVerdict: 'noise unknown', verdict: 'mixed' });
    expect(there.insights).toMatchObject([{ change: 'mixed', countVerdict: 'better', timeVerdict: 'noise unknown' }]);
    const faster = runOf([{ ...LINE, events: 10, timeNs: 5e5 }]);
    expect(compareRuns([runOf([LINE])], [faster]).total).toMatchObject({
      countVerdict: 'better',
      timeVerdict: 'noise unknown',
      verdict: 'better',
    });
    const repeated = compareRuns([runOf([LINE]), runOf([LINE])], [fewer]);
    expect(repeated.total).toMatchObject({ countVerdict: 'better', timeVerdict: 'worse', verdict: 'worse' });
  });

  it('within the range of the repetitions is no difference', () => {
    const base = [1e6, 3e6, 2e6].map(withTime);
    expect(compareRuns(base, [2.5e6, 9e6, 8e6].map(withTime)).lines[0]!.verdict).toBe('within the spread');
    const apart = compareRuns(base, [9e6, 7e6, 8e6].map(withTime)).lines[0]!;
    expect(apart.verdict).toBe('worse');
    expect(apart.timeNs).toMatchObject({ base: 2e6, new: 8e6, baseRange: [1e6, 3e6], newRange: [7e6, 9e6] });
  });

  it('decides where there are repetitions, whatever the counts say', () => {
    const fewer = [9e6, 8e6].map((timeNs) => runOf([{ ...LINE, events: 1, timeNs }]));
    expect(compareRuns([1e6, 2e6].map(withTime), fewer).lines[0]!.verdict).toBe('worse');
  });

  it('of the whole is that of the run, not of its calls', () => {
    const longer = runOf([{ ...LINE, timeNs: 5e5 }], { run: exactly(9e6), durationNs: 9e6 });
    const { total, run } = compareRuns([runOf([LINE]), runOf([LINE])], [longer, longer]);
    expect(run).toMatchObject({ untracedNs: { base: 1e6, new: 9e6, difference: 'more' } });
    expect(total).toMatchObject({
      timeVerdict: 'worse',
      verdict: 'worse',
      timeNs: { difference: 'less' },
      costNs: null,
    });
  });

  it('is not compared where a side has none', () => {
    const { lines, notes } = compareRuns([withTime(1e6)], [runOf([LINE], { hasTimes: false })]);
    expect(lines[0]).toMatchObject({ timeNs: null, verdict: 'unchanged' });
    expect(notes).toContain('Times are not compared: a recording has no durations.');
  });
});

describe('counts', () => {
  it('decide with one run on each side', () => {
    const verdict = (change: Partial<LineFacts>): Verdict =>
      compareRuns([runOf([LINE])], [runOf([{ ...LINE, ...change }])]).lines[0]!.verdict;
    expect(verdict({ events: 1, timeNs: 5 })).toBe('better');
    expect(verdict({ events: 101 })).toBe('worse');
    expect(verdict({ bytes: 999 })).toBe('better');
    expect(verdict({ events: 1, bytes: 2000 })).toBe('mixed');
  });

  it('of a line that only one side has count 0 on the other', () => {
    const { lines } = compareRuns([runOf([LINE])], [runOf([])]);
    expect(lines[0]).toMatchObject({
      verdict: 'gone',
      new: null,
      match: null,
      events: { base: 100, new: 0, change: -100 },
    });
  });
});

describe('findings', () => {
  const compared = (before: Partial<RunFacts>, after: Partial<RunFacts>, line: Partial<LineFacts> = {}) =>
    compareRuns([runOf([LINE], before)], [runOf([{ ...LINE, ...line }], after)]).insights;
  const high = finding(LINE, 0, 'high');
  const warn = finding(LINE, 0, 'warn');
  const none = { findings: [], candidates: [] };

  it('that nothing is left of are gone, and the other way round new', () => {
    expect(compared({ findings: [high] }, none)).toMatchObject([{ change: 'gone', new: null }]);
    expect(compared(none, { findings: [high] })).toMatchObject([{ change: 'new', base: null }]);
  });

  it('that stand out only because the rest of the run costs less are unchanged', () => {
    const [insight] = compared({ findings: [], candidates: [warn] }, { findings: [warn], candidates: [warn] });
    expect(insight).toMatchObject({ change: 'unchanged', base: null });
    expect(insight!.reason).toContain('it stands out now that the rest costs less');
    expect(compared({ findings: [warn] }, { findings: [high] })).toMatchObject([
      { change: 'unchanged', reason: 'warn → high, because of the rest of the run; 100 calls; 1 ms → 1 ms' },
    ]);
  });

  it('are worse with more calls', () => {
    const more = { ...high, events: 500 };
    expect(compared({ findings: [warn] }, { findings: [more] })).toMatchObject([
      { change: 'worse', reason: 'warn → high; 100 calls → 500 calls; 1 ms → 1 ms' },
    ]);
  });

  it('of fewer than half of the repetitions are chance', () => {
    const with_ = runOf([LINE], { findings: [high] });
    const without = runOf([LINE], none);
    expect(compareRuns([with_, without, without], [without]).insights).toEqual([]);
    expect(compareRuns([with_, with_, without], [without]).insights).toHaveLength(1);
  });
});

/** A run of one line by strace: so many recorded milliseconds, of which others are left without the tracer. */
function traced(recordedMs: number, costMs: number, { events = 100, doubt = 0.3 } = {}): RunFacts {
  const bounds = (ms: number) => ({
    untracedNs: ms * 1e6,
    lowNs: (1 - doubt) * ms * 1e6,
    highNs: (1 + doubt) * ms * 1e6,
  });
  const cost = { ...bounds(costMs), traced: true };
  const line: LineFacts = { ...LINE, events, timeNs: recordedMs * 1e6, cost };
  const { bytes, timeNs } = line;
  const total = { events, bytes, timeNs, cost };
  return runOf([line], { traced: true, run: bounds(costMs), durationNs: timeNs, total });
}

describe('under a tracer', () => {
  it('recorded times say nothing: costs that may be the same are no difference', () => {
    const { total, lines, insights, run, notes } = compareRuns([traced(50, 2)], [traced(400, 2.4)]);
    expect(lines[0]).toMatchObject({ timeVerdict: 'noise unknown', verdict: 'noise unknown' });
    expect(lines[0]!.costNs).toMatchObject({ base: 2e6, new: 2.4e6, baseRange: [1.4e6, 2.6e6] });
    expect(total).toMatchObject({ countVerdict: 'unchanged', timeVerdict: 'noise unknown', verdict: 'noise unknown' });
    expect(run).toMatchObject({ untracedNs: { difference: 'noise unknown' }, recordedNs: { base: 50e6, new: 400e6 } });
    expect(insights).toMatchObject([
      { change: 'unchanged', reason: '100 calls; cost 2 ms → 2.4 ms (within the intervals)' },
    ]);
    expect(notes.join()).toContain('no difference of costs is called better or worse');
  });

  it('costs beyond both intervals are no verdict either, with one run on each side', () => {
    for (const [base, changed] of [
      [traced(50, 2), traced(45, 9)],
      [traced(45, 9), traced(50, 2)],
    ] as const) {
      const { total, lines, insights, run } = compareRuns([base], [changed]);
      for (const each of [total, lines[0]!])
        expect(each).toMatchObject({ timeVerdict: 'noise unknown', verdict: 'noise unknown' });
      expect(run!.untracedNs.difference).toBe('noise unknown');
      expect(insights).toMatchObject([{ change: 'unchanged', timeVerdict: 'noise unknown' }]);
      expect(insights[0]!.reason).toContain('(noise unknown)');
    }
    const repeated = compareRuns([traced(50, 2), traced(50, 2.1)], [traced(45, 9), traced(45, 8)]);
    expect(repeated.total).toMatchObject({ timeVerdict: 'worse', verdict: 'worse' });
  });

  it('counts decide alone where costs may be the same', () => {
    const more = traced(50, 2.2, { events: 110 });
    expect(compareRuns([traced(50, 2)], [more]).total).toMatchObject({
      countVerdict: 'worse',
      timeVerdict: 'noise unknown',
      verdict: 'worse',
    });
  });

  it('what few calls cost contradicts nothing: any of it may be the time of other programs', () => {
    const few = { events: 2 };
    expect(compareRuns([traced(1, 0.005, few)], [traced(14, 14, few)]).lines[0]!.verdict).toBe('noise unknown');
    const [one, two] = [traced(1, 0.2, { events: 1 }), traced(50, 9, few)];
    expect(compareRuns([two], [one]).lines[0]).toMatchObject({ countVerdict: 'better', verdict: 'better' });
    expect(compareRuns([traced(1, 0.2, few)], [traced(50, 9, { events: 1 })]).lines[0]!.verdict).toBe('better');
  });

  it('counts and costs that contradict each other are no verdict without repetitions', () => {
    const dearer = traced(50, 9, { events: 10 });
    expect(compareRuns([traced(50, 2)], [dearer]).total).toMatchObject({
      countVerdict: 'better',
      timeVerdict: 'noise unknown',
      verdict: 'mixed',
    });
    expect(compareRuns([traced(50, 2), traced(50, 2.1)], [dearer, dearer]).total.verdict).toBe('worse');
  });

  it('repetitions tell by their range: what the estimates have in common is wrong in all of them', () => {
    const before = [traced(50, 2), traced(80, 2.2)];
    expect(compareRuns(before, [traced(60, 2.5), traced(60, 2.6)]).lines[0]).toMatchObject({
      timeVerdict: 'worse',
      costNs: { baseRange: [2e6, 2.2e6], newRange: [2.5e6, 2.6e6] },
    });
    expect(compareRuns(before, [traced(60, 2.1), traced(60, 2.6)]).lines[0]!.verdict).toBe('within the spread');
  });

  it('a side that was recorded without one is compared by what its calls cost, too', () => {
    const cost = { untracedNs: 2e6, lowNs: 1.8e6, highNs: 2.2e6, traced: false };
    const untraced = runOf([{ ...LINE, timeNs: 8e6, cost }]);
    expect(compareRuns([traced(50, 2)], [untraced]).lines[0]).toMatchObject({
      costNs: { new: 2e6 },
      timeNs: { new: 8e6 },
    });
  });
});
