import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { InfoDocument } from '../src/export/documents.ts';
import { plainRequest } from '../src/session/open-request.ts';
import { Session } from '../src/session/session.ts';

const root = path.resolve(import.meta.dirname, '..');
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
    const line = /the processes spend 93 % of 1\.16 s in communication, 3\.2 % in computation, 2\.7 % in I\/O/;
    expect(run('analyze', ARCHIVE).stdout).toMatch(line);
    expect(run('analyze', '--format', 'markdown', ARCHIVE).stdout).toMatch(/93 % of 1\.16 s in communication/);
    expect(run('analyze', '--format', 'html', ARCHIVE).stdout).toMatch(line);
  });

  test('calls belong to the function of the program around them, with the line of its definition', async () => {
    const session = new Session({ folder: path.join(root, 'dist') });
    const { id } = await session.open({ ...plainRequest(ARCHIVE), cacheBytes: 0, maySpawn: false });
    const { sites } = await session.sites(id, 'line');
    expect(sites.map(({ file, line, function: name }) => [path.basename(file), line, name])).toEqual([
      ['iomix.c', 10, 'main'],
    ]);
    expect(Object.keys(sites[0]!.calls)).toContain('MPI_File_write_at_all');
  });
});
