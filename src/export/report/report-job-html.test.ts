import { expect, test } from 'vitest';
import { madeUpFile, REPORT } from '../../../test/webview/report/made-up.ts';
import { printed } from '../../drawing/markup/tree.ts';
import { findingCard, findingList, summaryCard } from '../../drawing/report/findings.ts';
import type { JobDocument } from './job-document.ts';
import { PAPER } from './paper.ts';
import { jobHtml } from './report-job-html.ts';

const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>\'\u001b[31m\u202egnp.exe';

/** By what the drawing looks things up. */
const KEPT = new Set(['severity', 'source', 'audience', 'role', 'kind', 'axis']);

/** Every text of a document replaced, names of counters too; what is not said stays so. */
function poisoned<Value>(value: Value): Value {
  if (value === '' || value === 'share') return value;
  if (typeof value === 'string') return `${value}${HOSTILE}` as Value;
  if (Array.isArray(value)) return value.map((each: unknown) => poisoned(each)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]: [string, unknown]) => [
    name === 'OPENS' ? HOSTILE : name,
    KEPT.has(name) ? each : poisoned(each),
  ]);
  return Object.fromEntries(entries) as Value;
}

const document: JobDocument = {
  ...REPORT.job,
  files: { rows: [madeUpFile(0), madeUpFile(1)], leftOut: { rows: 3, bytes: 5 } },
};

/** Names of all elements of a text, without what they say. */
function elements(html: string): string[] {
  return [...html.matchAll(/<([^\s>/]*)/g)].map(([, name]) => name!);
}

test('whatever a log says, the page of its job has the same elements', () => {
  const html = jobHtml(poisoned(document));
  expect(elements(html)).toEqual(elements(jobHtml(document)));
  expect(html).toContain('&lt;script&gt;');
  for (const bad of ['\u001b', '\u202e', '<script', '<img', ' style=', ' onclick=']) expect(html).not.toContain(bad);
});

test('whatever a recording says, its findings have the same elements', () => {
  const drawn = (findings: typeof REPORT.findings): string =>
    [
      ...findingList(findings, findings.length, PAPER),
      ...findings.map((finding, at) => findingCard(finding, at, PAPER)),
      ...findings.map((finding, at) => summaryCard(finding, at, PAPER)),
    ]
      .map((part) => printed(part))
      .join('');
  const html = drawn(poisoned(REPORT.findings));
  expect(elements(html)).toEqual(elements(drawn(REPORT.findings)));
  for (const bad of ['\u001b', '\u202e', '<script', '<img', '<button']) expect(html).not.toContain(bad);
});

test('paper shows what the page of the editor shows, and nothing that wants to be pressed', () => {
  const html = jobHtml(document);
  for (const part of [
    'Where the data lay',
    'Ranks of POSIX',
    'POSIX',
    'MPI-IO hints',
    '/scratch/run',
    'Access sizes, POSIX',
  ])
    expect(html).toContain(part);
  expect(html).toContain('3 smaller ones, 5 B in all, are not listed.');
  expect(html).not.toMatch(/<button|data-act|data-select|NaN|undefined/);
});
