/** The job document of real logs: it is bounded plain data, its parts agree, and reports of it are no way in. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { MOST_CHARACTERS, type JobDocument } from '../../src/export/report/job-document.ts';
import { jobDocument } from '../../src/export/report/job-documents.ts';
import type { AnalysisDocument } from '../../src/export/analysis/documents.ts';
import { jobHtml } from '../../src/export/report/report-job-html.ts';
import { jobMarkdown } from '../../src/export/report/report-job-markdown.ts';
import { jobLines } from '../../src/export/report/report-job-text.ts';
import { PLAIN } from '../../src/export/report/report-text.ts';
import { infoText } from '../../src/export/analysis/summary-text.ts';
import { reportText, type ReportFormat } from '../../src/cli/report-formats.ts';
import { emptyImpossibleBins, replaceImpossible } from '../../src/readers/darshan/counter-bounds.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { recogniseRecording } from '../../src/session/reading/recognise-recording.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { CounterTable } from '../../src/trace/counters.ts';
import { DamageLog } from '../../src/trace/damage.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { absent, corpus } from '../support/corpus.ts';
import { unbounded } from '../support/job-bounds.ts';

const folder = corpus('darshan');
const names = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.darshan'));

async function traceOf(name: string): Promise<Trace> {
  const { format, files } = await recogniseRecording([path.join(folder!, name)]);
  return format.read(files, {});
}

async function jobOf(name: string): Promise<JobDocument> {
  return jobDocument(await traceOf(`${name}.darshan`), name)!;
}

const total = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0);

describe.skipIf(folder === undefined)(`the job document (${folder ?? absent('darshan')})`, () => {
  test.each(names)('of %s is bounded plain data whose parts agree', async (name) => {
    const document = jobDocument(await traceOf(name), name)!;
    expect(unbounded(document, 'job')).toEqual([]);
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
    for (const { read, written, rows } of document.heatmaps) {
      const moved = total(read) + total(written);
      expect(Math.abs(total(rows.map(total)) - moved)).toBeLessThanOrEqual(1e-6 * moved);
    }
    for (const { module, bytesRead, bytesWritten, categories, accessSizes, pattern } of document.modules) {
      if (categories !== null) expect(categories.total.bytes).toBe(bytesRead + bytesWritten);
      if (accessSizes !== null && pattern !== null) expect(total(accessSizes.read)).toBe(pattern.read.total);
      const rows = document.files.rows.filter((row) => row.module === module);
      if (categories !== null && document.files.leftOut.rows === 0) {
        expect([rows.length, total(rows.map((row) => row.bytesRead))]).toEqual([categories.total.files, bytesRead]);
      }
    }
  });

  test('what Drishti’s header and PyDarshan’s summary begin with', async () => {
    const { job, usedFiles, regions } = await jobOf('dxtexplorer_8_benchmark_parallel');
    expect(job).toMatchObject({
      jobId: '45195555',
      executable: '8_benchmark_parallel',
      processes: 1024,
      hosts: 64,
      runSeconds: 6,
      logVersion: '3.21',
      libraryVersion: '3.2.1',
      hints: [
        ['romio_no_indep_rw', 'true'],
        ['cb_nodes', '4'],
      ],
    });
    expect(usedFiles).toEqual({
      files: 3,
      byModule: [
        { module: 'POSIX', files: 1 },
        { module: 'MPI-IO', files: 1 },
        { module: 'STDIO', files: 2 },
      ],
    });
    expect(regions.map(({ name }) => name)).toContain('DXT_POSIX');
  });

  test('segments by process and over time add up to the segments of the log', async () => {
    const { ranks, heatmaps, segments } = await jobOf('dxtexplorer_8_benchmark_parallel');
    for (const [module, dxt] of [
      ['POSIX', 'DXT_POSIX'],
      ['MPI-IO', 'DXT_MPIIO'],
    ]) {
      const sums = segments.find((each) => each.module === dxt)!;
      const rank = ranks.find((each) => each.module === module)!;
      const heatmap = heatmaps.find((each) => each.module === module)!;
      expect([rank.source, heatmap.source]).toEqual(['segments', 'segments']);
      expect([total(rank.bytesRead), total(rank.bytesWritten)]).toEqual([sums.read.bytes, sums.write.bytes]);
      expect(total(heatmap.written) / sums.write.bytes).toBeCloseTo(1, 9);
      expect([rank.ranksPerRow, rank.bytesRead.length, rank.active]).toEqual([6, 171, 1024]);
    }
  });

  test('heatmaps hold the bytes that the counters count', async () => {
    const { heatmaps, modules } = await jobOf('mpi-io-test-x86_64-3.5.0');
    expect(heatmaps.map(({ module }) => module)).toEqual(['MPI-IO', 'POSIX', 'STDIO']);
    for (const { module, source, read, written } of heatmaps) {
      const counted = modules.find((each) => each.module === module)!;
      expect([source, total(read), total(written)]).toEqual(['heatmap', counted.bytesRead, counted.bytesWritten]);
    }
  });

  test('sixty-five thousand processes fit', async () => {
    const document = await jobOf('skew-app');
    expect(JSON.stringify(document).length).toBeLessThan(30_000);
    const posix = document.modules.find(({ module }) => module === 'POSIX')!;
    expect(posix.time!.shareOfRun!.metadata).toBeCloseTo(
      posix.time!.metadataSeconds / 65_536 / document.job.runSeconds!,
    );
    expect(document.files.rows[0]).toMatchObject({ processes: 65_536, rank: null });
    expect(document.files.rows[0]!.slowest!.seconds).toBeGreaterThan(document.files.rows[0]!.fastest!.seconds);
  });

  test('stripes and targets of Lustre', async () => {
    const { files } = await jobOf('mpi-io-test-x86_64-3.4.6');
    const row = files.rows.find(({ module }) => module === 'POSIX')!;
    expect(row.stripes).toMatchObject({ bytes: 1_048_576, count: 1, components: 1 });
    expect(row.stripes!.targets).toHaveLength(1);
  });

  test('a killed program has no run time, and nothing is divided by it', async () => {
    const document = await jobOf('uncompressed_killed_3.5.0');
    expect(document.job).toMatchObject({ runSeconds: null, endTime: null });
    expect(document.modules[0]!.time!.shareOfRun).toBeNull();
    expect(jobLines(document).join('\n')).toContain('killed');
  });

  test('names, hints and commands of a log stay text in every report', async () => {
    const trace = await traceOf('mpi-io-test-x86_64-3.4.6.darshan');
    const bad = '</td><script>alert(1)</script>"\'`|\n\u001b[31m# forged\u202e';
    const log = trace.counters!;
    const job = {
      ...log.job,
      command: `/bin/${bad}`,
      jobId: bad,
      userId: bad,
      metadata: [
        ['h', `${bad}=${bad}`],
        ['lib_ver', bad],
        [bad, bad],
      ],
      mounts: [[`/${bad}`, bad]],
    } as const;
    const files = trace.files.files;
    files.forEach((file, i) => {
      files[i] = { ...file, path: `/${bad}/${i}` };
    });
    const regions = log.regions.map((region) => ({ ...region, name: bad }));
    const document = jobDocument({ ...trace, counters: { ...log, job, regions } }, bad)!;
    const html = jobHtml(document);
    // The only elements are ours.
    expect(['<script', '\u001b', '\u202e'].filter((each) => html.includes(each))).toEqual([]);
    expect(html).toContain('&lt;script&gt;');
    const markdown = jobMarkdown(document);
    expect(['\u001b', '\u202e'].filter((each) => markdown.includes(each))).toEqual([]);
    expect(markdown.replace(/(`+)[^`](?:[\s\S]*?[^`])?\1(?!`)/g, '')).not.toContain('<script');
    const lines = jobLines(document);
    expect(lines.filter((line) => line.includes('\n'))).toEqual([]);
  });

  test('every report of a log begins with its job; the JSON holds the whole of it', async () => {
    const session = localSession({ folder: path.resolve(import.meta.dirname, '../../dist') });
    const log = path.join(folder!, 'ior-PNETCDF.darshan');
    const { id, info } = await session.recordings.open(plainRequest(log));
    const analysis = await session.findings.analysis([id]);
    const gather = {
      report: () => session.report.material([id]),
      drishtiRows: () => Promise.resolve([]),
      fixes: () => session.fixes.list([id]),
      jobs: () => Promise.all([session.report.job(id)]),
      jobSummaries: () => Promise.all([session.report.jobSummary(id)]),
    };
    const report = (format: ReportFormat): Promise<string> => reportText(format, analysis, gather, PLAIN, {});
    expect(analysis.recordings[0]).not.toHaveProperty('job');
    const { recordings } = JSON.parse(await report('json')) as AnalysisDocument;
    expect(recordings[0]!.job).toEqual(await session.report.job(id));
    const pieces = ['MPI-IO', 'PNETCDF_VAR', 'ior', '4 processes', '4.25 MiB'];
    for (const text of [
      await report('text'),
      await report('markdown'),
      await report('html'),
      infoText(info, { job: recordings[0]!.job }),
    ]) {
      expect(pieces.filter((piece) => !text.includes(piece))).toEqual([]);
    }
    const html = await report('html');
    // Each chart says in words what it is of.
    expect(
      [...html.matchAll(/<svg class="chart"[^>]*>/g)].every(([svg]) => /role="img" aria-label="[^"]+"/.test(svg)),
    ).toBe(true);
    expect(html).toContain('aria-label="Access sizes, PNETCDF_VAR"');
    await session.recordings.close(id);
  });

  test('recordings of calls have no job', async () => {
    const session = localSession({ folder: path.resolve(import.meta.dirname, '../../dist') });
    const { id } = await session.recordings.open(
      plainRequest(path.join(import.meta.dirname, '../data/strace/ls/a_host1_14582.st')),
    );
    expect(await session.report.job(id)).toBeUndefined();
    await session.recordings.close(id);
  });

  test('numbers of a damaged log break no bound and no report', async () => {
    const trace = await traceOf('ior-PNETCDF.darshan');
    const hostile = [NaN, Infinity, -Infinity, -1, 1e308, -1e308, 2 ** 63, 0.5, 0, 7];
    const damage = new DamageLog();
    const ranks = [-2147483648, -1, 0, 3, 2147483647];
    const log = trace.counters!;
    const modules = log.modules.map(({ module, version, counters }) => {
      const table = new CounterTable(module, version, counters, true);
      for (let record = 0; record < 200; record++) {
        const values = counters.map((_, i) => hostile[(record * 7 + i * 3 + (record % 11)) % hostile.length]!);
        const file = (record % 4) - 1;
        table.add(BigInt(record % 5), ranks[record % ranks.length]!, Math.min(file, trace.files.length - 1), values);
      }
      table.trim();
      replaceImpossible(table, 'damaged', damage);
      return table;
    });
    const bins = Float64Array.from({ length: 5000 }, (_, i) => hostile[i % hostile.length]!);
    const heatmaps = [1e-300, 0.1, 1e300, -1, NaN].flatMap((binWidth) =>
      ranks.map((rank) => ({ api: 'POSIX', rank, binWidth, read: bins.slice(), written: bins.slice() })),
    );
    emptyImpossibleBins(heatmaps, 'damaged', damage);
    expect(damage.list().map(({ where }) => where)).toEqual([
      ...modules.map(({ module }) => `damaged, ${module}`),
      'damaged, HEATMAP',
    ]);
    for (const processes of [0, -5, 3, 2 ** 53]) {
      const counters = { ...log, job: { ...log.job, processes }, modules, heatmaps };
      const document = jobDocument({ ...trace, counters }, 'damaged')!;
      expect(unbounded(document, 'job')).toEqual([]);
      for (const report of [jobHtml(document), jobMarkdown(document), jobLines(document).join('\n')]) {
        expect(report).not.toContain('NaN');
        expect(report.length).toBeLessThan(1_000_000);
      }
    }
  });

  test('long names are cut', async () => {
    const trace = await traceOf('mpi-io-test-x86_64-3.4.6.darshan');
    const command = `/bin/${'x'.repeat(100_000)}`;
    const counters = { ...trace.counters!, job: { ...trace.counters!.job, command } };
    const { job } = jobDocument({ ...trace, counters }, 'log')!;
    expect(job.command).toHaveLength(MOST_CHARACTERS);
    expect(job.command.endsWith('…')).toBe(true);
  });
});
