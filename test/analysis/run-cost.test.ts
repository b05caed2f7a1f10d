import { describe, expect, test } from 'vitest';
import { runText } from '../../src/export/analysis/run-text.ts';
import { formatDuration, formatShare } from '../../src/base/quantities.ts';
import { analysed } from '../support/analysed-text.ts';
import { line, StraceText } from '../support/strace-text.ts';

/** What findings are shares of: the run as it would be without strace, whose stops take some 40 µs a call here. */
const STOP = 40;

const records = (text: StraceText, count: number, between = 0): StraceText =>
  text.times(count, () => text.call(1, 'write(3</w/a>, "x"..., 16) = 16', STOP, [line(7)]).wait(between));
const begun = (): StraceText =>
  new StraceText().call(1, 'openat(AT_FDCWD, "/w/a", O_WRONLY) = 3</w/a>', STOP, [line(3)]);

describe('the run is the measure', () => {
  test('of a program that computes, I/O does not matter, whatever its share of the I/O time is', async () => {
    const { insights, run } = await analysed(records(begun(), 200, 40_000));
    expect(insights.map(({ code, severity }) => [code, severity])).toEqual([['P06', 'info']]);
    // 200 turns of 40 ms.
    expect(run.untracedNs / 8e9).toBeCloseTo(1, 1);
    expect(run).toMatchObject({ boundBy: 'unknown', complete: true });
    expect(runText(run)).toMatch(
      /^From its first recorded call to its last the run takes 7\.9\d s\. I\/O does not matter here: at most /,
    );
    const whole = new StraceText().call(1, 'execve("/w/app", ["app"], 0x7ffd /* 9 vars */) = 0', STOP);
    whole.call(1, 'write(3</w/a>, "x"..., 16) = 16', STOP, [line(7)]).call(1, 'exit_group(0) = ?', STOP);
    expect(runText((await analysed(whole)).run)).toMatch(/^The run takes /);
  });

  test('of one that only writes, it is bound by I/O, and what a buffer saves is grave', async () => {
    const { insights, run } = await analysed(records(begun(), 2000));
    expect(insights[0]).toMatchObject({ code: 'P06', severity: 'high' });
    expect(run.boundBy).toBe('io');
    expect(run.ioShare).toBeGreaterThan(0.5);
    expect(run.untracedNs).toBeLessThan(0.2 * run.durationNs);
    const [{ cost, gain }] = insights as [(typeof insights)[0]];
    expect(cost!.shareOfRun).toBeGreaterThan(0.5);
    expect(run.savableNs).toBeCloseTo(gain.savedNs!, 0);
    expect(runText(run)).toContain('it is bound by I/O. All findings whose saving is known could together save ');
  });

  test('a finding and its places say what the calls cost of the run, not what the tracer made of them', async () => {
    const text = records(begun(), 2000);
    text.times(400, () => text.call(1, 'write(3</w/a>, "x"..., 16) = 16', STOP, [line(9)]));
    const { insights, run } = await analysed(text);
    const [{ cost, message, sites, evidence }] = insights as [(typeof insights)[0]];
    expect(evidence['timeNs']).toBe(2400 * STOP * 1000);
    const words = (ns: number): string =>
      `cost about ${formatDuration(ns)}, ${formatShare(ns / run.untracedNs)} of the run.`;
    expect(message).toContain(`2,400 writes of 16 B from 2 places ${words(cost!.untracedNs)}`);
    for (const site of sites) expect(site.message).toContain(`from here ${words(site.cost!.untracedNs)}`);
    // What places cost is what the finding costs.
    expect(sites.reduce((sum, site) => sum + site.cost!.untracedNs, 0)).toBeCloseTo(cost!.untracedNs, 0);
    expect(cost!.untracedNs).toBeLessThan(0.1 * evidence['timeNs']!);
  });

  test('small writes do not cost what the large ones of their line do', async () => {
    const text = records(begun(), 500);
    text.times(3, () => text.call(1, 'write(4</w/b>, "x"..., 4194304) = 4194304', 4000, [line(7)]));
    const { insights } = await analysed(text);
    const { cost, gain, evidence } = insights.find(({ code }) => code === 'P06')!;
    expect(evidence['count']).toBe(500);
    // About half a microsecond each, of which nearly all is saved.
    expect(cost!.untracedNs).toBeLessThan(1e6);
    expect(gain.savedNs! / cost!.untracedNs).toBeCloseTo(1, 1);
  });

  test('few calls that wait stand before many that only seem dear under strace', async () => {
    const text = begun();
    text.times(120, () => {
      text.call(1, 'write(3</w/a>, "x"..., 16) = 16', STOP, [line(7)]);
      text.call(1, 'fsync(3</w/a>) = 0', STOP + 160, [line(8)]);
    });
    text.times(600, () => {
      text.call(1, 'openat(AT_FDCWD, "/w/log", O_WRONLY|O_APPEND) = 4</w/log>', STOP + 5, [line(20)]);
      text.call(1, 'close(4</w/log>) = 0', STOP + 2, [line(21)]);
    });
    const { insights } = await analysed(text);
    expect(insights[0]).toMatchObject({ code: 'L01', severity: 'high' });
    // Under strace the opens and closes take twice as long as the synchronisations.
    const opens = insights.find(({ code }) => code === 'L02')!;
    expect(opens.evidence['timeNs']).toBeGreaterThan(2 * insights[0]!.evidence['timeNs']!);
    expect(opens.cost!.untracedNs).toBeLessThan(insights[0]!.cost!.untracedNs);
  });

  test('calls that two findings are about are saved once', async () => {
    const text = new StraceText().call(1, 'openat(AT_FDCWD, "/w/a", O_RDWR) = 3</w/a>', STOP, [line(3)]);
    text.times(400, (i) => {
      const place = ((i * 7919) % 400) * 512;
      text.call(1, `lseek(3</w/a>, ${place}, SEEK_SET) = ${place}`, STOP, [line(5)]);
      text.call(1, 'read(3</w/a>, ""..., 64) = 64', STOP + 3, [line(6)]);
    });
    // What no finding saves: not even all I/O of the run bounds a sum that is too high.
    text.times(4, () => text.call(1, 'write(4</w/b>, "x"..., 4194304) = 4194304', 4000, [line(9)]));
    const { insights, run } = await analysed(text);
    const saved = new Map(insights.map(({ code, gain }) => [code, gain.savedNs]));
    expect([...saved.keys()].sort()).toEqual(['L03', 'P11']);
    const [reads, seeks] = [saved.get('P11')!, saved.get('L03')!];
    expect(run.ioNs).toBeGreaterThan(2 * (reads + seeks));
    // To read in order saves the seeks as well; L03 adds the part of them alone that is left by that.
    expect(run.savableNs).toBeGreaterThan(reads);
    expect(run.savableNs).toBeLessThan(reads + 0.5 * seeks);
    expect(run.savableShare).toBeCloseTo(run.savableNs! / run.untracedNs);
  });

  test('120 synchronisations that save 19 of 20 ms are first and high; 236 opens and closes that save a third of one are not', async () => {
    const stop = 180;
    const text = begun();
    text.times(120, () => {
      text.call(1, 'write(3</w/a>, "x"..., 16) = 16', stop, [line(7)]);
      text.call(1, 'fsync(3</w/a>) = 0', stop + 162, [line(8)]);
    });
    text.times(118, () => {
      text.call(1, 'openat(AT_FDCWD, "/w/log", O_WRONLY|O_APPEND) = 4</w/log>', stop + 2, [line(20)]);
      text.call(1, 'close(4</w/log>) = 0', stop, [line(21)]);
    });
    const { insights, run } = await analysed(text);
    const [first] = insights;
    const opens = insights.find(({ code }) => code === 'L02')!;
    expect(opens.evidence['timeNs']).toBeGreaterThan(first!.evidence['timeNs']!);
    expect(first).toMatchObject({ code: 'L01', severity: 'high' });
    expect(first!.gain.savedNs! / 19.3e6).toBeCloseTo(1, 1);
    expect(run.ioNs / 20e6).toBeCloseTo(1, 1);
    expect(opens.gain.savedNs!).toBeLessThan(0.5e6);
    expect(['warn', 'info']).toContain(opens.severity);
    for (const site of opens.sites) expect(['warn', 'info']).toContain(site.severity);
  });

  test('what saves 322 of 347 ms is first and high, what saves 15 of them and takes most under strace is not', async () => {
    const text = begun();
    // Half a microsecond and 16 bytes each.
    text.times(30_000, () => text.call(1, 'write(3</w/a>, "x"..., 16) = 16', STOP, [line(7)]));
    text.call(1, 'openat(AT_FDCWD, "/w/state", O_WRONLY) = 4</w/state>', STOP, [line(20)]);
    text.times(66, () => {
      text.call(1, 'write(4</w/state>, "x"..., 4096) = 4096', STOP + 1, [line(22)]);
      text.call(1, 'fsync(4</w/state>) = 0', STOP + 4960, [line(23)]);
    });
    const { insights, run } = await analysed(text);
    const [first, second] = insights;
    expect(second!.evidence['timeNs']).toBeGreaterThan(3 * first!.evidence['timeNs']!);
    expect([first!.code, second!.code]).toEqual(['L01', 'P06']);
    expect([first!.severity, second!.severity]).toEqual(['high', 'warn']);
    expect(first!.gain.savedNs! / 322e6).toBeCloseTo(1, 1);
    expect(second!.gain.savedNs! / 15e6).toBeCloseTo(1, 0);
    expect(run.untracedNs / 347e6).toBeCloseTo(1, 1);
  });

  /** Every so many reads of the one waits for a second, and as many of the other do not. */
  const waitingReads = (every: number): StraceText => {
    const text = new StraceText().call(1, 'openat(AT_FDCWD, "/w/a", O_RDWR) = 3</w/a>', STOP, [line(3)]);
    return text.times(400, (i) =>
      text.call(1, 'read(3</w/a>, ""..., 64) = 64', i % every === 0 ? 1_000_000 : STOP + 3, [line(6)]),
    );
  };

  test('what often waits for long costs that, though most calls of the kind do not', async () => {
    const { run } = await analysed(waitingReads(4));
    expect(run.ioNs / 100e9).toBeCloseTo(1, 1);
    expect(run.untracedNs / run.durationNs).toBeCloseTo(1, 1);
  });

  test('a wait now and then makes no finding of all calls of the kind dear', async () => {
    const { insights } = await analysed(waitingReads(100));
    for (const { gain } of insights) expect(gain.savedNs ?? 0).toBeLessThan(1e6);
  });

  test('processes in turn add up', async () => {
    const one = await analysed(records(begun(), 1000));
    const text = records(begun(), 1000).wait(100);
    text.times(1000, () => text.call(2, 'write(3</w/a>, "x"..., 16) = 16', STOP, [line(7)]));
    const two = await analysed(text);
    expect(two.run.ioNs / one.run.ioNs).toBeCloseTo(2, 1);
    expect(two.run.savableNs! / one.run.savableNs!).toBeCloseTo(2, 1);
  });

  test('calls that were too short for the clock take no time from the others', async () => {
    const text = records(begun(), 1000);
    text.times(100, () => text.call(2, 'write(3</w/b>, "x"..., 16) = 16', 0, [line(9)]));
    const { run } = await analysed(text);
    expect(run.ioNs).toBeGreaterThan(0);
    expect(run.savableNs).toBeGreaterThan(0);
  });

  test('a consequence stands behind its cause, and says whose it is', async () => {
    const text = new StraceText();
    text.times(200, (i) => text.call(1, `pwrite64(3</w/a>, ""..., 8, ${i * 128}) = 8`, STOP, [line(8)]));
    const { insights } = await analysed(text);
    expect(insights.map(({ code, follows }) => [code, follows])).toEqual([
      ['L06', undefined],
      ['P06', ['L06']],
    ]);
    expect(insights[0]!.severity).toBe(insights[1]!.severity);
  });
});
