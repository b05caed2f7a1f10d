import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCapture } from '../../src/readers/capture/capture-reader.ts';
import { mergeRecording } from '../../src/session/merge/merge-recording.ts';
import { recordingFilesAt } from '../../src/session/reading/recording-files.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { manyRanks } from '../support/recorder/many-ranks.ts';
import { contentOf } from '../support/trace-content.ts';

/** A run of thousands of ranks, of which each node merges its own files. */
const IS_FULL = process.env['IOLENS_TESTS'] === 'full';
const RANKS = IS_FULL ? 10_000 : 96;
const RANKS_OF_HOST = IS_FULL ? 128 : 32;
const MOST_MEMORY = 2 * 2 ** 30;
const HALF_AN_HOUR = 1_800_000;
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const real = path.resolve(import.meta.dirname, '../data/capture/ranks');
/** Says in the end how much memory the process took at most, in KiB. */
const SAYS_MEMORY = `data:text/javascript,process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS+'\\n'))`;

let folder = '';
const inside = (...names: string[]): string => path.join(folder, ...names);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-ranks-'));
  mkdirSync(inside('node'));
  let written = 0;
  for await (const { name, bytes } of manyRanks(real, RANKS, RANKS_OF_HOST)) {
    writeFileSync(inside('node', name), bytes);
    written++;
    if (written % RANKS_OF_HOST !== 0 && written < RANKS) continue;
    await mergeRecording([inside('node')], inside('merged.iolens'));
    rmSync(inside('node'), { recursive: true });
    mkdirSync(inside('node'));
  }
}, HALF_AN_HOUR);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly out: string;
  readonly peakBytes: number;
}

function run(...options: string[]): Promise<Ran> {
  const child = spawn(process.execPath, [
    '--import',
    SAYS_MEMORY,
    cli,
    ...options,
    '--no-cache',
    '--progress',
    'never',
  ]);
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return new Promise((resolve, reject) =>
    child.on('close', (status) => {
      const peak = /^peak (\d+)$/m.exec(err);
      if (status !== 0 || peak === null) reject(new Error(`${options.join(' ')}: status ${status}: ${err}`));
      else resolve({ out, peakBytes: Number(peak[1]) * 1024 });
    }),
  );
}

describe(`${RANKS} ranks, ${RANKS_OF_HOST} a node`, () => {
  test('are a file for each node', () => {
    const names = readdirSync(inside('merged.iolens'));
    expect(names).toHaveLength(Math.ceil(RANKS / RANKS_OF_HOST));
    expect(names[0]).toBe('node00001.iorec');
  });

  test(
    'are analysed within two gigabytes',
    async () => {
      const { out, peakBytes } = await run('analyze', inside('merged.iolens'), '--format', 'json');
      expect(peakBytes).toBeLessThan(MOST_MEMORY);
      const { recordings } = JSON.parse(out) as { recordings: { processes: number; events: number }[] };
      expect(recordings).toMatchObject([{ processes: RANKS }]);
      expect(recordings[0]!.events).toBeGreaterThan(1700 * RANKS);
    },
    HALF_AN_HOUR,
  );

  test(
    'have a graph of bounded size',
    async () => {
      const { out, peakBytes } = await run('dfg', inside('merged.iolens'));
      expect(peakBytes).toBeLessThan(MOST_MEMORY);
      expect(out).toContain(String(RANKS));
    },
    HALF_AN_HOUR,
  );

  test(
    'have a page of their timeline of bounded size',
    async () => {
      const { peakBytes } = await run('timeline', inside('merged.iolens'), '-o', inside('timeline.html'));
      expect(peakBytes).toBeLessThan(MOST_MEMORY);
    },
    HALF_AN_HOUR,
  );
});

test('a merged recording is what it was made of', async () => {
  const apart = inside('apart');
  mkdirSync(apart);
  for await (const { name, bytes } of manyRanks(real, 6, 2)) writeFileSync(path.join(apart, name), bytes);
  const { files, bytes } = await mergeRecording([apart], inside('of-six'));
  expect(files.map(({ processes }) => processes)).toEqual([2, 2, 2]);
  expect(files.reduce((sum, file) => sum + file.bytes, 0)).toBeLessThan(bytes / 8);
  const read = async (from: string): Promise<Trace> => readCapture(await recordingFilesAt(from));
  const [whole, merged] = [await read(apart), await read(inside('of-six'))];
  const withoutFolder = (trace: Trace): object =>
    contentOf({ ...trace, parts: trace.parts.map((part) => ({ ...part, path: '', run: '' })) });
  expect(withoutFolder(merged)).toEqual(withoutFolder(whole));
  await expect(mergeRecording([apart], inside('of-six'))).rejects.toThrow('is there already');
  // Beside its own parts it would tell each call twice.
  await expect(mergeRecording([apart], apart)).rejects.toThrow('holds the recording itself');
  writeFileSync(path.join(apart, 'recording.iolens.json'), '{"processFiles"');
  const noted = await mergeRecording([apart], inside('noted'));
  expect(noted.damage).toEqual(['recording.iolens.json: no JSON object']);
  expect(readdirSync(inside('noted'))).toHaveLength(3);
  // Merged files may be merged once more, of several nodes as of one.
  const again = await mergeRecording([inside('of-six')], inside('again'));
  expect(again.files.map(({ bytes: size }) => size)).toEqual(files.map(({ bytes: size }) => size));
});
