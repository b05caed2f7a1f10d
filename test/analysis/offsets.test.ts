import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { OffsetChoices, OffsetColour, OffsetWindow } from '../../src/analysis/offsets/offsets.ts';
import { DEFAULT_OFFSET_CHOICES } from '../../src/features/offsets/protocol.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { absent, corpus } from '../support/corpus.ts';
import { line, StraceText } from '../support/strace-text.ts';

const root = path.resolve(import.meta.dirname, '../..');
const session = localSession({ folder: path.join(root, 'dist') });
const folder = mkdtempSync(path.join(tmpdir(), 'iolens-offsets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function open(recording: string): Promise<number> {
  return (await session.recordings.open({ ...plainRequest(recording), cacheBytes: 0, maySpawn: false })).id;
}

let texts = 0;
async function openText(text: StraceText | string): Promise<number> {
  const file = path.join(folder, `${texts++}.strace`);
  writeFileSync(file, text.toString());
  return open(file);
}

async function look(id: number, file: string, choices: Partial<OffsetChoices> = {}): Promise<OffsetWindow> {
  return session.offsets.window(id, {
    file: { host: '', path: file },
    choices: { ...DEFAULT_OFFSET_CHOICES, ...choices },
    area: null,
    columns: 60,
    rows: 40,
    selection: [],
  });
}

const labels = async (id: number, file: string, colourBy: OffsetColour): Promise<[string, number][]> =>
  (await look(id, file, { colourBy })).categories.map(({ label, accesses }) => [label, accesses]);

/** Two processes write the same block, one of them twice, and read it back. */
const SHARED = new StraceText()
  .call(7, 'openat(AT_FDCWD, "/d/a", O_RDWR|O_CREAT, 0644) = 3</d/a>', 10)
  .call(8, 'openat(AT_FDCWD, "/d/a", O_RDWR) = 3</d/a>', 10)
  .call(7, 'pwrite64(3</d/a>, ""..., 4096, 0) = 4096', 20, [line(11)])
  .call(8, 'pwrite64(3</d/a>, ""..., 4096, 4096) = 4096', 20, [line(12)])
  .call(7, 'pwrite64(3</d/a>, ""..., 4096, 0) = 4096', 20, [line(11)])
  .call(8, 'pwrite64(3</d/a>, ""..., 100, 50) = 100', 20, [line(12)])
  .call(7, 'pread64(3</d/a>, ""..., 8192, 0) = 8192', 20, [line(13)])
  .call(7, 'pread64(3</d/a>, ""..., 8192, 0) = 8192', 20, [line(13)])
  .call(7, 'pread64(3</d/a>, ""..., 8192, 8192) = 0', 20, [line(13)])
  .call(7, 'mmap(NULL, 8192, PROT_READ, MAP_SHARED, 3</d/a>, 0) = 0x7f0000000000', 20)
  .call(7, 'read(0<pipe:[5]>, ""..., 8) = 8', 20);

describe('offsets over time', () => {
  test('of strace text: who touches what for the first time, again, and over another’s', async () => {
    const id = await openText(SHARED);
    expect(await labels(id, '/d/a', 'direction')).toEqual([
      ['read', 2],
      ['written', 4],
      ['read and written', 0],
    ]);
    expect((await labels(id, '/d/a', 'repeats')).map(([, count]) => count)).toEqual([3, 1, 1, 1]);
    expect(await labels(id, '/d/a', 'process')).toEqual([
      ['process 7', 4],
      ['process 8', 2],
    ]);
    expect(await labels(id, '/d/a', 'size')).toEqual([
      ['≤ 100 B', 1],
      ['≤ 10 KiB', 5],
    ]);
    expect(await labels(id, '/d/a', 'call')).toEqual([
      ['pread64', 2],
      ['pwrite64', 4],
    ]);
    expect(await labels(id, '/d/a', 'site')).toEqual([
      ['app.c:13', 2],
      ['app.c:11', 2],
      ['app.c:12', 2],
    ]);
    expect(await labels(id, '/d/a', 'insight')).toHaveLength(1);
    const { extent, regions } = await look(id, '/d/a');
    expect(extent).toMatchObject({ fromByte: 0, toByte: 8192 });
    expect(regions.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)).toBe(3 * 4096 + 100);
    const facts = (await session.offsets.facts(id, { host: '', path: '/d/a' }))!;
    expect(facts).toMatchObject({ layers: ['system call'], processes: 2, stripings: [], blockBytes: null });
    expect(facts.notes).toEqual([
      'The file is mapped into memory: what is read or written through the map is not in the recording.',
    ]);
  });

  test('the list has the most bytes first, and says what has no offsets', async () => {
    const id = await openText(SHARED);
    const all = await session.offsets.files(id, '', 10);
    expect(all).toMatchObject({ matching: 1, total: 1, withoutOffsets: 1 });
    expect(all.files[0]).toMatchObject({ path: '/d/a', bytesRead: 16_384, bytesWritten: 12_388, processes: 2 });
    expect(await session.offsets.files(id, 'nothing like it', 10)).toMatchObject({ files: [], matching: 0, total: 1 });
    expect(await session.offsets.facts(id, { host: '', path: '/none' })).toBeUndefined();
    expect((await look(id, '/none')).accesses).toBe(0);
  });

  test('the access at a point, with its line, and what is below it', async () => {
    const id = await openText(SHARED);
    const file = { host: '', path: '/d/a' };
    const { extent } = await look(id, '/d/a', { axis: 'order' });
    const choices = { ...DEFAULT_OFFSET_CHOICES, axis: 'order' } as const;
    const at = { position: 3.5, byte: 60, reachPosition: 0.4, reachBytes: 5 };
    const access = (await session.offsets.accessAt(id, file, choices, at))!;
    expect(access).toMatchObject({ writesOver: true, others: 0, bytesAgain: 0, stripe: '' });
    expect(access.event).toMatchObject({ call: 'pwrite64', process: 8, offset: 50, bytes: 100, site: { line: 12 } });
    expect(access.event.recordingLine).toBeGreaterThan(5);
    const beyond = { ...at, position: extent.to + 5 };
    expect(await session.offsets.accessAt(id, file, choices, beyond)).toBeUndefined();
  });

  test('accesses at unknown places are counted, not guessed', async () => {
    const text = new StraceText()
      .call(7, 'write(3</d/b>, ""..., 10) = 10', 5)
      .call(7, 'pwrite64(3</d/b>, ""..., 10, 30) = 10', 5);
    const id = await openText(text);
    expect((await look(id, '/d/b')).accesses).toBe(1);
    expect((await session.offsets.facts(id, { host: '', path: '/d/b' }))!.notes).toEqual([
      '1 access is left out (10 B): the recording does not tell where in the file.',
    ]);
  });

  test('a copy inside the kernel reads one file and writes the other', async () => {
    const text = new StraceText()
      .call(7, 'openat(AT_FDCWD, "/d/from", O_RDONLY) = 3</d/from>', 5)
      .call(7, 'openat(AT_FDCWD, "/d/to", O_WRONLY|O_CREAT, 0644) = 4</d/to>', 5)
      .call(7, 'sendfile(4</d/to>, 3</d/from>, [100] => [300], 200) = 200', 5)
      .call(7, 'copy_file_range(3</d/from>, [500], 4</d/to>, [1000], 30, 0) = 20', 5);
    const id = await openText(text);
    const [from, to] = [await look(id, '/d/from'), await look(id, '/d/to')];
    expect(from.categories.map(({ bytes }) => bytes)).toEqual([220, 0, 0]);
    expect(to.categories.map(({ bytes }) => bytes)).toEqual([0, 220, 0]);
    expect(to.extent).toMatchObject({ fromByte: 0, toByte: 1020 });
  });

  test('what is selected is marked', async () => {
    const id = await openText(SHARED);
    const request = {
      file: { host: '', path: '/d/a' },
      choices: DEFAULT_OFFSET_CHOICES,
      area: null,
      columns: 9,
      rows: 9,
    };
    const of = (process: number): Promise<OffsetWindow> =>
      session.offsets.window(id, { ...request, selection: [{ kind: 'process', host: '', process }] });
    expect((await of(8)).selected).toBe(2);
    expect((await of(7)).selected).toBe(4);
    expect((await look(id, '/d/a')).selected).toBeNull();
  });

  test('of a Darshan log: layers apart, ranks, blocks, and lines', async () => {
    const id = await open(path.join(root, 'test/data/darshan-stack/badmpi_4ranks.darshan'));
    const facts = (await session.offsets.facts(id, { host: '', path: '/tmp/app/data/field.dat' }))!;
    expect(facts).toMatchObject({ layers: ['MPI-IO', 'POSIX'], processes: 4, blockBytes: 4096, hasTimes: true });
    const field = await look(id, facts.file.path, { colourBy: 'process' });
    expect(field.categories.map(({ label }) => label)).toEqual(['rank 0', 'rank 1', 'rank 2', 'rank 3']);
    const shared = await labels(id, '/tmp/app/data/shared.dat', 'site');
    expect(shared.every(([label]) => label.startsWith('badmpi.c:'))).toBe(true);
  });

  const striped = corpus('darshan/dxtexplorer_8_benchmark_parallel.darshan');
  test.skipIf(striped === undefined)(
    `stripes, and a thousand ranks in a dozen groups${striped === undefined ? ` (${absent('darshan/dxtexplorer_8')})` : ''}`,
    async () => {
      const id = await open(striped!);
      const { file, stripings } = (await session.offsets.facts(
        id,
        (await session.offsets.files(id, '', 1)).files[0]!,
      ))!;
      expect(stripings).toMatchObject([{ stripeSize: 32 << 20, stripeCount: 64, fromByte: 0, toByte: null }]);
      const ranks = await look(id, file.path, { colourBy: 'process' });
      expect(ranks.categories[0]!.label).toBe('ranks 0-85');
      expect(ranks.categories).toHaveLength(12);
      const at = { position: 1e9, byte: 100 << 20, reachPosition: 1e9, reachBytes: 1 << 30 };
      const access = (await session.offsets.accessAt(id, file, DEFAULT_OFFSET_CHOICES, at))!;
      const stripe = Math.floor(access.event.offset! / (32 << 20));
      expect(access.stripe).toBe(`stripe ${stripe}, OST ${stripings[0]!.targets[stripe % 64]!}`);
    },
  );
});
