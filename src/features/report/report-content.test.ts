import { describe, expect, test } from 'vitest';
import type { AnalysisDocument, InsightDocument } from '../../export/analysis/documents.ts';
import type { FileDocument } from '../../export/analysis/file-documents.ts';
import type { JobDocument } from '../../export/report/job-document.ts';
import { madeUpFile, REPORT } from '../../../test/webview/report/made-up.ts';
import { ReportContent } from './report-content.ts';

const site = (file: string, line: number, isHere = true): InsightDocument['sites'][number] =>
  ({ file, line, isHere, function: 'main', message: 'm', source: 's', note: '', recordedFile: `/old${file}` }) as never;

const insight = (change: Partial<InsightDocument>): InsightDocument => ({
  recording: 'r',
  code: 'P06',
  trigger: 't',
  severity: 'high',
  surely: 'high',
  title: 'Small writes',
  message: 'm',
  slots: [],
  evidence: { writes: 3 },
  files: [],
  sites: [],
  recommendations: [],
  gain: { savedNs: null, lowNs: null, highNs: null, ofNs: null, method: '' },
  ...change,
});

const job: JobDocument = { ...REPORT.job, files: { rows: [], leftOut: { rows: 2, bytes: 9 } } };

const MADE = { name: 'x.darshan', paths: ['/w/x.darshan'], sites: [] };
/** A recording without times has no sentence on its run. */
const TIMING = { run: { untracedNs: 0 } };

function contentOf(...insights: InsightDocument[]): { content: ReportContent; report: typeof REPORT } {
  // Without calls of its own the log says what its job says.
  const info = { damage: [], lacks: [], notes: ['a', 'b'], events: 0 };
  const analysis = {
    recordings: [info],
    timing: [TIMING],
    examined: [],
    insights,
    unmarked: [],
    notes: ['b', 'c'],
  } as unknown as AnalysisDocument;
  const content = new ReportContent();
  return { content, report: content.report({ ...MADE, analysis }, job) };
}

describe('what a view is told', () => {
  test('places are numbers, each line once', () => {
    const { content, report } = contentOf(
      insight({ sites: [site('/w/a.c', 3), site('/w/b.c', 4)] }),
      insight({ sites: [site('/w/a.c', 3)] }),
    );
    expect(content.places).toEqual([
      { file: '/w/a.c', line: 3 },
      { file: '/w/b.c', line: 4 },
    ]);
    const [first, second] = report.findings;
    expect(first!.sites.map(({ place }) => place)).toEqual([
      { label: 'a.c:3', place: 0 },
      { label: 'b.c:4', place: 1 },
    ]);
    expect(second!.sites[0]!.place.place).toBe(0);
  });

  test('a source that is elsewhere says where it was, and calls without a line are no place', () => {
    const { report } = contentOf(insight({ sites: [site('/w/a.c', 3, false), site('', 0)] }));
    expect(report.findings[0]!.sites).toHaveLength(1);
    expect(report.findings[0]!.sites[0]!.note).toMatch(/^\/old\/w\/a\.c is not on this machine/);
  });

  test('snippets are numbers, in all their languages, and patches of the job stand together', () => {
    const c = { language: 'c', title: 'Buffer', code: 'c' } as const;
    const shell = { language: 'shell', title: 'Stripes', code: 'lfs' } as const;
    const { content, report } = contentOf(
      insight({
        recommendations: [
          { audience: 'code', text: 'x', snippet: c, alternatives: [{ ...c, language: 'fortran', code: 'f' }] },
          { audience: 'job', text: 'y', snippet: shell },
        ],
      }),
      insight({ code: 'P08', recommendations: [{ audience: 'job', text: 'z', snippet: shell }] }),
    );
    const [first] = report.findings;
    expect(first!.advice.map(({ audience, snippets }) => [audience, snippets.map(({ language }) => language)])).toEqual(
      [
        ['code', ['C', 'Fortran']],
        ['job', ['shell']],
      ],
    );
    expect(report.patches.map(({ codes }) => codes)).toEqual([['P06', 'P08']]);
    for (const { snippets } of first!.advice)
      for (const { number, code } of snippets) expect(content.snippets[number]!.code).toBe(code);
  });

  test('long lists are cut and say so', () => {
    const files = Array.from({ length: 40 }, (_, i) => ({ path: `/f${i}`, events: 1, bytes: 2048, timeNs: 5e6 }));
    const { report } = contentOf(insight({ files, sites: files.map((_, i) => site('/w/a.c', i + 1)) }));
    const [finding] = report.findings;
    expect([finding!.files.length, finding!.filesLeftOut]).toEqual([25, 15]);
    expect([finding!.sites.length, finding!.sitesLeftOut]).toEqual([25, 15]);
    expect(finding!.files[0]!.amount).toBe('1 call, 2 KiB, 5 ms');
  });

  test('notes stand once, and files of the job are not handed over with it', () => {
    const { report } = contentOf();
    expect(report.notes).toEqual(['a', 'b', 'c']);
    expect(report.files).toEqual({ rows: 0, leftOut: { rows: 2, bytes: 9 } });
    expect('files' in report.job).toBe(false);
  });

  test('a file has the lines that access it, as far as they are here', () => {
    const content = new ReportContent();
    const sites = [site('/w/a.c', 9), site('/w/gone.c', 1, false), site('', 0)];
    const file = { ...madeUpFile(1), places: undefined } as never;
    const used = new Map([['/scratch/run/part.001', { sites } as unknown as FileDocument]]);
    expect(content.file(file, used).places).toEqual([{ label: 'a.c:9', place: 0 }]);
    expect(content.file(file, new Map()).places).toEqual([]);
  });
});
