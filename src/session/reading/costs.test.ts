import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { plainRequest } from './open-request.ts';
import { localSession } from '../../features/answers/all-answers.ts';

/** What lines, functions, files and callers of the demo cost; the numbers are those of heat.c and its loops. */
const root = path.resolve(import.meta.dirname, '../../..');
const heat = path.join(root, 'demo/heat');
const source = path.join(heat, 'heat.c');
const session = localSession({ folder: path.join(root, 'dist') });
let id: number;

beforeAll(async () => {
  const request = { ...plainRequest(path.join(heat, 'heat.strace.gz')), workspaceFolders: [heat] };
  const opened = await session.recordings.open({ ...request, pathRules: [{ from: '/home/hpc/heat', to: heat }] });
  id = opened.id;
  expect(opened.phases.readingMs).toBeGreaterThan(0);
  expect(opened.phases.resolvingMs).toBeGreaterThan(0);
});

describe('the costs of a recording', () => {
  test('a line has its sizes in Darshan’s bins', async () => {
    const { sites } = await session.lines.sites(id, 'line');
    const line = sites.find((site) => site.line === 22)!;
    expect(line).toMatchObject({ file: source, isHere: true, events: 4096, streams: 1, calls: { write: 4096 } });
    expect(line.sizes.written).toEqual([4096, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(line.sizes.read.every((count) => count === 0)).toBe(true);
    const table = sites.find((site) => site.line === 42)!;
    expect(table.sizes.read).toEqual([0, 0, 256, 0, 0, 0, 0, 0, 0, 0]);
  });

  test('a function has its own calls and those of what it calls', async () => {
    const functions = await session.lines.functions(id);
    const named = (name: string) => functions.find((cost) => cost.function === name)!;
    expect(named('emit')).toMatchObject({ file: source, isHere: true, events: 4096, totalEvents: 4096 });
    expect(named('log_progress')).toMatchObject({ events: 768, totalEvents: 768 });
    expect(functions[0]!.function).toBe('main');
    expect(named('main').totalEvents).toBe(named('main').events + 4096 + 768 + 256 + named('checkpoint').events);
    expect(named('main').firstLine).toBe(69);
  });

  test('files come in the wanted order, with the places that access them', async () => {
    const names = async (order: 'time' | 'calls' | 'bytes' | 'name') =>
      (await session.files.list(id, order, 100)).files.map((file) => path.basename(file.path));
    // By what calls cost: the one that waits for the storage stands before 4,096 that strace made long.
    expect((await names('time'))[0]).toBe('checkpoint.bin');
    const largest = ['constants.bin', 'checkpoint.bin', 'cells.txt', 'progress.log'];
    expect((await names('bytes')).slice(0, 4)).toEqual(largest);
    // The folder has a call, too: mkdir.
    expect(await names('name')).toEqual(['results', ...[...largest].sort()]);
    const { files, total } = await session.files.list(id, 'calls', 1);
    expect(total).toBe(5);
    expect(files).toHaveLength(1);
    expect(files[0]).toMatchObject({ opens: 1, readers: 0, writers: 1, writtenBytes: 409_600, readBytes: 0 });
    expect(files[0]!.sites[0]).toMatchObject({ file: source, line: 22, isHere: true, function: 'emit', events: 4096 });
  });

  test('callers of a line make a tree up to main, from any line on the way', async () => {
    const line = (await session.lines.callers(id, source, 22))!;
    expect(line).toMatchObject({ function: 'emit', line: 22, events: 4096, isHere: true });
    expect(line.callers.map((caller) => [caller.function, caller.line, caller.events])).toEqual([['main', 82, 4096]]);
    expect(line.callers[0]!.callers).toEqual([]);
    expect(await session.lines.callers(id, source, 82)).toMatchObject({ function: 'main', events: 4096, callers: [] });
    expect(await session.lines.callers(id, source, 1)).toBeUndefined();
  });
});
