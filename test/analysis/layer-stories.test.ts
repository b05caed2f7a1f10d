import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ComparisonDocument } from '../../src/export/comparison/comparison-document.ts';
import type { Insight } from '../../src/analysis/triggers/insight.ts';
import type { OpenedRecording } from '../../src/session/reading/opened-recording.ts';
import { absent, corpus } from '../support/corpus.ts';
import { freshFolder, has, open } from '../support/programs.ts';
import { codesOnLines, LAYER_STORIES, LAYER_STORY_NAMES, lineOf, type LayerStory } from '../support/layer-stories.ts';

/**
 * The stories of the papers, unaided: small programs that waste I/O on known lines, recorded in all layers
 * (test/programs/layers), and a clean variant of each. The expectations stand in layer-stories.ts.
 */
const root = path.resolve(import.meta.dirname, '../..');
const sources = path.join(root, 'test/programs/layers');
const recordings = path.join(root, 'test/data/layers');
const cli = path.join(root, 'dist/cli.js');
const rules = [{ from: '/home/user/layers', to: sources }];
let folder = '';

beforeAll(() => {
  folder = freshFolder('layer-stories');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function story(name: string): Promise<OpenedRecording> {
  return open(path.join(recordings, name), folder, { pathRules: rules });
}

function found(recording: OpenedRecording, code: string): Insight {
  const insight = recording.insights.find((of) => of.code === code);
  if (insight === undefined) throw new Error(`no ${code} among ${recording.insights.map((of) => of.code).join(' ')}`);
  return insight;
}

function linesOf(finds: LayerStory['finds']): Record<string, string[]> {
  const lines = Object.entries(finds).map(([code, marks]) => [code, marks.map((mark) => lineOf(sources, mark)).sort()]);
  return Object.fromEntries(lines) as Record<string, string[]>;
}

test('every recording has a story', () =>
  expect(readdirSync(recordings).sort()).toEqual([...LAYER_STORY_NAMES].sort()));

describe.each(LAYER_STORIES.filter(({ isText }) => isText !== true))('$name', ({ name, finds, praises = [] }) =>
  test('says what is in it, on its line, and nothing else', async () => {
    const recording = await story(name);
    expect(codesOnLines(recording)).toEqual(linesOf(finds));
    const praised = recording.insights.filter(({ severity }) => severity === 'ok').map(({ code }) => code);
    expect(praised).toEqual(praises);
  }),
);

describe('BT-IO', () => {
  test('simple: 640 B in each call, and the advice is to write collectively', async () => {
    const insight = found(await story('btio-simple'), 'M03');
    expect(insight.evidence).toMatchObject({ count: 1152, medianBytes: 640, bytes: 1152 * 640 });
    expect(insight.recommendations[0]!.text).toContain('MPI_File_write_at_all');
  });

  test('full: one rank writes for all, in pieces that are as large as those of all together', async () => {
    const insight = found(await story('btio-full'), 'L23');
    expect(insight.message).toContain(
      '36 × MPI_File_write_at_all of 4 processes (720 KiB, 20 KiB each) become 9 writes of 80 KiB by rank 0 alone',
    );
    expect(insight.picture?.lanes.length).toBeGreaterThan(0);
  });

  test('compared: the same bytes, a hundredth of the calls, and the findings of simple are gone', () => {
    const sides = ['btio-simple', 'btio-full'].map((name) => path.join(recordings, name));
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [cli, 'compare', '--json', '--no-cache', ...sides, '--source-map', `/home/user/layers=${sources}`],
      { encoding: 'utf8', cwd: folder },
    );
    expect([status, stderr]).toEqual([0, '']);
    const { insights, layers } = JSON.parse(stdout) as ComparisonDocument;
    const gone = insights.filter(({ change }) => change === 'gone').map(({ code }) => code);
    expect(gone).toEqual(expect.arrayContaining(['M03', 'P16']));
    expect(layers.find(({ base }) => base === 'POSIX')).toMatchObject({
      bytes: { base: 737_280, new: 737_280 },
    });
  });
});

test('openPMD: the three places are mended by one setting, and the advice knows the versions that forget it', async () => {
  const { recommendations } = found(await story('openpmd-independent'), 'L30');
  const codes = recommendations.map(({ snippet }) => snippet?.code ?? '').join('');
  expect(codes).toContain('H5Pset_all_coll_metadata_ops(access, 1);\nH5Pset_coll_metadata_write(access, 1);');
  expect(recommendations.map(({ text }) => text).join()).toContain('1.10.5 to 1.10.8');
});

test('heat: to open the file once would save most of the time, by the call of MPI', async () => {
  const insight = found(await story('heat-each'), 'L02');
  expect(insight.evidence['share']).toBeGreaterThan(0.5);
  expect(insight.recommendations[0]!.snippet!.code).toContain('MPI_File_open(MPI_COMM_WORLD, path');
});

describe('heat from its system calls alone', () => {
  async function systemCalls(name: string): Promise<OpenedRecording> {
    const from = path.join(recordings, name);
    const parts = readdirSync(from).filter((file) => file.endsWith('.gz'));
    const texts = parts.map((file) => {
      const text = path.join(folder, `${name}-${path.basename(file, '.gz')}`);
      writeFileSync(text, gunzipSync(readFileSync(path.join(from, file))));
      return text;
    });
    copyFileSync(path.join(from, 'heat'), path.join(folder, 'heat'));
    return open(texts[0]!, folder, { paths: texts, binaries: [path.join(folder, 'heat')], pathRules: rules });
  }

  test.each(LAYER_STORIES.filter(({ isText }) => isText === true))('$name', async ({ name, finds }) => {
    const recording = await systemCalls(name);
    expect(codesOnLines(recording)).toEqual(linesOf(finds));
  });
});

// By name: a part of these recordings lies in the project.
const recorder = corpus('recorder/btio_simple');
describe.skipIf(recorder === undefined)(`Recorder (${recorder === undefined ? absent('recorder') : 'here'})`, () =>
  test('BT-IO tells the same from another tool: 640 B each, and one that writes for all', async () => {
    const simple = await open(recorder!, folder);
    expect(found(simple, 'M03').evidence['medianBytes']).toBe(640);
    const full = await open(corpus('recorder/btio_full')!, folder);
    expect(full.insights.filter(({ severity }) => severity !== 'ok').map(({ code }) => code)).not.toContain('M03');
    expect(found(full, 'L23').message).toContain('by rank 0 alone');
  }),
);

const tools = ['mpicc', 'mpirun', 'gfortran', 'addr2line'];
const ready = has(...tools);
describe.skipIf(!ready)(ready ? 'recorded anew' : `${tools.join(', ')} are not all on this machine`, () => {
  const again = ['btio-full', 'openpmd-collective', 'sieve-holes', 'locks-contended'];

  /** Calls and bytes by name of the call: what does not depend on the machine. */
  function counts({ trace }: OpenedRecording): Record<string, { calls: number; bytes: number }> {
    const sums: Record<string, { calls: number; bytes: number }> = {};
    for (let row = 0; row < trace.events.length; row++) {
      const sum = (sums[trace.calls.names[trace.events.value('call', row)]!] ??= { calls: 0, bytes: 0 });
      sum.calls++;
      sum.bytes += trace.events.value('bytes', row);
    }
    return sums;
  }

  test('the programs make the same calls', { timeout: 300_000 }, async (context) => {
    const script = path.join(sources, 'record.mjs');
    const target = path.join(folder, 'anew');
    const { status, stderr } = spawnSync(process.execPath, [script, target, ...again], { encoding: 'utf8' });
    if (status === 3) context.skip(stderr.trim());
    expect([status, stderr]).toEqual([0, '']);
    for (const name of again) {
      const [now, before] = await Promise.all([open(path.join(target, name), folder), story(name)]);
      expect([name, counts(now)]).toEqual([name, counts(before)]);
    }
  });
});

test('every marked line is expected somewhere', () => {
  const markers = readdirSync(sources)
    .filter((file) => /\.(c|f90)$/.test(file))
    .flatMap((file) =>
      [...readFileSync(path.join(sources, file), 'utf8').matchAll(/FINDING ([\w-]+)/g)].map(
        ([, marker]) => `${file} ${marker!}`,
      ),
    );
  const named = LAYER_STORIES.flatMap(({ finds }) => Object.values(finds).flat());
  expect([...new Set(named)].sort()).toEqual(markers.sort());
});
