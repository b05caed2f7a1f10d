import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AnalysisDocument } from '../../src/export/analysis/documents.ts';
import { freshFolder, run } from '../support/programs.ts';
import { canRecord, recordedRun, sharedRecorder } from '../support/recorder/recorder-runs.ts';

/** What the kernel fetched from disks for a program, beside what the program read. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const sources = path.resolve(import.meta.dirname, '../programs/safety');
const folder = freshFolder('recorder-fetched');
const program = path.join(folder, 'reads-again');
const SIZE = 1 << 23;
/** On others nothing is fetched, or the kernel does not count it. */
const fileSystem = spawnSync('stat', ['-f', '-c', '%T', folder], { encoding: 'utf8' }).stdout.trim();
const hasDisk = /^(ext2\/ext3|xfs|btrfs)$/.test(fileSystem);
let library = '';

beforeAll(async () => {
  if (!canRecord) return;
  library = await sharedRecorder();
  run(sources, 'cc', '-g', '-o', program, 'reads-again.c');
}, 120_000);

function analysed(how: string): { fetched: AnalysisDocument['timing'][number]['fetched']; text: string } {
  const { recording, status } = recordedRun(library, path.join(folder, 'run'), [program, how]);
  expect(status).toBe(0);
  const analyze = (...format: string[]): string =>
    run(folder, process.execPath, cli, 'analyze', '--no-cache', ...format, recording);
  const { timing } = JSON.parse(analyze('--format', 'json')) as AnalysisDocument;
  return { fetched: timing[0]!.fetched, text: analyze() };
}

describe.runIf(canRecord)('what was read', () => {
  test('was in the page cache', () => {
    const { fetched, text } = analysed('');
    expect(fetched!.readBytes).toBe(SIZE);
    expect(fetched!.bytes).toBeLessThan(SIZE / 100);
    expect(text).toMatch(
      /The 8 MiB that were read were in the page cache, as far as they lie on disks of this machine/,
    );
  });

  test.runIf(hasDisk)(`came from a disk (this needs ext4, XFS or Btrfs: here is ${fileSystem})`, () => {
    const { fetched, text } = analysed('cold');
    expect(fetched!.bytes).toBeGreaterThanOrEqual(SIZE);
    expect(text).toMatch(
      /Of the 8 MiB that were read the page cache had little: the kernel fetched \S+ MiB from disks\./,
    );
  });

  test('was no file, so nothing is said of the page cache', () => {
    const { fetched, text } = analysed('pipe');
    expect(fetched!.readBytes).toBe(0);
    expect(text).toContain('a read may never have reached the storage');
  });
});
