import { mkdtempSync, rmSync, writeFileSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { PLAIN_GRAPH } from '../../src/features/graph/methods.ts';
import type { Session } from '../../src/features/answers/all-answers.ts';
import { WorkerSession } from '../../src/session/worker/worker-session.ts';

/** The session as the editor uses it: the built worker, over messages. */
const dist = path.resolve(import.meta.dirname, '../../dist');
const demo = path.resolve(import.meta.dirname, '../../demo/heat/heat.strace.gz');
let worker: WorkerSession<Session>;
let session: Session;
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-worker-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  worker = new WorkerSession<Session>(path.join(dist, 'session-worker.js'), { folder: dist });
  session = worker.topics;
});
afterEach(async () => {
  await worker.dispose();
});

describe('the session in a worker', () => {
  test('opens, answers, and closes', async () => {
    const shares: (number | undefined)[] = [];
    const { id, info } = await session.recordings.open(plainRequest(demo), { progress: (share) => shares.push(share) });
    expect(info.events).toBe(5150);
    expect(shares.at(-1)).toBe(1);
    expect((await session.findings.analysis([id])).insights[0]!.trigger).toBe('posix-small-writes');
    expect((await session.graph.document(id, PLAIN_GRAPH)).events).toBe(5146);
    const wanted = { activity: 'write:/home/hpc', bins: 10, mostRows: 4 };
    const timeline = await session.graph.timeline(id, PLAIN_GRAPH, wanted);
    expect(timeline!.starts.reduce((sum, count) => sum + count, 0)).toBe(4354);
    const preview = await session.graph.preview(id, { ...PLAIN_GRAPH, mapping: '{"base":"call"}' }, 1);
    expect([preview.activities[0]!.name, preview.mappedEvents]).toEqual(['write', 5149]);
    const { totals } = await session.selection.selected(id, [{ kind: 'call', call: 'write' }]);
    expect(totals.events).toBe(4354);
    const { token, rows, durationNs } = await session.timeline.rows([id], {
      grouping: 'stream',
      facets: false,
      order: 'recorded',
      exemplars: false,
      rowFilter: '',
      colourBy: 'operation',
      ownFilesOnly: false,
      selection: [],
      onlySelected: false,
    });
    const request = { fromNs: 0, toNs: durationNs, bins: 10, rows: [0] };
    const window = await session.timeline.window(token, request);
    expect([rows[0]!.events, window.busy.length, window.category instanceof Uint16Array]).toEqual([5149, 10, true]);
    await session.recordings.close(id);
    await expect(session.findings.analysis([id])).rejects.toThrow('no longer open');
    await expect(session.timeline.window(token, request)).rejects.toMatchObject({ name: 'StaleRowsError' });
  });

  test('a recording of a worker that is gone is not mistaken for another', async () => {
    const first = await session.recordings.open(plainRequest(demo));
    await worker.dispose();
    const second = await session.recordings.open(plainRequest(demo));
    expect(second.id).not.toBe(first.id);
    await expect(session.findings.analysis([first.id])).rejects.toThrow('no longer open');
  });

  test('errors keep their name and words', async () => {
    await expect(session.recordings.open(plainRequest('/nonexistent'))).rejects.toThrow(
      '/nonexistent: there is no such file or folder',
    );
    const junk = path.join(folder, 'junk');
    writeFileSync(junk, 'junk\n');
    await expect(session.recordings.open(plainRequest(junk))).rejects.toMatchObject({
      name: 'UnreadableRecordingError',
    });
  });

  test('a load that is cancelled ends, and the session lives on', async () => {
    const large = path.join(folder, 'large.strace');
    writeFileSync(
      large,
      '7 1795252180.5 write(3</tmp/x>, "abcdefghijklmnop"..., 100) = 100 <0.000010>\n'.repeat(500_000),
    );
    const controller = new AbortController();
    const opening = session.recordings.open(plainRequest(large), {
      signal: controller.signal,
      progress: () => controller.abort(),
    });
    await expect(opening).rejects.toMatchObject({ name: 'CancelledError' });
    expect((await session.recordings.open(plainRequest(demo))).info.events).toBe(5150);
  });

  test('what lines an event comes from', async () => {
    const request = { ...plainRequest(demo), pathRules: [{ from: '/home/hpc/heat', to: path.dirname(demo) }] };
    const { id } = await session.recordings.open(request);
    const events = await session.lines.events(id, path.join(path.dirname(demo), 'heat.c'), 22, 3);
    expect(events).toHaveLength(3);
    expect(events[0]).toMatchObject({ call: 'write', path: '/home/hpc/heat/results/cells.txt', bytes: 100, offset: 0 });
    expect(events[1]).toMatchObject({ offset: 100 });
  });

  test('exports events to a file', async () => {
    const { id } = await session.recordings.open(plainRequest(demo));
    const file = path.join(folder, 'events.csv');
    expect(await session.export.events(id, 'csv', file)).toBe(statSync(file).size);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(5152);
  });

  test('an ended session refuses politely', async () => {
    const refused = expect(session.recordings.open(plainRequest(demo))).rejects.toMatchObject({
      name: 'CancelledError',
    });
    await worker.dispose();
    await refused;
  });
});
