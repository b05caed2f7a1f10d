import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportOtf2 } from '../../src/session/reading/otf2-archive.ts';
import { plainRequest, type OpenRequest } from '../../src/session/reading/open-request.ts';
import { localSession, type Session } from '../../src/features/answers/all-answers.ts';

/** Recordings of every kind become OTF2 archives, which are read again and hold the same. */
const resources = { folder: path.resolve(import.meta.dirname, '../../dist') };
const data = path.join(import.meta.dirname, '../data');
const heat = path.resolve(import.meta.dirname, '../../demo/heat');
const hasLibrary = spawnSync('otf2-config', ['--version']).status === 0;
const hasTool = spawnSync('otf2-print', ['--version']).status === 0;

let folder = '';
let cacheHome: string | undefined;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-otf2-'));
  cacheHome = process.env['XDG_CACHE_HOME'];
  process.env['XDG_CACHE_HOME'] = path.join(folder, 'cache');
});
afterAll(() => {
  if (cacheHome === undefined) delete process.env['XDG_CACHE_HOME'];
  else process.env['XDG_CACHE_HOME'] = cacheHome;
  rmSync(folder, { recursive: true, force: true });
});

const RECORDINGS: readonly (readonly [name: string, path: string])[] = [
  ['the recorder library, processes', path.join(data, 'capture/processes')],
  ['the recorder library, six layers', path.join(data, 'capture/layers')],
  ['strace', path.join(heat, 'heat.strace.gz')],
  ['Darshan', path.join(data, 'darshan-stack/badmpi_4ranks.darshan')],
  ['Recorder', path.join(data, 'recorder/btio_full')],
];

const request = (location: string): OpenRequest => ({
  ...plainRequest(location),
  pathRules: [{ from: '/home/hpc/heat', to: heat }],
  cacheBytes: 0,
  maySpawn: false,
});

/** OTF2 has no layer of its own for calls of the system. */
const layerName = (layer: string): string => (layer === 'system call' ? 'POSIX' : layer);

/**
 * Calls and bytes by layer, function and line. What a call is beside its function, such as `(target)` of a copy, is told
 * by its records there.
 */
async function summary(session: Session, id: number): Promise<Map<string, readonly [calls: number, bytes: number]>> {
  const file = path.join(folder, `events-${id}.csv`);
  await session.export.events(id, 'csv', file);
  const [head, ...lines] = spawnSync('cat', [file], { encoding: 'utf8', maxBuffer: 1 << 28 })
    .stdout.trim()
    .split('\n');
  const names = head!.split(',');
  const sums = new Map<string, readonly [number, number]>();
  for (const line of lines) {
    const cells = line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/);
    const cell = (name: string): string => cells[names.indexOf(name)]!;
    if (cell('state') === 'part') continue;
    const call = cell('call').replace(/ ?\(.*\)$/, '');
    const key = [layerName(cell('layer')), call, cell('site_line')].join(' ');
    const [calls, bytes] = sums.get(key) ?? [0, 0];
    sums.set(key, [calls + 1, bytes + Number(cell('bytes'))]);
  }
  return sums;
}

function recordsOf(session: Session, id: number): (file: string) => Promise<number> {
  return (file) => session.export.events(id, 'otf2-records', file);
}

describe.skipIf(!hasLibrary)(`an OTF2 archive (${hasLibrary ? 'here' : 'there is no otf2-config'})`, () => {
  test.each(RECORDINGS)('of %s holds its calls, bytes and lines', async (name, location) => {
    const session = localSession(resources);
    const opened = await session.recordings.open(request(location));
    const target = path.join(folder, name.replaceAll(/\W/g, '-'));
    await exportOtf2(recordsOf(session, opened.id), target, resources);
    const again = await session.recordings.open(request(target));
    expect(again.info.damage).toEqual([]);
    expect(again.info.events).toBe(opened.info.events);
    const expected = await summary(session, opened.id);
    expect(expected.size).toBeGreaterThan(2);
    expect(await summary(session, again.id)).toEqual(expected);
    if (!hasTool) return;
    const { status, stderr } = spawnSync('otf2-print', [path.join(target, 'traces.otf2')], { maxBuffer: 1 << 28 });
    expect([status, stderr.toString()]).toEqual([0, '']);
  });

  test('is not written over something else, and nothing is left out in silence', async () => {
    const session = localSession(resources);
    const { id } = await session.recordings.open(request(path.join(data, 'capture/processes')));
    const full = path.join(folder, 'full');
    mkdirSync(full);
    writeFileSync(path.join(full, 'something'), '');
    await expect(exportOtf2(recordsOf(session, id), full, resources)).rejects.toThrow('the folder is not empty');
    const truncated = (file: string): Promise<number> => {
      writeFileSync(file, 'e\t0\t0\t0\n');
      return Promise.resolve(8);
    };
    await expect(exportOtf2(truncated, path.join(folder, 'cut'), resources)).rejects.toThrow(/something is missing/);
  });
});

test('without the library it is said what to install', async () => {
  const before = process.env['PATH'];
  process.env['PATH'] = path.join(folder, 'nothing');
  try {
    const exporting = exportOtf2(recordsOf(localSession(resources), 1), path.join(folder, 'none'), resources);
    await expect(exporting).rejects.toThrow(/otf2-config is not on the PATH: install it/);
  } finally {
    process.env['PATH'] = before;
  }
});
