import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { freshFolder, open, run } from '../support/programs.ts';
import { callsOf, soundRecording } from '../support/recorder/recorder-chunks.ts';
import { canRecord, sharedRecorder, recordedRun } from '../support/recorder/recorder-runs.ts';
import { countRecorded } from '../../src/record/recorded-chunks.ts';
import { column } from '../support/recorder/captured-calls.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { rounds } from '../support/rounds.ts';

/** Recordings of programs that were killed, or that something tore. */
const sources = path.resolve(import.meta.dirname, '../programs/safety');
const folder = freshFolder('recorder-killed');
const team = path.join(folder, 'team');
const forks = path.join(folder, 'forks');
const workers = path.join(folder, 'workers');
let library = '';

beforeAll(async () => {
  if (!canRecord) return;
  library = await sharedRecorder();
  run(sources, 'cc', '-O1', '-pthread', '-o', team, 'team.c');
  run(sources, 'cc', '-O1', '-pthread', '-o', forks, 'forks.c', '-lutil');
  run(sources, 'cc', '-O1', '-pthread', '-o', workers, 'workers.c');
}, 120_000);

const STREAMS = 9;

/** Kills all processes of the team at once; how many writes each of their threads had made. */
async function killedTeam(recording: string, milliseconds: number): Promise<number[]> {
  const place = freshFolder('team');
  const environment = { LD_PRELOAD: library, IOLENS_RECORDING: recording, IOLENS_STACK_DEPTH: '0' };
  const child = spawn(team, { cwd: place, env: { ...process.env, ...environment }, detached: true, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await pause(milliseconds);
  process.kill(-child.pid!, 'SIGKILL');
  await ended;
  const made = readFileSync(path.join(place, 'progress'));
  return Array.from({ length: STREAMS }, (_, stream) => Number(made.readBigInt64LE(8 * stream)));
}

describe.runIf(canRecord)('killed', () => {
  const random = randomNumbers(20);
  const moments = Array.from({ length: rounds(40) }, () => 50 + random(250));

  test.each(moments)('after %i ms', async (moment) => {
    const recording = freshFolder('killed');
    const made = await killedTeam(recording, moment);
    const whole = made.reduce((sum, count) => sum + count, 0);
    if (readdirSync(recording).length === 0) {
      expect(whole).toBe(0);
      return;
    }
    const { trace } = await open(recording, folder);
    const missing = whole - column(trace, 'bytes', /^write$/).length;
    // Of each thread the write that was made and not yet written down, or not yet counted.
    expect(missing).toBeGreaterThanOrEqual(-STREAMS);
    expect(missing).toBeLessThanOrEqual(STREAMS);
    expect(trace.earlyEnds!.join()).toContain('was killed, or it runs still');
  });
});

describe.runIf(canRecord).each([15, 9])(
  'workers that are killed by signal %i when they have done their work',
  (signal) => {
    test.each([0, 64])('lack none of their calls, with stacks of up to %i', async (depth) => {
      const { recording, status } = recordedRun(library, path.join(folder, 'run'), [workers, `${signal}`, '3000'], {
        depth,
      });
      expect(status).toBe(0);
      const sound = soundRecording(recording);
      expect(callsOf(sound, 'write', 1)).toBe(6000);
      const { trace } = await open(recording, folder);
      expect(column(trace, 'bytes', /^write$/).filter((bytes) => bytes === 1)).toHaveLength(6000);
      expect(trace.damage).toEqual([]);
      expect(trace.earlyEnds).toBeUndefined();
      expect(trace.notes.join()).toContain('no end was recorded of 2 processes');
      expect((await countRecorded(recording)).events).toBe(sound.calls.length);
    });

    test('lack not all of them where no room for them can be kept', () => {
      const command = ['sh', '-c', `ulimit -f 8; exec ${workers} ${signal} 500`];
      const { recording, status } = recordedRun(library, path.join(folder, 'run'), command);
      expect(status).toBe(0);
      const left = callsOf(soundRecording(recording), 'write', 1);
      expect(left).toBeGreaterThan(300);
      expect(left).toBeLessThan(1000);
    });
  },
);

test.runIf(canRecord)('a process that kills itself says so', async () => {
  const { recording } = recordedRun(library, path.join(folder, 'run'), [
    'bash',
    '-c',
    'echo x > /dev/null; kill -9 $$',
  ]);
  const { trace } = await open(recording, folder);
  expect(trace.earlyEnds?.join()).toContain('it ended itself by signal 9');
});

describe.runIf(canRecord)('torn', () => {
  async function damaged(change: (file: string) => void): Promise<{ whole: number; left: number }> {
    const place = path.join(folder, 'run');
    const { recording } = recordedRun(library, place, [forks, 'beside-threads']);
    const whole = callsOf(soundRecording(recording), 'write', 1);
    const copy = freshFolder('torn');
    await cp(recording, copy, { recursive: true });
    for (const name of readdirSync(copy)) change(path.join(copy, name));
    const { trace } = await open(copy, folder);
    return { whole, left: trace.events.length };
  }

  test('a last chunk that is not whole', async () => {
    // Behind the last events stands how long the process ran.
    const { whole, left } = await damaged((file) => truncateSync(file, readFileSync(file).length - 200));
    expect(left).toBeLessThan(whole);
    // Of the 61,000 writes the threads' 60,000 fill several chunks.
    expect(left).toBeGreaterThan(whole / 3);
  });

  test('rubbish at the end', async () => {
    const { whole, left } = await damaged((file) => {
      const fd = openSync(file, 'a');
      writeSync(fd, Buffer.alloc(1000, 0x5a));
      closeSync(fd);
    });
    expect(left).toBeGreaterThanOrEqual(whole);
  });
});
