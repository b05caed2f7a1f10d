import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { freshFolder, open, run } from '../support/programs.ts';
import { callsOf, soundEvents, soundRecording } from '../support/recorder/recorder-chunks.ts';
import { canRecord, sharedRecorder, recordedRun } from '../support/recorder/recorder-runs.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { rounds } from '../support/rounds.ts';

/** Recordings of programs that were killed, or that something tore. */
const sources = path.resolve(import.meta.dirname, '../programs/safety');
const folder = freshFolder('recorder-killed');
const team = path.join(folder, 'team');
const forks = path.join(folder, 'forks');
let library = '';

beforeAll(async () => {
  if (!canRecord) return;
  library = await sharedRecorder();
  run(sources, 'cc', '-O1', '-pthread', '-o', team, 'team.c');
  run(sources, 'cc', '-O1', '-pthread', '-o', forks, 'forks.c', '-lutil');
}, 120_000);

const STREAMS = 9;
/** Events of a write without a stack are no shorter, and a chunk has 64 KiB of them. */
const SHORTEST_EVENT = 7;
const MOST_BUFFERED = 65_536 / SHORTEST_EVENT;

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
    const events = soundEvents(recording);
    const missing = made.reduce((sum, count) => sum + count, 0) - events;
    // At most what each thread had not yet written; writes not yet counted, and opens, forks and descriptors are more.
    expect(missing).toBeGreaterThanOrEqual(-100);
    expect(missing).toBeLessThanOrEqual(STREAMS * MOST_BUFFERED);
    if (events === 0) return;
    const { trace } = await open(recording, folder);
    expect(trace.events.length).toBeGreaterThan(events - 100);
    expect(trace.earlyEnds!.join()).toContain('was killed, or it runs still');
  });
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
