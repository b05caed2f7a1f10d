import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { unseenWays } from '../../src/analysis/metrics/unseen-ways.ts';
import { EVENT_FLAGS } from '../../src/trace/events.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { freshFolder, open, run } from '../support/programs.ts';
import { canRecord, plainRun, recordedRun, sharedRecorder } from '../support/recorder/recorder-runs.ts';

/** Requests that programs hand to the kernel, and whose results they fetch later. */
const sources = path.resolve(import.meta.dirname, '../programs/safety');
const folder = freshFolder('recorder-requests');

/** What was asked for, and what was moved by when it was fetched; without those that nobody was told to be complete. */
function requestsOf({ events, calls, files }: Trace): string[] {
  return [...Array(events.length).keys()].flatMap((row) => {
    const name = calls.names[events.value('call', row)]!;
    if (!name.startsWith('aio_')) return [];
    const isOpen = (events.value('flags', row) & EVENT_FLAGS.neverReturned) !== 0;
    const file = path.basename(files.at(events.value('file', row)).path);
    const bytes = `${events.value('bytes', row)} of ${events.value('requested', row)} at ${events.value('offset', row)}`;
    return [`${name} ${file} ${isOpen ? 'goes on' : bytes}`];
  });
}

function compiled(name: string, source: string, ...options: string[]): string | undefined {
  const program = path.join(folder, name);
  try {
    run(sources, 'cc', '-g', '-O1', '-w', '-o', program, source, ...options);
  } catch {
    return undefined;
  }
  return program;
}

function countOf({ events, calls }: Trace, name: RegExp): number {
  return [...Array(events.length).keys()].filter((row) => name.test(calls.names[events.value('call', row)]!)).length;
}

describe.runIf(canRecord)('Linux AIO', () => {
  test.for<readonly [name: string, options: string[]]>([
    ['by syscall', ['-DRAW']],
    ['by libaio', ['-laio']],
  ])('%s: each request with its bytes, and nothing twice', async ([name, options], { skip }) => {
    const program = compiled(name.replace(' ', '-'), 'linux-aio.c', ...options);
    if (program === undefined) return skip('no libaio to link with (libaio-dev)');
    const library = await sharedRecorder();
    const place = freshFolder('linux-aio');
    const alone = plainRun(place, [program]);
    const { recording, ...recorded } = recordedRun(library, place, [program]);
    expect(alone.status).toBe(0);
    expect(recorded).toEqual(alone);
    const { trace } = await open(recording, folder);
    expect(requestsOf(trace)).toEqual([
      'aio_write aio.data 16 of 16 at 0',
      'aio_write aio.data 8 of 8 at 16',
      'aio_write aio.data 4 of 4 at 24',
      'aio_read aio.data 7 of 7 at 10',
      'aio_read aio.data 8 of 16 at 20',
      'aio_fsync aio.data 0 of NaN at NaN',
    ]);
    expect(countOf(trace, /^io_submit$/)).toBe(7);
    expect(countOf(trace, /^io_getevents$/)).toBe(5);
  });
});

test.runIf(canRecord)(
  'io_uring: calls of liburing are recorded, and what they move is said to be unseen',
  async ({ skip }) => {
    const program = compiled('io-uring', 'io-uring.c', '-luring');
    if (program === undefined) return skip('no liburing to compile with (liburing-dev)');
    const library = await sharedRecorder();
    const place = freshFolder('io-uring');
    const alone = plainRun(place, [program]);
    if (alone.status === 77) return skip('this kernel refuses io_uring');
    const { recording, ...recorded } = recordedRun(library, place, [program]);
    expect(alone.status).toBe(0);
    expect(recorded).toEqual(alone);
    const { trace } = await open(recording, folder);
    expect(countOf(trace, /^io_uring_submit_and_wait$/)).toBe(50);
    expect(countOf(trace, /^io_uring_submit$/)).toBe(50);
    expect(unseenWays(trace, false)).toEqual(['io_uring']);
    expect(trace.notes.join()).toContain('io_uring: programs hand over requests');
  },
);
