import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnalysisDocument, InfoDocument } from '../../src/export/analysis/documents.ts';
import type { FixesDocument } from '../../src/export/fixes/fixes-document.ts';
import { canRecord, SHARED_CACHE, sharedRecorder } from '../support/recorder/recorder-runs.ts';

/** The command as it reaches people: the npm package, and one file for machines without Node. */
const root = path.resolve(import.meta.dirname, '../..');
const demo = path.join(root, 'demo/heat/heat.strace.gz');
/** What is compiled where it is used. */
const NATIVE = readdirSync(path.join(root, 'native'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  /^(calibrate|faults|mpi-replayer|otf2-writer|recorder)\/.*\.[ch]$/.test(name),
);
/** A recorded program in Fortran, its binary and its source. */
const FORTRAN = path.join(root, 'test/data/strace-programs/f_flush');
const TEXT = '7 1795252180.5 read(3</x>, "a", 1) = 1 <0.1>\n';

let folder = '';
let library = '';
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-distribution-'));
  if (canRecord) library = await sharedRecorder();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What both must do, in a folder that is not the project's. */
function works(run: (args: readonly string[], input?: string, cwd?: string) => Ran): void {
  const info = run(['info', '--json', demo]);
  expect(info.stderr).toBe('');
  expect((JSON.parse(info.stdout) as InfoDocument).events).toBe(5150);
  const analysis = run(['analyze', '--format', 'json', '--source-map', `/home/hpc/heat=${root}/demo/heat`, demo]);
  const document = JSON.parse(analysis.stdout) as AnalysisDocument;
  expect(document.symbols.tool).toBe('addr2line (WebAssembly)');
  expect(document.insights[0]!.sites[0]).toMatchObject({ line: 22, source: 'if (write(fd, line, 100) != 100)' });
  expect((JSON.parse(run(['info', '--json', '-'], TEXT).stdout) as InfoDocument).events).toBe(1);
  expect(run(['analyze', '--format', 'html', demo]).stdout).toContain('<svg xmlns');
  expect(run(['info', '/nonexistent']).status).toBe(3);
  // Logs are read in threads, whose script is another file.
  const store = mkdtempSync(path.join(folder, 'store-'));
  const ingested = run(['fleet', 'ingest', demo, '--store', store, '--json']);
  expect(JSON.parse(ingested.stdout)).toMatchObject({ found: 1, stored: 1, unreadable: 0 });
  // A replay's script is a file of its own, too, and each language has a grammar.
  const replayed = mkdtempSync(path.join(folder, 'replayed-'));
  expect(run(['replay', '--format', 'run', '-o', replayed, demo]).stdout).toMatch(/^1 task, 5,130 operations in /m);
  const fixes = run(['fixes', '--json', `${FORTRAN}/f_flush.O2.v72-kk.strace.gz`], '', FORTRAN);
  expect((JSON.parse(fixes.stdout) as FixesDocument).fixes.map(({ kind }) => kind)).toContain('trade');
  expect(run(['--version']).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
}

/** It carries the recorder's whole source when the library of that source is the one it asks for. */
function knowsLibrary(command: string): void {
  if (library === '') return;
  const environment = { ...process.env, XDG_CACHE_HOME: SHARED_CACHE };
  const made = spawnSync(command, ['record', '--script'], { cwd: folder, env: environment, encoding: 'utf8' });
  expect([made.status, made.stdout]).toEqual([0, expect.stringContaining(`library='${library}'`)]);
}

describe('the npm package', () => {
  test('holds the command and what it needs, installs without network, and runs from another folder', () => {
    // The build that is there is packed: a production build would pull the files from under other tests.
    const npm = (args: readonly string[]): Ran =>
      spawnSync('npm', [...args, '--loglevel=error'], { cwd: folder, encoding: 'utf8' });
    const packed = npm(['pack', root, '--ignore-scripts', '--json']);
    const [{ files, filename }] = JSON.parse(packed.stdout) as [{ files: { path: string }[]; filename: string }];
    const names = files.map((file) => file.path);
    expect(names).toEqual(
      expect.arrayContaining([
        'dist/cli.js',
        'dist/addr2line.wasm',
        'dist/replay-task.cjs',
        ...NATIVE.map((name) => `native/${name}`),
        'package.json',
        'LICENSE',
      ]),
    );
    expect(names.filter((name) => /\.map$|^src|^test|extension|webview|^dist\/iolens$/.test(name))).toEqual([]);
    mkdirSync(path.join(folder, 'use'));
    // The SQL engine is optional, and whether npm's cache has it is no matter here.
    const options = ['--offline', '--omit=optional', '--no-audit', '--no-fund'];
    const installed = npm(['install', '--prefix', 'use', ...options, `./${filename}`]);
    expect(installed.stderr).toBe('');
    expect(readdirSync(path.join(folder, 'use/node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'iolens',
    ]);
    const command = path.join(folder, 'use/node_modules/.bin/iolens');
    works((args, input = '', cwd = folder) =>
      spawnSync(command, args, { cwd, input, encoding: 'utf8', maxBuffer: 1 << 26 }),
    );
    knowsLibrary(command);
  });
});

describe('the single-file executable', () => {
  test('runs without Node, in an empty environment', () => {
    const file = path.join(folder, 'iolens');
    const made = spawnSync(process.execPath, [path.join(root, 'scripts/executable.mjs'), file], { encoding: 'utf8' });
    expect([made.status, made.stdout]).toEqual([0, expect.stringContaining('MiB')]);
    const environment = { PATH: '/nonexistent' };
    works((args, input = '', cwd = folder) =>
      spawnSync(file, args, { cwd, input, env: environment, encoding: 'utf8', maxBuffer: 1 << 26 }),
    );
    knowsLibrary(file);
  });
});
