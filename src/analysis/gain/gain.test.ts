import { describe, expect, test } from 'vitest';
import { memoryFile } from '../../../test/support/memory-file.ts';
import {
  CALIBRATION,
  exactly,
  gains,
  NO_SITES,
  times,
  traced,
  TRACER,
  untracedGains,
  type Line,
} from '../../../test/support/traced-gains.ts';
import { readStrace } from '../../readers/strace/strace-reader.ts';
import { isCalibrated, parseCalibration } from '../../trace/calibration.ts';
import { measure } from '../metrics/access-metrics.ts';
import { ignoredFiles } from '../metrics/ignored-files.ts';
import { findInsights } from '../triggers/evaluate.ts';
import type { Insight } from '../triggers/insight.ts';
import { DEFAULT_THRESHOLDS } from '../triggers/thresholds.ts';
import { combined, difference, estimate, sumOf } from './estimate.ts';
import { estimateGains } from './estimate-gains.ts';
import type { Gain } from './gain.ts';
import { measuredCosts, USUAL_COSTS } from './expected-costs.ts';
import { quantile, Sample } from './sample.ts';
import { fitSizes, weightedMedian, type SizeClass } from './size-fit.ts';
import { FORMAT_TRAITS } from '../../readers/format-traits.ts';

describe('estimates', () => {
  test('equal ones are averaged, better known ones count for more', () => {
    expect(combined(estimate(10, 1), estimate(12, 1)).estimate).toEqual({ value: 11, deviation: 2 ** -0.5 });
    const { estimate: found, own } = combined(estimate(500, 50), estimate(1000, 500));
    expect(found.value).toBeCloseTo((500 / 50 ** 2 + 1000 / 500 ** 2) / (1 / 50 ** 2 + 1 / 500 ** 2));
    expect(own).toBe(false);
  });
  test('an observation far above what was expected stands alone, one far below does not pull under zero', () => {
    expect(combined(estimate(500, 50), estimate(100_000, 500))).toEqual({
      estimate: { value: 100_000, deviation: 500 },
      own: true,
    });
    expect(combined(estimate(500, 50), estimate(30_500, 500), 50_000)).toEqual({
      estimate: { value: 500, deviation: Math.hypot(50, 7500) },
      own: false,
    });
    expect(combined(estimate(500, 50), estimate(-100_000, 50)).estimate.value).toBe(250);
  });
  test('exact ones win', () => {
    expect(combined(estimate(5, 0), estimate(5, 1)).estimate.value).toBe(5);
    expect(combined(estimate(5, 1), estimate(5, 0)).own).toBe(true);
  });
  test('what errs together adds up, what errs apart does not', () => {
    expect(sumOf([estimate(1, 3), estimate(2, 4)])).toEqual({ value: 3, deviation: 7 });
    expect(difference(estimate(5, 3), estimate(2, 4))).toEqual({ value: 3, deviation: 5 });
  });
});

describe('the fit of durations to sizes', () => {
  const sized = (bytes: number, value: number, calls = 100): SizeClass => ({
    bytes,
    calls,
    duration: estimate(value, 10),
  });
  test('finds a line', () => {
    const fit = fitSizes([sized(0, 1000), sized(100, 1200), sized(1000, 3000)], estimate(0, 0))!;
    expect(fit.fixed.value).toBeCloseTo(1000);
    expect(fit.perByte!.value).toBeCloseTo(2);
  });
  test('is not moved by a wild class', () => {
    const line = [sized(0, 1000), sized(100, 1200), sized(1000, 3000), sized(2000, 5000), sized(4000, 9000)];
    const fit = fitSizes([...line, sized(500, 90_000, 20)], estimate(0, 0))!;
    expect(fit.fixed.value).toBeCloseTo(1000);
    expect(fit.perByte!.value).toBeCloseTo(2);
  });
  test('takes the expected slope when all are of one size', () => {
    const fit = fitSizes([sized(100, 1200)], estimate(2, 0.5))!;
    expect(fit).toEqual({
      fixed: { value: 1000, deviation: Math.hypot(10, 50) },
      perByte: undefined,
      span: 0,
      typical: 1200,
      support: 0,
    });
  });
  test('never has a falling slope, and needs a class', () => {
    expect(fitSizes([sized(0, 3000), sized(1000, 1000)], estimate(0, 0))!.perByte!.value).toBe(0);
    expect(fitSizes([], estimate(0, 0))).toBeUndefined();
    expect(weightedMedian([])).toBeNaN();
  });
});

describe('samples', () => {
  test('hold few calls completely, and cover many evenly', () => {
    const sample = new Sample();
    for (let i = 0; i < 200; i++) sample.add(i, 1);
    expect([...sample.sorted]).toEqual(Array.from({ length: 200 }, (_, i) => i));
    for (let i = 200; i < 100_000; i++) sample.add(i, 1);
    expect(sample.length).toBeGreaterThan(90);
    expect(sample.length).toBeLessThanOrEqual(256);
    for (const share of [0.25, 0.5, 0.75]) expect(quantile(sample.sorted, share) / 100_000).toBeCloseTo(share, 0.7);
  });
  test('are none of what a loop does each 128th time alone', () => {
    const sample = new Sample();
    for (let i = 0; i < 20_000; i++) sample.add(i % 128 === 0 ? 5e6 : 50_000, 512);
    expect(quantile(sample.sorted, 0.9)).toBe(50_000);
  });
  test('are divided by sizes, nothing for itself', () => {
    const sample = new Sample();
    for (const bytes of [0, 0, 64, 100, 4096]) sample.add(bytes + 1, bytes);
    expect(sample.bySize().map(({ bytes, sorted }) => [bytes, sorted.length])).toEqual([
      [0, 2],
      [82, 2],
      [4096, 1],
    ]);
    expect(quantile([], 0.5)).toBeNaN();
    expect(quantile([7], 1)).toBe(7);
  });
});

describe('the calibration', () => {
  test('gives a line for what moves bytes, and divides opening from closing', () => {
    const costs = measuredCosts(CALIBRATION);
    expect(costs.of('write')!.fixed.value).toBeCloseTo(600);
    expect(costs.of('write')!.perByte.value).toBeCloseTo(0.3);
    expect(costs.perByteReadAgain.value).toBeCloseTo(0.05, 3);
    expect(costs.of('open')!.fixed.value + costs.of('close')!.fixed.value).toBeCloseTo(1800);
    expect(costs.of('open-to-write')!.fixed.value + costs.of('close')!.fixed.value).toBeCloseTo(2430);
    expect(costs.of('sync')).toBeUndefined();
    // What was not measured is as on usual machines.
    expect(costs.of('access')).toEqual(USUAL_COSTS.of('access'));
    expect(measuredCosts({ ...CALIBRATION, calls: [] }).of('write')).toEqual(USUAL_COSTS.of('write'));
  });
  test('is for files of its file system', () => {
    expect(isCalibrated(CALIBRATION, '/w/data')).toBe(true);
    expect(isCalibrated(CALIBRATION, '/scratch/data')).toBe(false);
    expect(isCalibrated(CALIBRATION, '/scratchy/data')).toBe(true);
  });
  test('is read back as it was written', () =>
    expect(parseCalibration(JSON.stringify(CALIBRATION))).toEqual(CALIBRATION));
  test.each([
    ['no JSON', '{', 'it is no JSON'],
    ['another kind', '{"schema":"iolens/calibration@2"}', 'it is not of the kind'],
    ['a list', '[]', 'it is not of the kind'],
    ['no calls', '{"schema":"iolens/calibration@1","folder":"/","mounts":[]}', 'are missing'],
    [
      'far too many',
      JSON.stringify({ ...CALIBRATION, mounts: Array(2000).fill(CALIBRATION.mounts[0]) }),
      'are missing',
    ],
    ['a mount without a type', JSON.stringify({ ...CALIBRATION, mounts: [{ path: '/' }] }), 'mounts[0] is no mount'],
    ['a foreign call', JSON.stringify({ ...CALIBRATION, calls: [{ call: 'rm' }] }), 'calls[0].call'],
    ['a text for a number', JSON.stringify({ ...CALIBRATION, calls: [{ call: 'read', ns: '1' }] }), 'calls[0].ns'],
    ['a negative time', JSON.stringify({ ...CALIBRATION, calls: [exactly('read', 1, -5)] }), 'calls[0].ns'],
    [
      'quartiles out of order',
      JSON.stringify({ ...CALIBRATION, calls: [{ ...exactly('read', 1, 5), highNs: 4 }] }),
      'highNs',
    ],
  ])('that is %s is refused', (_what, text, message) => expect(() => parseCalibration(text)).toThrow(message));
});

const NOTHING_FOUND: Insight = {
  code: 'L99',
  trigger: 'phase-of-the-moon',
  severity: 'info',
  title: '',
  message: '',
  evidence: {},
  files: [{ file: 0, events: 1, bytes: 0, timeNs: 1000 }],
  sites: [],
  recommendations: [],
};

const OPEN: Line = ['openat(AT_FDCWD</w>, "a", O_RDWR) = 3</w/a>', 1600];
const write = (ns: number): Line => ['write(3</w/a>, "x", 100) = 100', ns];
const writes = (count: number, ns = 630): Line[] => times(count, () => [write(ns)]);
const seeks = (count: number): Line[] => times(count, () => [['lseek(3</w/a>, 0, SEEK_CUR) = 0', 120]]);

describe('gains where recording and machine agree', () => {
  test('small writes: all but those of a buffer, bytes remain', async () => {
    const { 'posix-small-writes': gain } = await gains(traced([OPEN, ...seeks(20), ...writes(4000)]), CALIBRATION);
    // 400,000 bytes fill four buffers of 128 KiB.
    expect(gain!.savedNs! / (3996 * 600)).toBeCloseTo(1, 2);
    expect(gain!.lowNs!).toBeLessThan(3996 * 600);
    expect(gain!.highNs!).toBeGreaterThan(3996 * 600);
    expect(gain!.method).toContain('3,996 of 4,000 writes fewer, at about 600 ns each; their cost was measured');
    expect(gain!.ofNs! / (4000 * 630 + 20 * 120 + 1600)).toBeCloseTo(1, 1);
  });
  test('every hundredth call that is disturbed for ten milliseconds changes nothing', async () => {
    const calm = await gains(traced([OPEN, ...seeks(20), ...writes(4000)]), CALIBRATION);
    const disturbed = times(4000, (i) => [write(i % 100 === 7 ? 10e6 : 630)]);
    const found = await gains(traced([OPEN, ...seeks(20), ...disturbed]), CALIBRATION);
    expect(found['posix-small-writes']!.savedNs! / calm['posix-small-writes']!.savedNs!).toBeCloseTo(1, 2);
  });
  test('nor does a tracer that answers later for all of the writes, but not for the start of the program', async () => {
    const calm = await gains(traced([OPEN, ...seeks(20), ...writes(4000)]), CALIBRATION);
    const late = await gains(traced([OPEN, ...seeks(20), ...writes(4000, 32_000)]), CALIBRATION);
    const [was, is] = [calm['posix-small-writes']!, late['posix-small-writes']!];
    expect(is.savedNs! / was.savedNs!).toBeCloseTo(1, 1);
    expect(is.highNs!).toBeGreaterThan(1.1 * was.highNs!);
    // Where another file system was measured it may have been this one all the same.
    const elsewhere = {
      ...CALIBRATION,
      folder: '/fast',
      mounts: [
        { path: '/fast', type: 'tmpfs' },
        { path: '/', type: 'nfs' },
      ],
    };
    const doubted = await gains(traced([OPEN, ...seeks(20), ...writes(4000, 32_000)]), elsewhere);
    expect(doubted['posix-small-writes']!.highNs!).toBeGreaterThan(5 * is.highNs!);
  });
  test('seeks: all of them', async () => {
    const pair: Line[] = [
      ['lseek(3</w/a>, 5000, SEEK_SET) = 5000', 120],
      ['write(3</w/a>, "x", 8000) = 8000', 3000],
    ];
    const { 'seek-before-every-access': gain } = await gains(traced([OPEN, ...times(500, () => pair)]), CALIBRATION);
    expect(gain!.savedNs! / (500 * 120)).toBeCloseTo(1, 1);
  });
  test('opens and closes: all but the first and the last', async () => {
    const round: Line[] = [
      ['openat(AT_FDCWD</w>, "a", O_RDONLY) = 3</w/a>', 1600],
      ['close(3</w/a>) = 0', 200],
    ];
    const { 'open-close-in-loop': gain } = await gains(traced(times(300, () => round)), CALIBRATION);
    expect(gain!.savedNs! / (299 * 1800)).toBeCloseTo(1, 1);
  });
  test('bytes that are read again: calls and bytes', async () => {
    const again = times<Line>(300, () => [['pread64(3</w/a>, "x", 100000, 0) = 100000', 5400]]);
    const { 'posix-redundant-reads': gain } = await gains(traced([OPEN, ...seeks(20), ...again]), CALIBRATION);
    expect(gain!.savedNs! / (299 * 5400)).toBeCloseTo(1, 1);
  });
  test('questions: one for each path; none when each is asked about once', async () => {
    const asked = (path: string): Line => [`stat("${path}", {st_mode=S_IFREG|0644, st_size=1}) = 0`, 1000];
    const one = await gains(traced(times(300, () => [asked('/w/a')])), CALIBRATION);
    expect(one['repeated-questions']!.savedNs! / (299 * 1000)).toBeCloseTo(1, 1);
    const all = Array.from({ length: 300 }, (_, file) => ({ file, events: 1, bytes: 0, timeNs: 1000 }));
    const finding = { ...NOTHING_FOUND, trigger: 'posix-metadata-time', evidence: { count: 300 }, files: all };
    const many = await gains(traced(times(300, (i) => [asked(`/w/a${i}`)])), CALIBRATION, [finding]);
    expect(many['posix-metadata-time']!.savedNs).toBeNull();
    expect(many['posix-metadata-time']!.method).toContain('asked about only once');
    const opened = await gains(traced(times(300, (i) => [[`open("/w/a${i}", O_RDONLY) = 3`, 1000]])), CALIBRATION, [
      finding,
    ]);
    expect(opened['posix-metadata-time']!.method).toContain('none of these calls only asks about a path');
  });
});

describe('gains that the recording alone can tell', () => {
  const synced = (count: number, ns: number): Line[] =>
    times(count, () => [
      ['write(3</w/a>, "x", 4096) = 4096', 1800],
      ['fsync(3</w/a>) = 0', ns],
    ]);
  test('synchronisations: all but the last, at their mean', async () => {
    const { 'sync-after-every-write': gain } = await gains(traced([OPEN, ...seeks(20), ...synced(200, 1e6)]));
    expect(gain!.savedNs! / (199 * 1e6)).toBeCloseTo(1, 2);
    expect(gain!.method).toContain("the recording's own");
  });
  test('writes that wait for a network: not the calibration of a local disk', async () => {
    const { 'posix-small-writes': gain } = await gains(
      traced([OPEN, ...seeks(20), ...writes(1000, 400_000)]),
      CALIBRATION,
    );
    expect(gain!.savedNs! / (999 * 400_000)).toBeCloseTo(1, 1);
    expect(gain!.method).toContain("the recording's own");
  });
});

test('a recording by something else than strace has no tracer’s part', async () => {
  const trace = await readStrace([memoryFile('t', traced([OPEN, ...seeks(20), ...writes(4000)]))]);
  const ignored = ignoredFiles(trace.files);
  const metrics = measure(trace, NO_SITES, ignored);
  const insights = findInsights(trace, metrics, DEFAULT_THRESHOLDS, NO_SITES);
  const inputs = { trace: { ...trace, form: FORMAT_TRAITS.iolens }, callSites: NO_SITES, metrics, ignored };
  const [found] = estimateGains({ ...inputs, calibration: CALIBRATION }, insights).insights;
  expect(found!.gain.savedNs! / (3996 * (630 + TRACER))).toBeCloseTo(1, 1);
});

describe('recordings of the library on a busy machine', () => {
  const recorded = async (lines: readonly Line[]): Promise<Record<string, Gain>> => {
    const trace = await readStrace([memoryFile('t', traced(lines.map(([call, ns]) => [call, ns - TRACER])))]);
    const ignored = ignoredFiles(trace.files);
    const metrics = measure(trace, NO_SITES, ignored);
    const insights = findInsights(trace, metrics, DEFAULT_THRESHOLDS, NO_SITES);
    const inputs = { trace: { ...trace, form: FORMAT_TRAITS.iolens }, callSites: NO_SITES, metrics, ignored };
    const { insights: found } = estimateGains({ ...inputs, calibration: CALIBRATION }, insights);
    return Object.fromEntries(found.map(({ trigger, gain }) => [trigger, gain]));
  };

  /** What the library adds to a call, nanoseconds. */
  const LIBRARY = 60;

  test('every twentieth write that lost the processor for four milliseconds changes little', async () => {
    const calm = await recorded([OPEN, ...writes(4000, LIBRARY + 630)]);
    const busy = await recorded([OPEN, ...times(4000, (i) => [write(i % 20 === 7 ? 4e6 : LIBRARY + 630)])]);
    const [was, is] = [calm['posix-small-writes']!, busy['posix-small-writes']!];
    expect(was.savedNs! / (3996 * 615)).toBeCloseTo(1, 1);
    expect(is.savedNs! / was.savedNs!).toBeCloseTo(1, 1);
    // It may have been the storage all the same.
    expect(is.highNs! - is.lowNs!).toBeGreaterThan(was.highNs! - was.lowNs!);
  });

  test('so it does where they take four times as long as those that were measured, and wait for nothing', async () => {
    const busy = await recorded([OPEN, ...times(4000, (i) => [write(i % 20 === 7 ? 4e6 : LIBRARY + 2500)])]);
    expect(busy['posix-small-writes']!.savedNs! / (3996 * 2500)).toBeCloseTo(1, 1);
  });

  test('writes that all take far longer than those that were measured are believed', async () => {
    const { 'posix-small-writes': gain } = await recorded([OPEN, ...writes(1000, 400_000)]);
    expect(gain!.savedNs! / (999 * 400_000)).toBeCloseTo(1, 1);
  });

  test('synchronisations: where some lost the processor, the interval reaches down to those that did not', async () => {
    const sync = (ns: number): Line => ['fsync(3</w/a>) = 0', ns];
    const synced = (make: (i: number) => number): Line[] => [OPEN, ...times(200, (i) => [write(630), sync(make(i))])];
    const calm = await recorded(synced(() => 250_000));
    const busy = await recorded(synced((i) => (i % 2 === 0 ? 250_000 : 4e6)));
    const [was, is] = [calm['sync-after-every-write']!, busy['sync-after-every-write']!];
    expect(was.savedNs! / (199 * 250_000)).toBeCloseTo(1, 2);
    expect(is.lowNs!).toBeLessThan(1.1 * was.savedNs!);
    expect(was.lowNs!).toBeGreaterThan(0.3 * was.savedNs!);
  });
});

describe('calls without a tracer in their durations', () => {
  const sized = (bytes: number, ns: number): Line => [`write(3</w/a>, "x", ${bytes}) = ${bytes}`, ns];
  /** A line through the sizes of the small writes is ten times as steep as what the large one took. */
  const checkpoint = times(1000, (i) => [
    i === 501 ? sized(4 << 20, 1e6) : i % 5 === 4 ? sized(512, 3100) : sized(37, 715),
  ]);

  test('small writes keep their own cost beside a large one', async () => {
    const { 'posix-small-writes': gain } = await untracedGains(checkpoint);
    // 800 of 715 ns, 200 of 3.1 µs, and 1 ms for 4 MiB; two writes of a buffer remain.
    expect(gain!.savedNs!).toBeGreaterThan(0.9 * 1000 * 715);
    expect(gain!.savedNs!).toBeLessThan(800 * 715 + 200 * 3100);
    expect(gain!.lowNs!).toBeGreaterThan(0);
    expect(gain!.highNs!).toBeLessThan(gain!.ofNs!);
  });

  test('no more is saved than the calls took, though another run may take longer', async () => {
    const { 'posix-small-writes': gain } = await untracedGains(
      times(1000, (i) => [sized(100, i % 10 === 0 ? 50_000 : 500)]),
    );
    expect(gain!.savedNs!).toBeLessThanOrEqual(1000 * 5450);
    expect(gain!.highNs!).toBeGreaterThan(1.15 * gain!.savedNs!);
    expect(gain!.highNs!).toBeLessThan(2 * gain!.savedNs!);
  });

  test('nor is the first call, a header of another size', async () => {
    const lines = times(1000, (i) => [i === 0 ? sized(24, 20_000) : sized(8, 500)]);
    const { 'posix-small-writes': gain } = await untracedGains(lines);
    expect(gain!.savedNs! / (999 * 500)).toBeGreaterThan(0.7);
  });

  test('a few bytes more and chance in the times are no price of a byte', async () => {
    // Lines of 9 to 11 bytes, of which the first ones find cold caches: 30 ns a byte would leave nothing for a call.
    const lines = times(1000, (i) => [i < 100 ? sized(7, 1000) : sized(10, i % 2 === 0 ? 1250 : 1150)]);
    const { 'posix-small-writes': gain } = await untracedGains(lines);
    const took = 100 * 1000 + 900 * 1200;
    expect(gain!.savedNs! / took).toBeCloseTo(1, 1);
    expect(gain!.lowNs!).toBeGreaterThan(0.7 * took);
  });

  test('times that contradict every cost of a call tell nothing', async () => {
    // Twice the bytes take ten times as long: nothing is left for a call that moves none.
    const { 'posix-small-writes': gain } = await untracedGains(
      times(1000, (i) => [i % 3 === 0 ? sized(2100, 10_000) : sized(1000, 1000)]),
    );
    // What the calls took bounds it.
    expect(gain).toMatchObject({ savedNs: null, lowNs: 0, highNs: 334 * 10_000 + 666 * 1000 });
    expect(gain!.method).toBe('the recorded times of these calls do not tell what fewer of them would save');
  });
});

describe('what is not known', () => {
  test('without a calibration the costs of usual machines stand in, and the interval is wide', async () => {
    const text = traced([OPEN, ...seeks(20), ...writes(4000)]);
    const { 'posix-small-writes': usual } = await gains(text);
    const { 'posix-small-writes': measured } = await gains(text, CALIBRATION);
    expect(usual!.method).toContain('usual machines');
    expect(usual!.highNs! - usual!.lowNs!).toBeGreaterThan(2 * (measured!.highNs! - measured!.lowNs!));
    expect(usual!.lowNs!).toBeLessThan(3996 * 600);
    expect(usual!.highNs!).toBeGreaterThan(3996 * 600);
  });
  test('without durations the machine tells, but not how long its storage takes', async () => {
    const text = [OPEN, ...times<Line>(200, () => [write(0), ['fsync(3</w/a>) = 0', 0]])]
      .map(([call], i) => `7 1795252180.${String(i).padStart(6, '0')} ${call}\n`)
      .join('');
    const found = await gains(text, CALIBRATION);
    expect(found['posix-small-writes']!.savedNs! / (199 * 600)).toBeCloseTo(1, 1);
    expect(found['sync-after-every-write']).toMatchObject({ savedNs: null, lowNs: null, highNs: null, ofNs: null });
    expect(found['sync-after-every-write']!.method).toContain('does not tell');
  });
  test('a trigger without a model', async () => {
    const found = await gains(traced([OPEN]), CALIBRATION, [
      NOTHING_FOUND,
      { ...NOTHING_FOUND, trigger: 'posix-small-writes' },
      { ...NOTHING_FOUND, trigger: 'a-summary', files: [] },
    ]);
    expect(found['phase-of-the-moon']).toMatchObject({ savedNs: null, lowNs: 0 });
    expect(found['phase-of-the-moon']!.highNs).toBeGreaterThan(0);
    expect(found['phase-of-the-moon']!.highNs).toBeLessThanOrEqual(1000);
    expect(found['phase-of-the-moon']!.method).toContain('no model');
    expect(found['a-summary']).toMatchObject({ savedNs: null, lowNs: null, highNs: null });
    const fine = await gains(traced([OPEN]), CALIBRATION, [{ ...NOTHING_FOUND, severity: 'ok' }]);
    expect(fine['phase-of-the-moon']!.method).toBe('nothing has to be changed here');
    // A finding about nothing.
    expect(found['posix-small-writes']!.method).toContain('does not make these calls fewer');
  });
  test('durations of nothing give numbers all the same', async () => {
    const text = times(400, () => ['write(3</w/a>, "x", 100) = 100 <0.000000>'])
      .map((line, i) => `7 1795252180.${String(i).padStart(6, '0')} ${line}\n`)
      .join('');
    for (const gain of Object.values(await gains(text, CALIBRATION))) {
      expect(gain.savedNs).toBeGreaterThan(0);
      expect(gain.highNs).toBeGreaterThanOrEqual(gain.savedNs!);
    }
  });
});
