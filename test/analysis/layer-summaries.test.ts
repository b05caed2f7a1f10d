import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AnalysisDocument, InfoDocument } from '../../src/export/analysis/documents.ts';

/** The first lines of reports say who called, what the times are of, and what the recording lacks. */
const root = path.resolve(import.meta.dirname, '../..');
const data = path.join(root, 'test/data');

function iolens(...values: string[]): string {
  const { stdout, status } = spawnSync(process.execPath, [path.join(root, 'dist/cli.js'), ...values, '--no-cache'], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return stdout;
}

const lacksOf = (recording: string): string[] =>
  (JSON.parse(iolens('info', '--json', recording)) as InfoDocument).lacks.map(({ name }) => name);

describe('the first lines of a recording of layers', () => {
  test('processes are called ranks where each knows its rank, and the time is that of the upper calls', () => {
    const text = iolens('analyze', path.join(data, 'recorder/btio_full'));
    expect(text).toContain('64 calls of 4 ranks on 1 file in 31.7 ms');
    // Of the 64 calls 40 are MPI-IO's, whose time this is; they made 14 requests that count.
    expect(text).toContain(
      "61.4 ms in I/O calls on the program's own files, 14 of them in the lowest layer that was recorded",
    );
  });

  test('nothing is said of what was left out where nothing was', () => {
    const text = iolens('analyze', path.join(data, 'layers/heat-each'));
    expect(text).toContain('2,280 calls of 4 ranks');
    expect(text).not.toContain('left out');
  });

  test('calls that name no file are not called those of a loader, and nothing is praised', () => {
    const folder = path.join(data, 'others/drishti_vol/micros/h5bench_write.0.drishti');
    const text = iolens('analyze', folder);
    expect(text).toContain('3.56 s in 20 calls, none of which names a file');
    expect(text).not.toContain('loader');
    expect(text).toContain('Nothing could be judged: no call names a file.');
    const { recordings } = JSON.parse(iolens('analyze', '--format', 'json', folder)) as AnalysisDocument;
    expect(recordings[0]!.ranks).toBe(1);
  });

  test.each([
    ['recorder/btio_full', ['stacks']],
    ['others/dftracer/own-4000.pfw.gz', ['stacks']],
    ['others/drishti_vol/micros/h5bench_write.0.drishti', ['stacks', 'paths']],
    // It has stacks, and their source lies in this repository.
    ['layers/heat-each', []],
  ])('%s lacks %j', (recording, lacks) => expect(lacksOf(path.join(data, recording))).toEqual(lacks));
});
