import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { NONE } from '../../src/trace/events.ts';
import { LAYERS } from '../../src/trace/calls.ts';
import { formatRanks } from '../../src/analysis/metrics/process-noun.ts';
import type { OpenedRecording } from '../../src/session/reading/opened-recording.ts';
import { absent, corpus } from '../support/corpus.ts';
import { open } from '../support/programs.ts';

/** Darshan logs with call stacks: findings on the lines that the programs mark as bad, and nowhere else. */
const logs = corpus('darshan-stack');

/** The finding that fits a mark of the source. */
const FITTING: Readonly<Record<string, readonly string[]>> = {
  'small-unaligned-write': ['P06'],
  'random-write': ['P13'],
  'random-read': ['P11'],
  'one-byte-read': ['P05'],
  'redundant-read': ['P09'],
  'independent-small-write': ['M03'],
  'independent-backward-read': ['M02', 'L05'],
  'redundant-header-rewrite': ['P10'],
  'imbalanced-write': ['P18'],
};

interface ExpectedSite {
  readonly module: 'DXT_POSIX' | 'DXT_MPIIO';
  readonly op: 'read' | 'write';
  readonly file: string;
  readonly function: string;
  readonly line: number;
  readonly segments: number;
  readonly bytes: number;
  readonly ranks: readonly number[];
  readonly tag: string | null;
}

interface Expected {
  readonly log: string;
  readonly binary: string;
  readonly sites: readonly ExpectedSite[];
}

const expectations =
  logs === undefined
    ? []
    : readdirSync(logs)
        .filter((name) => name.endsWith('.expected.json'))
        .map((name) => JSON.parse(readFileSync(path.join(logs, name), 'utf8')) as Expected);

function openLog(log: string, binaries: readonly string[]): Promise<OpenedRecording> {
  return open(path.join(logs!, log), logs!, {
    binaries: binaries.map((name) => path.join(logs!, 'bin', name)),
    pathRules: [{ from: '/tmp/app', to: logs! }],
  });
}

/** `21 M03`: every line with a finding on it, and the finding. */
function findings(recording: OpenedRecording): string[] {
  const { sites } = recording.callSites();
  return recording.insights
    .flatMap((insight) => insight.sites.map(({ site }) => `${sites[site]!.line} ${insight.code}`))
    .sort();
}

/** Segments as the ground truth sums them up: by module, direction, file and place. */
function segmentSites(recording: OpenedRecording): string[] {
  const { trace } = recording;
  const { sites, siteOfNode } = recording.callSites();
  const sums = new Map<string, { segments: number; bytes: number; ranks: Set<number> }>();
  for (let row = 0; row < trace.events.length; row++) {
    const value = (column: 'layer' | 'call' | 'file' | 'stack' | 'bytes' | 'stream'): number =>
      trace.events.value(column, row);
    const site = value('stack') === NONE ? undefined : sites[siteOfNode[value('stack')]!];
    const module = LAYERS[value('layer')] === 'MPI-IO' ? 'DXT_MPIIO' : 'DXT_POSIX';
    const op = trace.calls.names[value('call')]!.endsWith('read') ? 'read' : 'write';
    const place = `${site?.functionName ?? ''}:${site?.line ?? 0}`;
    const key = `${module} ${op} ${trace.files.at(value('file')).path} ${place}`;
    const sum = sums.get(key) ?? { segments: 0, bytes: 0, ranks: new Set() };
    sum.segments++;
    sum.bytes += value('bytes');
    sum.ranks.add(trace.streams[value('stream')]!.rank!);
    sums.set(key, sum);
  }
  return [...sums].map(([key, sum]) => `${key} ${sum.segments} ${sum.bytes} ${formatRanks(sum.ranks)}`).sort();
}

describe.skipIf(logs === undefined)(logs === undefined ? absent('darshan-stack') : 'logs with stacks', () => {
  test.each(expectations)('$log: each segment is at its place', async ({ log, binary, sites }) => {
    const recording = await openLog(log, [binary]);
    const expected = sites.map(
      (site) =>
        `${site.module} ${site.op} ${site.file} ${site.function}:${site.line} ${site.segments} ${site.bytes} ${formatRanks(site.ranks)}`,
    );
    expect(segmentSites(recording)).toEqual(expected.sort());
    expect(recording.resolved.modules.map(({ status, misfits }) => [status, misfits])).toEqual([['lines', 0]]);
  });

  test.each(expectations)('$log: lines that are marked as bad have a finding, others none', async (expected) => {
    const found = findings(await openLog(expected.log, [expected.binary]));
    const bad = expected.sites.filter(({ tag }) => tag?.startsWith('BAD: ') === true);
    const lines = new Set(bad.map(({ line }) => String(line)));
    expect(new Set(found.map((finding) => finding.split(' ')[0]))).toEqual(lines);
    for (const { line, tag } of bad) {
      const fitting = FITTING[tag!.slice('BAD: '.length)]!.map((code) => `${line} ${code}`);
      expect(found, tag!).toEqual(expect.arrayContaining(fitting));
    }
  });

  test('badmpi_4ranks: all findings of all lines', async () => {
    const recording = await openLog('badmpi_4ranks.darshan', ['badmpi']);
    expect(findings(recording)).toEqual([
      ...['21 M03', '21 M07', '21 P06', '21 P08', '21 P16'],
      ...['31 L05', '31 M02', '31 M06', '31 P05', '31 P08', '31 P11', '31 P15'],
      ...['44 P06', '44 P08', '44 P10'],
      // No P19: one process takes 0.4 ms longer than another, a hundredth of the run.
      '58 P18',
    ]);
  });

  test('badio_serial: all findings of all lines', async () => {
    const recording = await openLog('badio_serial.darshan', ['badio']);
    expect(findings(recording)).toEqual([
      ...['29 P06', '29 P08'],
      ...['40 P06', '40 P08', '40 P13'],
      ...['52 P05', '52 P08', '52 P09', '52 P11'],
      ...['65 P05', '65 P08', '65 P09', '65 P11'],
      ...['76 P05', '76 P09'],
    ]);
  });

  test('findings count all segments of all ranks, not the first of one', async () => {
    const recording = await openLog('badmpi_4ranks.darshan', ['badmpi']);
    const { sites } = recording.insights.find(({ code }) => code === 'M03')!;
    expect(sites.map(({ events, bytes, streams }) => [events, bytes, streams])).toEqual([[1200, 120_000, 4]]);
  });

  test('a finding on balance names the ranks', async () => {
    const recording = await openLog('badmpi_4ranks.darshan', ['badmpi']);
    const { message, sites } = recording.insights.find(({ code }) => code === 'P18')!;
    expect(message).toContain('By rank: rank 3: 2.5 MiB; ranks 0-2: 64 KiB each.');
    expect(sites).toHaveLength(1);
  });

  test('without the binary the log’s own table gives lines, and all that is said of them is that they are uncertain', async () => {
    const recording = await openLog('badmpi_4ranks.darshan', []);
    const [module] = recording.resolved.modules;
    expect(module).toMatchObject({ module: './badmpi', status: 'missing' });
    expect(module!.note).toContain('uncertain');
    // The table names the head of the loop for line 21.
    expect(findings(recording)).toContain('19 M03');
    expect(recording.lacks.map(({ name }) => name)).toContain('binary');
  });

  test('with another binary no line is shown that it would give', async () => {
    const recording = await open(path.join(logs!, 'badio_serial.darshan'), logs!, {
      pathRules: [{ from: './badio', to: path.join(logs!, 'bin/badmpi') }],
    });
    expect(recording.resolved.modules[0]).toMatchObject({ status: 'changed' });
    expect(recording.callSites().sites.filter(({ line }) => line > 0)).toEqual([]);
  });

  test('a log without stacks: findings at files, and how to see lines', async () => {
    const recording = await open(path.join(logs!, 'badio_fork_nostack.darshan'), logs!);
    expect(recording.trace.capabilities.stacks).toBe(false);
    expect(recording.callSites().sites).toEqual([]);
    const insight = recording.insights.find(({ code }) => code === 'P06')!;
    expect([insight.sites.length, insight.files.length]).toEqual([0, 1]);
    expect(insight.recommendations.at(-1)!.text).toContain('iolens record');
    const stacks = recording.lacks.find(({ name }) => name === 'stacks')!;
    expect(stacks.remedy).toContain('DXT_ENABLE_STACK_TRACE=1');
  });

  test('a module that ran out of memory: how to give it more', async () => {
    const recording = await openLog('badio_serial_partial.darshan', ['badio']);
    const records = recording.lacks.find(({ name }) => name === 'records')!;
    expect(records.what).toContain('DXT_POSIX');
    expect(records.remedy).toMatch(/MAX_RECORDS \d+ DXT_POSIX.*DARSHAN_MODMEM/);
  });
});
