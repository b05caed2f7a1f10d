import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { sweepSvg, sweepText } from '../../src/export/replay/sweep-chart.ts';
import { dist, newFolder } from '../support/replay-programs.ts';

/** The command as users call it. */
const cli = path.join(dist, 'cli.js');

function iolens(...options: string[]): { status: number | null; output: string; errors: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...options], {
    encoding: 'utf8',
    timeout: 100_000,
  });
  return { status, output: stdout, errors: stderr };
}

const GROWING = `<iotest>
  <task ranks="all">
    <series><open file="3" path="grown" mode="readwrite create"/></series>
    <series count="4" variable="i">
      <pwrite file="3" bytes="X" offset="(i * SIZE + RANK) * X"/>
    </series>
    <series>
      <barrier/>
      <pread file="3" bytes="X" offset="((RANK + 1) % SIZE) * X"/>
      <close file="3"/>
    </series>
  </task>
</iotest>
`;

function fileWith(text: string): string {
  const file = path.join(newFolder(), 'test.xml');
  writeFileSync(file, text);
  return file;
}

describe('iolens dios', { timeout: 120_000 }, () => {
  test('runs the same file at several values of SIZE', () => {
    const file = fileWith(GROWING);
    for (const size of [1, 3, 64]) {
      const folder = newFolder();
      const options = ['--size', String(size), '-o', folder, '--define', 'X=1KiB', '--check-content', '--json'];
      const { status, output, errors } = iolens('dios', file, ...options);
      expect([status, errors]).toEqual([0, '']);
      const report = JSON.parse(output) as Record<string, unknown>;
      expect(report).toMatchObject({
        schema: 'iolens/replay@1',
        size,
        operations: size * 8,
        failures: 0,
        content: { right: size * 1024, wrong: 0, unwritten: 0 },
        backends: { ReadBandwidth: { bytes: size * 1024 }, WriteBandwidth: { bytes: size * 4096 } },
      });
      expect(readFileSync(path.join(folder, 'grown'))).toHaveLength(size * 4096);
    }
  });

  test('says what the back ends say, of those that were asked for', () => {
    const options = ['-n', '2', '-o', newFolder(), '--define', 'X=4096'];
    const file = fileWith(GROWING);
    const all = iolens('dios', file, ...options);
    for (const line of [
      /^2 tasks, 16 operations in [\d.]+ s$/m,
      /^ReadBandwidth: .* MiB\/s: 8 KiB in 2 calls/m,
      /^WriteBandwidth: .* MiB\/s: 32 KiB in 8 calls/m,
      /^ {2}.* MiB\/s over 2 of 2 tasks \(mean/m,
      /^ {2}write 4 KiB: .* in 8 calls$/m,
      /^ {2}create: 2 calls, min .*, max .*, mean .*, median /m,
      /^ {2}unlink: no calls$/m,
    ])
      expect(all.output).toMatch(line);
    const some = iolens('dios', file, '-n', '1', '-o', newFolder(), '--define', 'X=1', '--backend', 'emptylogger');
    expect(some.output).toMatch(/^1 task, 8 operations in [\d.]+ s\n$/);
  });

  test('ends with 1 when contents are wrong', () => {
    const folder = newFolder();
    writeFileSync(path.join(folder, 'given'), 'these bytes were written by nobody');
    const file = fileWith(
      '<iotest><task><series><open file="0" path="given" mode="read"/><read file="0" bytes="34"/></series></task></iotest>',
    );
    const { status, output } = iolens('dios', file, '-n', '1', '-o', folder, '--existing', '--check-content');
    expect(status).toBe(1);
    expect(output).toMatch(/content: 3\d wrong bytes in 34 B that were read\n {2}given at [0-3] \(task 1, 2 read\)/);
  });

  test.each([
    [['-o', 'x'], 2, 'how many tasks'],
    [['-n', '2'], 2, 'below which folder'],
    [['-n', '0', '-o', 'x'], 2, 'a whole number above 0'],
    [['-n', '100000', '-o', 'x'], 2, '1 to 4096 are possible'],
    [['-n', '1', '-o', 'x', '--backend', 'Fast'], 2, 'one of EmptyLogger'],
    [['-n', '1', '-o', 'x', '--define', 'X'], 2, 'NAME=VALUE'],
    [['-n', '1', '-o', '/proc/x'], 3, '/proc/x cannot hold a replay'],
  ])('%j is refused', (options, status, words) => {
    const result = iolens('dios', fileWith(GROWING), ...options);
    expect([result.status, result.errors]).toEqual([status, expect.stringContaining(words)]);
    expect(existsSync('x')).toBe(false);
  });

  test('a file that is none, or no longer there', () => {
    const options = ['-n', '1', '-o', newFolder()];
    expect(iolens('dios', fileWith('<iotest>\n<task>\n<series count="1"/></task></iotest>'), ...options)).toMatchObject(
      {
        status: 3,
        errors: expect.stringMatching(/test\.xml, line 3: <series> is empty/) as string,
      },
    );
    expect(iolens('dios', '/nowhere.xml', ...options).errors).toContain('/nowhere.xml: ENOENT');
    expect(iolens('dios', newFolder(), ...options).errors).toContain('is no regular file');
    const latin = path.join(newFolder(), 'latin.xml');
    writeFileSync(latin, Buffer.from([0x3c, 0xe9, 0x3e]));
    expect(iolens('dios', latin, ...options).errors).toContain('no text in UTF-8');
  });

  test('a full disk ends it with the place', () => {
    const folder = newFolder();
    const small = path.join(folder, 'small');
    mkdirSync(small);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', small]).status !== 0) {
      // oxlint-disable-next-line no-console
      console.warn('no permission to mount: a full disk is not tested');
      return;
    }
    try {
      const { status, errors } = iolens('dios', fileWith(GROWING), '-n', '2', '-o', small, '--define', 'X=100KiB');
      expect(status).toBe(3);
      expect(errors).toMatch(/rank [01], task 1, 2\.1 pwrite \(iteration \d\): ENOSPC/);
    } finally {
      spawnSync('umount', [small]);
    }
  });

  test('Ctrl-C ends all tasks', async () => {
    const file = fileWith(
      `<iotest><task ranks="all"><series><open file="3" path="begun" mode="write create"/></series>
      <series><barrier/><sleep seconds="1000"/></series></task></iotest>`,
    );
    const folder = newFolder();
    const child = spawn(process.execPath, [cli, 'dios', file, '-n', '8', '-o', folder], { stdio: 'ignore' });
    await vi.waitUntil(() => existsSync(path.join(folder, 'begun')), { timeout: 60_000 });
    child.kill('SIGINT');
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(130);
  });
});

describe('iolens dios sweep', { timeout: 120_000 }, () => {
  test.each([[[]], [['--shared']], [['--buffered', '--shared']]])('%j', (more) => {
    const folder = newFolder();
    const svg = path.join(newFolder(), 'sweep.svg');
    const options = ['--sizes', '1,2', '--bytes', '4KiB,64KiB', '--per-task', '256KiB', '--svg', svg, '--json'];
    const { status, output, errors } = iolens('dios', 'sweep', '-o', folder, ...options, ...more);
    expect([status, errors]).toEqual([0, '']);
    const { schema, points } = JSON.parse(output) as {
      schema: string;
      points: { tasks: number; bytes: number; write: number; read: number }[];
    };
    expect(schema).toBe('iolens/sweep@1');
    expect(points.map(({ tasks, bytes }) => [tasks, bytes])).toEqual([
      [1, 4096],
      [1, 65536],
      [2, 4096],
      [2, 65536],
    ]);
    expect(points.every(({ write, read }) => write > 0 && read > 0)).toBe(true);
    expect(readFileSync(svg, 'utf8').match(/<path class="line"/g)).toHaveLength(4);
    // Nothing is left behind.
    expect(readdirSync(folder)).toEqual([]);
  });

  test('the table and the picture', () => {
    const points = [1, 4].flatMap((tasks) =>
      [4096, 1048576].map((bytes) => ({ tasks, bytes, write: tasks * bytes * 100, read: tasks * bytes * 1000 })),
    );
    expect(sweepText(points)).toBe(
      [
        'write',
        'transfer    1 task    4 tasks',
        '   4 KiB  410 kB/s  1.64 MB/s',
        '   1 MiB  105 MB/s   419 MB/s',
        '',
        'read',
        'transfer     1 task    4 tasks',
        '   4 KiB   4.1 MB/s  16.4 MB/s',
        '   1 MiB  1.05 GB/s  4.19 GB/s',
        '',
      ].join('\n'),
    );
    const svg = sweepSvg('a <title>', points);
    expect(svg).toContain('aria-label="a &lt;title&gt;"');
    expect(svg.match(/<circle/g)).toHaveLength(5);
  });
});
