import { mkdtempSync, rmSync, writeFileSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plainRequest } from '../src/session/open-request.ts';
import { PLAIN_GRAPH } from '../src/session/session.ts';
import { WorkerSession } from '../src/session/worker-session.ts';

/** The session as the editor uses it: the built worker, over messages. */
const dist = path.resolve(import.meta.dirname, '../dist');
const demo = path.resolve(import.meta.dirname, '../demo/heat/heat.strace.gz');
let session: WorkerSession;
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-worker-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  session = new WorkerSession(path.join(dist, 'session-worker.js'), { folder: dist });
});
afterEach(async () => {
  await session.dispose();
});

describe('the session in a worker', () => {
  test('opens, answers, and closes', async () => {
    const shares: (number | undefined)[] = [];
    const { id, info } = await session.open(plainRequest(demo), { progress: (share) => shares.push(share) });
    expect(info.events).toBe(5150);
    expect(shares.at(-1)).toBe(1);
    expect((await session.analysis([id])).insights[0]!.trigger).toBe('posix-small-writes');
    expect((await session.graph(id, PLAIN_GRAPH)).events).toBe(5146);
    await session.close(id);
    await expect(session.analysis([id])).rejects.toThrow('not open any more');
  });

  test('a recording of a worker that is gone is not mistaken for another', async () => {
    const first = await session.open(plainRequest(demo));
    await session.dispose();
    const second = await session.open(plainRequest(demo));
    expect(second.id).not.toBe(first.id);
    await expect(session.analysis([first.id])).rejects.toThrow('not open any more');
  });

  test('errors keep their name and words', async () => {
    await expect(session.open(plainRequest('/nonexistent'))).rejects.toThrow(
      '/nonexistent: there is no such file or folder',
    );
    const junk = path.join(folder, 'junk');
    writeFileSync(junk, 'junk\n');
    await expect(session.open(plainRequest(junk))).rejects.toMatchObject({ name: 'UnreadableRecordingError' });
  });

  test('a load that is cancelled ends, and the session lives on', async () => {
    const large = path.join(folder, 'large.strace');
    writeFileSync(
      large,
      '7 1795252180.5 write(3</tmp/x>, "abcdefghijklmnop"..., 100) = 100 <0.000010>\n'.repeat(500_000),
    );
    const controller = new AbortController();
    const opening = session.open(plainRequest(large), {
      signal: controller.signal,
      progress: () => {
        controller.abort();
      },
    });
    await expect(opening).rejects.toMatchObject({ name: 'CancelledError' });
    expect((await session.open(plainRequest(demo))).info.events).toBe(5150);
  });

  test('what lines an event comes from', async () => {
    const request = { ...plainRequest(demo), pathRules: [{ from: '/home/hpc/heat', to: path.dirname(demo) }] };
    const { id } = await session.open(request);
    const events = await session.eventsAt(id, path.join(path.dirname(demo), 'heat.c'), 22, 3);
    expect(events).toHaveLength(3);
    expect(events[0]).toMatchObject({ call: 'write', path: '/home/hpc/heat/results/cells.txt', bytes: 100, offset: 0 });
    expect(events[1]).toMatchObject({ offset: 100 });
  });

  test('exports events to a file', async () => {
    const { id } = await session.open(plainRequest(demo));
    const file = path.join(folder, 'events.csv');
    expect(await session.exportEvents(id, 'csv', file)).toBe(statSync(file).size);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(5152);
  });

  test('an ended session refuses politely', async () => {
    const refused = expect(session.open(plainRequest(demo))).rejects.toMatchObject({ name: 'CancelledError' });
    await session.dispose();
    await refused;
  });
});
