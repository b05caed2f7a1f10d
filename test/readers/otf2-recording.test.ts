import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { InfoDocument } from '../../src/export/analysis/documents.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';

const root = path.resolve(import.meta.dirname, '../..');
const ARCHIVE = path.join(root, 'test/data/otf2/collective_write_agg');

const run = (...values: string[]): { stdout: string; stderr: string; status: number | null } =>
  spawnSync(process.execPath, [path.join(root, 'dist/cli.js'), ...values], { encoding: 'utf8' });

describe('an OTF2 archive as a recording', () => {
  test.each([
    ['its folder', ARCHIVE],
    ['its anchor file', path.join(ARCHIVE, 'traces.otf2')],
  ])('is opened by %s', (_, location) => {
    const { stdout, status } = run('info', '--json', '--no-cache', location);
    expect(status).toBe(0);
    const info = JSON.parse(stdout) as InfoDocument;
    expect(info).toMatchObject({
      format: 'otf2',
      version: '3.0.2',
      program: 'iomix scenario file',
      streams: 4,
      files: 2,
    });
    expect(info.layers).toEqual(['MPI-IO', 'POSIX']);
    expect(info.damage).toEqual([]);
    expect(info.hosts).toEqual(['n0001']);
    expect(info.startTime).toBeGreaterThan(1_700_000_000);
    expect(info.roleTimes!['I/O']).toBeGreaterThan(0);
  });

  test('says what it defines: paradigms, groups of processes, files with mount and stripes, handles', () => {
    const meta = path.join(root, 'test/data/otf2/meta_locks');
    const { definitions, handles } = JSON.parse(run('info', '--json', '--no-cache', meta).stdout) as InfoDocument;
    expect(definitions!.paradigms.map(({ layer, isParallel }) => [layer, isParallel])).toEqual([
      ['POSIX', false],
      ['MPI-IO', true],
      ['HDF5', true],
    ]);
    expect(definitions!.communicators).toEqual([{ name: 'MPI_COMM_WORLD', processes: 3 }]);
    expect(definitions!.files[0]).toEqual({
      path: '/tmp/scratch/iotap-run/meta.dat.shared',
      isDirectory: false,
      scope: 'machine testbox',
      properties: [
        { name: 'File system', value: 'ext4' },
        { name: 'Mountpoint', value: '/' },
        { name: 'stripe_count', value: 4 },
      ],
    });
    expect(definitions!.leftOut).toBe(0);
    expect(handles).toEqual([{ layer: 'POSIX', handles: 18, withParent: 0, preCreated: 9 }]);
    const text = run('info', '--no-cache', meta).stdout;
    expect(text).toMatch(/paradigms +POSIX I\/O, MPI I\/O \(parallel\), HDF5 \(parallel\)\n/);
    expect(text).toMatch(/file +\S+shared, seen by machine testbox, File system ext4, Mountpoint \/, stripe_count 4\n/);
  });

  test('two archives in a folder are told apart by their anchors', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'otf2-'));
    try {
      cpSync(ARCHIVE, folder, { recursive: true });
      cpSync(path.join(folder, 'traces.otf2'), path.join(folder, 'second.otf2'));
      const { stderr, status } = run('info', folder);
      expect(status).not.toBe(0);
      expect(stderr).toContain('2 OTF2 archives in one folder (second.otf2, traces.otf2)');
      expect(run('info', path.join(folder, 'traces.otf2')).status).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('what the processes do stands in the tables of operations and in the reports', () => {
    expect(run('operations', ARCHIVE).stdout).toMatch(
      /By what the program does\n +time +share\n.*communication\n.*\nBy process\n.*rank 3 \(n0001\)/s,
    );
    expect(run('operations', ARCHIVE).stdout).toMatch(
      /By function, without what it calls\n +calls +exclusive +share +least +most\n(.*\n)*? .*MPI_Init \(MPI\) +most: rank \d/,
    );
    const line = /the processes spend 93 % of 1\.16 s in communication, 3\.2 % in computation, 2\.7 % in I\/O/;
    expect(run('analyze', ARCHIVE).stdout).toMatch(line);
    expect(run('analyze', '--format', 'markdown', ARCHIVE).stdout).toMatch(/93 % of 1\.16 s in communication/);
    expect(run('analyze', '--format', 'html', ARCHIVE).stdout).toMatch(line);
  });

  test('calls belong to the function of the program around them, with the line of its definition', async () => {
    const session = localSession({ folder: path.join(root, 'dist') });
    const { id } = await session.recordings.open({ ...plainRequest(ARCHIVE), cacheBytes: 0, maySpawn: false });
    const { sites } = await session.lines.sites(id, 'line');
    expect(sites.map(({ file, line, function: name }) => [path.basename(file), line, name])).toEqual([
      ['iomix.c', 10, 'main'],
    ]);
    expect(Object.keys(sites[0]!.calls)).toContain('MPI_File_write_at_all');
  });
});
