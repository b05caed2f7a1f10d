import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Draft4 from 'ajv-draft-04';
import * as formats from 'ajv-formats';
import type { Log, Result } from 'sarif';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnalysisDocument } from '../../src/export/analysis/documents.ts';
import { sarifLog } from '../../src/export/report/report-sarif.ts';
import { dearRecording } from '../support/dear-recording.ts';
import { hasBrowser, startBrowser } from '../webview/report/browser.ts';

/** Reports of the built command, for what reads them: SARIF viewers, merge requests, browsers. */
const root = path.resolve(import.meta.dirname, '../..');
const cli = path.join(root, 'dist/cli.js');
const demo = path.join(root, 'demo/heat/heat.strace.gz');

/** Names that try to get out of the place where they are shown. */
const HOSTILE = `/data/<img src=x onerror=alert(1)>"'&|\`[a](javascript:b) @you {{x}}/größe %41#?.c`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-reports-'));
  writeFileSync(path.join(folder, 'hostile.strace'), hostileRecording());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Small writes from a source file, and to a data file, that have hostile names; its end is cut off. */
function hostileRecording(): string {
  const escaped = HOSTILE.replaceAll('"', '\\"');
  const lines = [`7 100000000.000001 openat(AT_FDCWD, "${escaped}", O_WRONLY) = 3 <0.000010>`];
  for (let i = 0; i < 100; i++) {
    lines.push(
      `7 100000001.${String(i).padStart(6, '0')} write(3<${HOSTILE.replaceAll('>', '\\76')}>, "x", 10) = 10 <0.001000>`,
    );
    lines.push(` > /data/<b>app(put<int>+0x9) [0x1009] ${HOSTILE}:3`);
    lines.push(` > /data/<b>app(main+0x9) [0x2009] /data/main.c:7`);
  }
  return `${lines.join('\n')}\n7 100000002.0 write(3</x`;
}

function analyze(format: string, args: readonly string[], cwd = folder): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [cli, 'analyze', '--format', format, ...args], {
    encoding: 'utf8',
    cwd,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const sarif = (args: readonly string[], cwd?: string): Log => JSON.parse(analyze('sarif', args, cwd)) as Log;

describe('SARIF', () => {
  // The package holds the schema of the OASIS standard (2.1.0-rtm.5, which the errata left as it is but for words).
  const schema: unknown = createRequire(import.meta.url)('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
  const validate = formats.default(new Draft4({ strict: false, unicodeRegExp: false })).compile(schema as object);

  test.each([
    ['the demo', [demo]],
    ['the demo with fixes', [demo, '--source-map', `/home/hpc/heat=${root}/demo/heat`]],
    ['no stacks', [path.join(root, 'test/data/strace/formats/f-ttt-T-yy.strace')]],
    ['hostile names and damage', ['hostile.strace']],
    ['two recordings', [demo, 'hostile.strace']],
  ])('fits the schema: %s', (_name, args) => {
    const log = sarif(args);
    validate(log);
    expect(validate.errors ?? []).toEqual([]);
    expect(log.runs[0]!.columnKind).toBe('utf16CodeUnits');
  });

  test('the schema is looked at: a log without version does not fit', () => expect(validate({ runs: [] })).toBe(false));

  test('files below the folder are relative to it, with columns and the line itself', () => {
    const log = sarif([demo, '--source-map', '/home/hpc/heat=demo/heat'], root);
    const run = log.runs[0]!;
    expect(run.originalUriBaseIds).toEqual({ '%SRCROOT%': { uri: `file://${root}/` } });
    const [first] = run.results!;
    expect(first).toMatchObject({
      ruleId: 'P06',
      level: 'error',
      message: { text: expect.stringContaining('4,096 writes of 100 B') as string },
      properties: { events: 4096, bytes: 409600 },
    });
    expect(first!.locations![0]!.physicalLocation).toEqual({
      artifactLocation: { uri: 'demo/heat/heat.c', uriBaseId: '%SRCROOT%' },
      region: { startLine: 22, startColumn: 9, snippet: { text: '    if (write(fd, line, 100) != 100)' } },
    });
    expect(run.tool.driver.rules![first!.ruleIndex!]!.id).toBe('P06');
    expect(run.tool.driver.rules![0]!.help!.markdown).toContain('```c\n');
  });

  test('the code flow goes from the outermost caller to the call', () => {
    const [first] = sarif([demo, '--source-map', `/home/hpc/heat=${root}/demo/heat`]).runs[0]!.results!;
    const flow = first!.codeFlows![0]!.threadFlows[0]!.locations;
    const places = flow.map(({ location }) => [
      location!.logicalLocations![0]!.name,
      location!.physicalLocation!.region!.startLine,
      location!.message!.text,
    ]);
    expect(places).toEqual([
      ['main', 82, 'calls emit'],
      ['emit', 22, first!.message.text],
    ]);
  });

  test('URIs lead back to the file, links are no links, fingerprints differ', () => {
    const results = sarif(['hostile.strace']).runs[0]!.results!;
    const uri = results[0]!.locations![0]!.physicalLocation!.artifactLocation!.uri!;
    expect(uri).toMatch(/^file:\/\/\/[\w./%~!*'()-]+$/);
    expect(fileURLToPath(uri)).toBe(HOSTILE);
    const prints = results.map((result: Result) => result.partialFingerprints!['iolensSite/v1']);
    expect(new Set(prints).size).toBe(prints.length);
  });

  test('damage is a notification', () => {
    const [invocation] = sarif(['hostile.strace']).runs[0]!.invocations!;
    const warnings = invocation!.toolExecutionNotifications!.filter(({ level }) => level === 'warning');
    expect(warnings.map(({ message }) => message.text).join()).toContain('the file ends inside this line');
  });

  test('the fingerprint stays when lines above come', () => {
    const document = JSON.parse(
      analyze('json', [demo, '--source-map', `/home/hpc/heat=${root}/demo/heat`]),
    ) as AnalysisDocument;
    const shifted: AnalysisDocument = {
      ...document,
      insights: document.insights.map((insight) => ({
        ...insight,
        sites: insight.sites.map((site) => ({ ...site, line: site.line + 5 })),
      })),
    };
    const prints = [document, shifted].map((each) => {
      const { results } = sarifLog(each, { version: '1.0.0', root, excerpts: new Map() }).runs[0]!;
      return results!.map((result) => result.partialFingerprints!['iolensSite/v1']);
    });
    expect(prints[0]![0]).toMatch(/^P06:.*heat\.c:emit:/);
    expect(prints[1]).toEqual(prints[0]);
  });
});

test('--fail-on counts for every format', () => {
  const dear = path.join(folder, 'dear.strace');
  writeFileSync(dear, dearRecording());
  for (const format of ['text', 'json', 'sarif', 'markdown', 'html']) {
    const { status } = spawnSync(process.execPath, [cli, 'analyze', '--format', format, '--fail-on', 'high', dear]);
    expect([format, status]).toEqual([format, 1]);
  }
});

test('-o writes the report to a file and nothing else', () => {
  const file = path.join(folder, 'out.html');
  expect(analyze('html', ['-o', file, demo])).toBe('');
  expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>/);
});

describe('Markdown', () => {
  test('shows findings, places, source lines and advice', () => {
    const text = analyze('markdown', [demo, '--source-map', '/home/hpc/heat=demo/heat'], root);
    expect(text).toContain('| 🔴 high | P06 Many small writes | `demo/heat/heat.c:22` | 4,096 |');
    expect(text).toContain('`if (write(fd, line, 100) != 100)`');
    expect(text).toContain('called from `main (demo/heat/heat.c:82)`');
    expect(text).toContain('```c\n');
  });

  test('names of a recording stay text', () => {
    const text = analyze('markdown', ['hostile.strace']);
    const outsideCode = text.replace(/(`+)[^`](?:[\s\S]*?[^`])?\1(?!`)/g, '');
    expect(text).toContain('größe');
    expect(outsideCode).not.toContain('<img');
    expect(outsideCode).not.toContain('@you');
    const rows = text.split('\n').filter((line) => line.startsWith('| 🔴'));
    expect(rows.map((row) => row.replaceAll('\\|', '').split('|').length)).toEqual(rows.map(() => 7));
  });
});

describe('HTML', () => {
  test('is one file without script or request, and nothing of a recording is markup', () => {
    const text = analyze('html', ['hostile.strace']);
    expect(text).toMatch(
      /http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-/,
    );
    expect([...text.matchAll(/<(?:script|img|b|link|iframe|object)\b/g)]).toEqual([]);
    expect([...text.matchAll(/<[^>]*\s(?:src|style)=/g)]).toEqual([]);
    // A `<` that begins no tag was not escaped.
    expect([...text.matchAll(/<(?![a-z!/])/g)]).toEqual([]);
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  test.skipIf(!hasBrowser)('a browser shows it as it is meant, light and dark', async () => {
    const file = path.join(folder, 'page.html');
    analyze('html', ['-o', file, demo, 'hostile.strace', '--source-map', `/home/hpc/heat=${root}/demo/heat`]);
    const browser = await startBrowser();
    try {
      const colours: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await browser.newPage({ colorScheme, viewport: { width: 900, height: 800 } });
        const complaints: string[] = [];
        page.on('console', (message) => complaints.push(message.text()));
        page.on('dialog', (dialog) => complaints.push(dialog.message()));
        await page.goto(`file://${file}`);
        const main = page.locator('main');
        colours.push(
          await page.locator('body').evaluate('document.body && getComputedStyle(document.body).backgroundColor'),
        );
        expect(await main.locator('svg.dfg').count()).toBe(2);
        expect(await main.locator('mark').first().innerText()).toContain('write(fd, line, 100)');
        expect(await page.locator('img, script, b').count()).toBe(0);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(900);
        expect(complaints).toEqual([]);
        await page.close();
      }
      expect(colours).toEqual(['rgb(255, 255, 255)', 'rgb(13, 17, 23)']);
    } finally {
      await browser.close();
    }
  });
});

describe('dfg --format svg', () => {
  function svg(args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
    return spawnSync(process.execPath, [cli, 'dfg', '--format', 'svg', ...args], { encoding: 'utf8', cwd: folder });
  }

  test('draws every node and edge of the JSON document', () => {
    const { stdout } = svg([demo]);
    const json = spawnSync(process.execPath, [cli, 'dfg', demo], { encoding: 'utf8' }).stdout;
    const graph = JSON.parse(json) as { nodes: unknown[]; edges: unknown[] };
    expect(stdout.match(/<g class="node/g)).toHaveLength(graph.nodes.length);
    expect(stdout.match(/<g class="edge/g)).toHaveLength(graph.edges.length);
    expect(stdout).toContain('>/home/hpc</text>');
    expect(stdout).not.toMatch(/NaN|undefined/);
  });

  test('names are text', () => {
    const { stdout } = svg(['--mapping', 'call+file', 'hostile.strace']);
    expect(stdout).toContain('onerror=alert(1)&gt;');
    expect(stdout).not.toContain('<img');
  });

  test('a graph that nobody could read is refused with advice', () => {
    const lines = Array.from(
      { length: 500 },
      (_, i) => `7 100000000.${String(i).padStart(6, '0')} open("/d/${i}", 0) = 3 <0.0>`,
    );
    writeFileSync(path.join(folder, 'many.strace'), `${lines.join('\n')}\n`);
    const { status, stderr } = svg(['--mapping', 'call+file', 'many.strace']);
    expect(stderr).toContain('choose a coarser --mapping');
    expect(status).toBe(2);
  });
});
