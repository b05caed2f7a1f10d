import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { formatCount } from '../../../src/base/quantities.ts';
import { costText, recordedText } from '../../../src/export/analysis/cost-text.ts';
import type { AnalysisDocument, InsightDocument, SiteDocument } from '../../../src/export/analysis/documents.ts';
import { markedOnce } from '../../../src/export/analysis/findings.ts';
import { sarifLog } from '../../../src/export/report/report-sarif.ts';
import { localSession } from '../../../src/features/answers/all-answers.ts';
import { activateHover } from '../../../src/features/lines/hover.ts';
import type { OpenResult } from '../../../src/session/reading/open-recordings.ts';
import { plainRequest } from '../../../src/session/reading/open-request.ts';
import { line, StraceText } from '../../support/strace-text.ts';

/** Count and time of a finding are the same wherever it is shown, also where calls that it is not about share its line. */

const editor: { provide: (document: unknown, position: unknown) => unknown } = vi.hoisted(() => ({
  provide: () => undefined,
}));

vi.mock('vscode', () => ({
  TreeItemCollapsibleState: {},
  l10n: {
    t: (text: string, ...values: string[]) => text.replace(/\{(\d)\}/g, (_all, i: string) => values[Number(i)]!),
  },
  MarkdownString: class {
    value = '';
    appendMarkdown(text: string): void {
      this.value += text;
    }
    appendCodeblock(text: string): void {
      this.value += text;
    }
  },
  Hover: class {
    constructor(readonly contents: readonly unknown[]) {}
  },
  languages: {
    registerHoverProvider: (
      _selector: unknown,
      { provideHover }: { provideHover: (document: unknown, position: unknown) => unknown },
    ) => {
      editor.provide = provideHover;
    },
  },
}));

const session = localSession({ folder: path.resolve('dist') });
const folder = mkdtempSync(path.join(tmpdir(), 'iolens-same-amounts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Seeks and small writes of one line, small writes of another, questions for what is missing. */
function recorded(): string {
  const text = new StraceText();
  text.call(7, 'openat(AT_FDCWD, "/w/a", O_RDWR|O_CREAT, 0644) = 3</w/a>', 30, [line(3)]);
  text.times(300, (i) => {
    text.call(7, `lseek(3</w/a>, ${i * 16}, SEEK_SET) = ${i * 16}`, 29, [line(9)]);
    text.call(7, 'write(3</w/a>, "x"..., 16) = 16', 31 + (i % 3), [line(9)]);
  });
  text.times(1000, () => text.call(7, 'write(3</w/a>, "x"..., 20) = 20', 33, [line(14)]));
  text.times(200, (i) => text.call(7, `stat("/w/missing${i}", 0x7ffd) = -1 ENOENT (No such file)`, 60, [line(20)]));
  return text.toString();
}

let opened: OpenResult;
let analysis: AnalysisDocument;
beforeAll(async () => {
  const file = path.join(folder, 'run.strace');
  writeFileSync(file, recorded());
  opened = await session.recordings.open(plainRequest(file));
  analysis = await session.findings.analysis([opened.id]);
});

/** What the hover over a place says of it. */
function hoverOf(insight: InsightDocument, site: SiteDocument): string {
  const finding = { recording: { id: opened.id, analysis }, insight, site, line: site.line - 1 };
  activateHover({ at: () => [finding] } as never, { at: () => [], elsewhere: () => [] } as never);
  const hover = editor.provide({}, { line: site.line - 1 }) as { contents: readonly { value: string }[] };
  return hover.contents.map(({ value }) => value).join('');
}

/** Cells of the table of one row. */
function cellsOf(hover: string): Record<string, string> {
  const [heads, values] = hover
    .split('\n')
    .filter((each) => each.startsWith('| '))
    .map((row) => row.split('|').map((cell) => cell.replace('&emsp;', '').trim()));
  return Object.fromEntries(heads!.map((head, i) => [head, values![i]!]));
}

const sum = (sites: readonly SiteDocument[], of: (site: SiteDocument) => number): number =>
  sites.reduce((all, site) => all + of(site), 0);

describe('count and time of a finding', () => {
  test('are about its own calls: seeks share the line with writes', () => {
    const count = (code: string) => analysis.insights.find((each) => each.code === code)?.evidence['count'];
    expect([count('P06'), count('L03'), count('L11')]).toEqual([1300, 300, 200]);
  });

  test('are those of its places, of its selection, of the hover and of SARIF', async () => {
    const { results } = sarifLog(analysis, { version: '1', root: '/w', excerpts: new Map() as never }).runs[0]!;
    // Consequences of others have no mark.
    const placed = markedOnce(analysis.insights).filter(({ sites }) => sites.length > 0);
    expect(placed.map(({ code }) => code).sort()).toEqual(['L03', 'L11', 'P06']);
    for (const insight of placed) {
      const { code, evidence, sites } = insight;
      expect([sum(sites, ({ events }) => events), sum(sites, ({ timeNs }) => timeNs)], code).toEqual([
        evidence['count'],
        evidence['timeNs'],
      ]);
      const { totals } = await session.selection.selected(opened.id, [{ kind: 'insight', code }]);
      expect([totals.counted, totals.timeNs], `selection of ${code}`).toEqual([evidence['count'], evidence['timeNs']]);
      for (const site of sites) {
        const cells = cellsOf(hoverOf(insight, site));
        expect([cells['calls'], cells['cost']], `hover of ${code}`).toEqual([formatCount(site.events), costText(site)]);
        expect(cells['recorded'], `hover of ${code}`).toContain(recordedText(site));
        const result = results!.find(
          ({ ruleId, locations }) =>
            ruleId === code && locations?.[0]?.physicalLocation?.region?.startLine === site.line,
        );
        expect(result?.properties, `SARIF of ${code}`).toMatchObject({ events: site.events, timeNs: site.timeNs });
        expect(result?.message.text).toContain(formatCount(site.events));
      }
    }
  });
});
