import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DEFAULT_IGNORED, ignoredFiles } from '../../../src/analysis/metrics/ignored-files.ts';
import { measure } from '../../../src/analysis/metrics/access-metrics.ts';
import { findOwnInsights, type OwnInsights } from '../../../src/analysis/triggers/own/find-own-insights.ts';
import { DEFAULT_THRESHOLDS, sizeLimits } from '../../../src/analysis/triggers/thresholds.ts';
import { chooseLookup } from '../../../src/session/machine/lookup-tools.ts';
import { plainRequest } from '../../../src/session/reading/open-request.ts';
import { OpenedRecording } from '../../../src/session/reading/opened-recording.ts';
import { loadOwnTriggers } from '../../../src/session/reading/own-trigger-files.ts';
import { counterTrace } from '../../support/counter-trace.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'iolens-own-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let written = 0;

/** A module of its own folder. */
function module(text: string, name = 'trigger.mjs'): string {
  const file = path.join(folder, String(++written), name);
  mkdirSync(path.dirname(file));
  writeFileSync(file, text);
  return file;
}

/** The JavaScript of the documentation, as it stands there. */
const EXAMPLES = [...readFileSync('docs/triggers.md', 'utf8').matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code!);

const NOTHING = { POSIX_BYTES_WRITTEN: 0, POSIX_WRITES: 0, POSIX_F_WRITE_TIME: 0 };

const TRACE = counterTrace({
  modules: {
    POSIX: [
      { path: '/scratch/one', values: { ...NOTHING, POSIX_BYTES_READ: 2e9, POSIX_READS: 4, POSIX_F_READ_TIME: 1.5 } },
      { path: '/scratch/eight', values: { ...NOTHING, POSIX_BYTES_READ: 2e9, POSIX_READS: 4 } },
    ],
  },
  layouts: [
    { path: '/scratch/one', stripeSize: 1 << 20, stripeCount: 1 },
    { path: '/scratch/eight', stripeSize: 1 << 20, stripeCount: 8 },
  ],
});

async function evaluated(...files: string[]): Promise<OwnInsights> {
  const { triggers, problems } = await loadOwnTriggers(files, true);
  const callSites = { grouping: 'line' as const, sites: [], siteOfNode: new Int32Array() };
  const metrics = measure(
    TRACE,
    callSites as never,
    ignoredFiles(TRACE.files, DEFAULT_IGNORED),
    sizeLimits(DEFAULT_THRESHOLDS),
  );
  const found = findOwnInsights(triggers, TRACE, metrics, DEFAULT_THRESHOLDS, callSites as never);
  return { ...found, problems: [...problems, ...found.problems] };
}

/** A trigger over counters whose `examine` is given. */
function counters(examine: string, code = 'X01'): string {
  return `export default { kind: 'counters', code: '${code}', name: 'mine-${code.toLowerCase()}', title: 'Mine', severity: 'warn', examine: ${examine} };`;
}

describe('the examples of docs/triggers.md', () => {
  test('are two, of thirty lines or so', () =>
    expect(EXAMPLES.map((code) => code.split('\n').length <= 32)).toEqual([true, true]));

  test('over counters', async () => {
    const { insights, problems } = await evaluated(module(EXAMPLES[0]!));
    expect(problems).toEqual([]);
    expect(insights).toEqual([
      {
        code: 'X01',
        trigger: 'single-stripe',
        severity: 'warn',
        title: 'A large file on a single storage target',
        message: '1 files of more than 1 GB lie on one storage target each.',
        evidence: { files: 1 },
        files: [{ file: 0, events: 4, bytes: 2e9, timeNs: 1.5e9 }],
        sites: [],
        recommendations: [{ audience: 'job', text: 'lfs setstripe -c 8, before the files are made.' }],
      },
    ]);
  });

  test('over the metrics of call sites, as the editor and the command line run it', async () => {
    const lines = Array.from(
      { length: 200 },
      (_, i) => `7 ${(1_700_000_001 + i / 100).toFixed(6)} fsync(3</work/a>) = 0 <0.005000>`,
    );
    const recording = module(
      [
        '7 1700000000.000000 openat(AT_FDCWD</work>, "a", O_WRONLY|O_CREAT, 0644) = 3</work/a> <0.000010>',
        ...lines,
        '',
      ].join('\n'),
      'r.strace',
    );
    const request = { ...plainRequest(recording), triggers: [module(EXAMPLES[1]!)] };
    const opened = await OpenedRecording.open(request, await chooseLookup('/nonexistent', false));
    expect(opened.triggerProblems).toEqual([]);
    const mine = opened.insights.find(({ code }) => code === 'X02');
    expect(mine).toMatchObject({ trigger: 'many-syncs', evidence: { count: 200, timeNs: 1e9 } });
    expect(mine!.message).toContain('200 synchronisations cost about ');
  });
});

describe('a trigger that is wrong harms nothing, and is told with file and reason', () => {
  const good = counters(`() => ({ message: 'found', evidence: {}, files: [] })`, 'X99');
  test.each([
    ['no JavaScript', 'export default {', 'yntax'],
    ['an error while it is read', 'throw new Error("no licence")', 'Error: no licence'],
    ['an import that is not there', 'import "../missing.mjs"', 'missing.mjs'],
    ['nothing exported', 'export const x = 1', 'there is no default export'],
    ['a number', 'export default 7', 'an object is expected'],
    ['another kind', 'export default { kind: "magic" }', "kind must be 'counters' or 'site'"],
    ['a code of ours', counters('() => undefined', 'P05'), 'the code P05 is taken'],
    ['no function', counters('7'), 'examine must be a function'],
    [
      'an exception',
      counters('() => { throw new RangeError("too deep") }'),
      'trigger X01 failed: RangeError: too deep',
    ],
    ['a promise', counters('async () => { throw new Error("later") }'), 'must not be asynchronous'],
    ['a message that is none', counters('() => ({ message: 7, evidence: {}, files: [] })'), 'message must be a text'],
    [
      'evidence in words',
      counters('() => ({ message: "m", evidence: { x: "7" }, files: [] })'),
      'evidence.x must be a number',
    ],
    [
      'a file that is not there',
      counters('() => ({ message: "m", evidence: {}, files: [{ file: 9, events: 1, bytes: 0, timeNs: 0 }] })'),
      'there is no file 9',
    ],
    [
      'a snippet of another language',
      counters(
        '() => ({ message: "m", evidence: {}, files: [], recommendations: [{ text: "t", snippet: { language: "html", title: "t", code: "c" } }] })',
      ),
      'language must be one of',
    ],
    [
      'a severity of its own',
      counters('() => ({ severity: "fatal", message: "m", evidence: {}, files: [] })'),
      'severity must be',
    ],
  ])('%s', async (_name, text, reason) => {
    const file = module(text);
    const { insights, problems } = await evaluated(file, module(good));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${file}: `);
    expect(problems[0]).toContain(reason);
    expect(insights.map(({ code }) => code)).toEqual(['X99']);
  });

  test('two of the same code', async () => {
    const { insights, problems } = await evaluated(module(good), module(good));
    expect(insights).toHaveLength(1);
    expect(problems[0]).toContain('the code X99 is taken by ');
  });
});

describe('which modules are run', () => {
  test('those of a folder, by name; a folder that is not there has none', async () => {
    const first = module(counters('() => undefined', 'X02'), 'b.mjs');
    writeFileSync(path.join(path.dirname(first), 'a.mjs'), counters('() => undefined', 'X01'));
    writeFileSync(path.join(path.dirname(first), 'notes.txt'), 'not a module');
    const { triggers, problems } = await loadOwnTriggers([path.dirname(first), '/nonexistent/.iolens/triggers'], true);
    expect(triggers.map(({ trigger }) => trigger.code)).toEqual(['X01', 'X02']);
    expect(problems).toEqual([]);
  });

  test('none in an untrusted workspace', async () => {
    const mark = path.join(folder, 'was-run');
    const file = module(
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(mark)}, ''); export default [];`,
    );
    const { triggers, problems } = await loadOwnTriggers([file], false);
    expect(triggers).toEqual([]);
    expect(problems).toEqual([`${file}: own triggers are code, and not run in an untrusted workspace`]);
    expect(() => readFileSync(mark)).toThrow('ENOENT');
  });

  test('a module that was changed is read anew', async () => {
    const file = module(counters('() => undefined', 'X01'));
    await loadOwnTriggers([file], true);
    writeFileSync(file, counters('() => undefined', 'X07'));
    utimesSync(file, new Date(), new Date(Date.now() + 5000));
    expect((await loadOwnTriggers([file], true)).triggers.map(({ trigger }) => trigger.code)).toEqual(['X07']);
  });
});
