import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { column } from '../support/recorder/captured-calls.ts';
import { canRecord, recordedRun, sharedRecorder } from '../support/recorder/recorder-runs.ts';
import { freshFolder, open, run } from '../support/programs.ts';
import type { Tally } from '../../src/trace/tallies.ts';
import type { Trace } from '../../src/trace/trace.ts';

/** Recordings of processes that may write so many events only, and count their calls from then on. */
const sources = path.resolve(import.meta.dirname, '../programs/safety');
const folder = freshFolder('recorder-limit');
const limited = path.join(folder, 'limited');
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const LIMIT = 1 << 18;
let library = '';

beforeAll(async () => {
  if (!canRecord) return;
  library = await sharedRecorder();
  for (const name of ['limited', 'signals', 'forks'])
    run(sources, 'cc', '-g', '-pthread', '-o', path.join(folder, name), `${name}.c`, '-lutil');
}, 120_000);

const environment = { IOLENS_LIMIT: String(LIMIT) };

function recorded(command: readonly string[], depth = 64): ReturnType<typeof recordedRun> {
  return recordedRun(library, path.join(folder, 'run'), command, { environment, depth });
}

/** What was counted of a function. */
function counted({ tallied = [] }: Trace, name: string): Tally[] {
  return tallied.flatMap(({ tallies }) => tallies.filter((tally) => tally.name === name));
}

function total(tallies: readonly Tally[], what: 'calls' | 'failed' | 'bytes'): number {
  return tallies.reduce((sum, tally) => sum + tally[what], 0);
}

describe.runIf(canRecord)('a limit of events', () => {
  test('all calls are recorded or counted, by function and stack, and the file stays small', async () => {
    const { recording, status } = recorded([limited]);
    expect(status).toBe(0);
    const { trace } = await open(recording, folder);
    const ofParent = (bytes: number): number => column(trace, 'bytes', /^write$/).filter((of) => of === bytes).length;
    const writes = counted(trace, 'write');
    expect(ofParent(64) + total(writes, 'calls')).toBe(80_000);
    expect(total(writes, 'bytes')).toBe(64 * total(writes, 'calls'));
    const big = counted(trace, 'pwrite');
    expect([total(big, 'calls'), total(big, 'bytes')]).toEqual([10_000, 10_000 * 8192]);
    expect(big).toEqual([expect.objectContaining({ sizes: [[13, 10_000]], failed: 0 })]);
    const opens = counted(trace, 'open');
    expect(total(opens, 'failed')).toBe(1000);
    // From three places: two threads and the one that fails, and that whose file the child uses.
    expect(new Set(opens.map(({ stack }) => stack)).size).toBe(opens.length);
    expect(big[0]!.times.reduce((sum, [, count]) => sum + count, 0)).toBe(10_000);
    expect(big[0]!.longestNs).toBeLessThanOrEqual(big[0]!.timeNs);
    expect(trace.damage).toEqual([]);
    for (const name of readdirSync(recording))
      expect(statSync(path.join(recording, name)).size).toBeLessThan(4 * LIMIT);
  });

  test('it is said when that began, and the run is what was recorded', async () => {
    const { trace } = await open(recorded([limited]).recording, folder);
    const [process] = trace.tallied!;
    expect(trace.tallied).toHaveLength(1);
    expect(process!.limitBytes).toBe(LIMIT);
    expect(trace.earlyEnds).toEqual([
      expect.stringMatching(
        /recorded one by one for .*until they had 256 KiB \(--limit\); those of the .* were counted/,
      ),
    ]);
    expect(process!.countedNs).toBeGreaterThan(0);
    expect(trace.parts[process!.part]!.life).toBeUndefined();
  });

  // On a busy machine even a few calls may take their share of seconds.
  test('little I/O that was recorded is no little I/O', { retry: 2 }, () => {
    const few = { environment: { IOLENS_LIMIT: String(LIMIT / 8) } };
    const { recording } = recordedRun(library, path.join(folder, 'few'), ['sh', '-c', `${limited}; sleep 4`], few);
    const report = run(folder, process.execPath, cli, 'analyze', '--no-cache', recording);
    expect(report).not.toMatch(/does not matter/);
    expect(report).toMatch(/I\/O calls take .*; calls beyond the limit of events were only counted \(`iolens sites`\)/);
  });

  test('the table of call sites has what was counted, line by line', async () => {
    const { recording } = recorded([limited]);
    const { trace } = await open(recording, folder);
    const text = run(folder, process.execPath, cli, 'sites', '--no-cache', recording);
    const writes = total(counted(trace, 'write'), 'calls').toLocaleString('en');
    expect(text).toMatch(
      /^The process reached the limit of events after .*: nothing above covers the .* that followed/m,
    );
    expect(text).toMatch(new RegExp(`${writes} .*64 B to 128 B.* write +\\S*limited\\.c:15  small$`, 'm'));
    expect(text).toMatch(/10,000 +78\.1 MiB +8 KiB to 16 KiB .* pwrite +\S*limited\.c:23 {2}big$/m);
    expect(text).toMatch(/ 1,000 +1,000 .* open +\S*limited\.c:58 {2}main$/m);
  });

  test('a child has a limit of its own, and knows what was opened while calls were counted', async () => {
    const { trace } = await open(recorded([limited]).recording, folder);
    const files = column(trace, 'file', /^write$/).map((file) => trace.files.files[file]?.path ?? '');
    expect(files.filter((file) => file.endsWith('/late'))).toHaveLength(10);
  });

  test('a process that is killed keeps what it had counted some time before', async () => {
    const recording = freshFolder('limited-and-killed');
    const variables = { ...environment, LD_PRELOAD: library, IOLENS_RECORDING: recording };
    const child = spawn(limited, ['goes on'], { cwd: freshFolder('goes-on'), env: { ...process.env, ...variables } });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    const accesses = async (): Promise<number> => {
      if (readdirSync(recording).length === 0) return 0;
      return total(counted((await open(recording, folder)).trace, 'access'), 'calls');
    };
    while ((await accesses()) === 0) await pause(50);
    child.kill('SIGKILL');
    await ended;
    const { trace } = await open(recording, folder);
    expect(total(counted(trace, 'pwrite'), 'calls')).toBe(10_000);
    expect(total(counted(trace, 'access'), 'failed')).toBe(await accesses());
    expect(trace.earlyEnds!.join()).toContain('was killed, or it runs still');
  });

  test.each([
    ['signals', 'many-threads'],
    ['signals', 'coroutines'],
    ['forks', 'beside-threads'],
  ])('%s %s: nothing is lost between recording and counting', async (name, mode) => {
    const { recording, files } = recordedRun(library, path.join(folder, 'run'), [path.join(folder, name), mode], {
      environment: { IOLENS_LIMIT: '20000' },
      depth: 64,
    });
    const { trace } = await open(recording, folder);
    const ones = (tally: Tally): number => tally.sizes.find(([power]) => power === 0)?.[1] ?? 0;
    const sum = counted(trace, 'write').reduce((all, tally) => all + ones(tally), 0);
    const events = column(trace, 'bytes', /^write$/).filter((bytes) => bytes === 1).length;
    expect(sum).toBeGreaterThan(0);
    expect(events + sum).toBe(Number.parseInt(files['made']!, 10));
  });
});
