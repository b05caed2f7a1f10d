import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { MpiOperation, ReplayNode } from '../../src/replay/program.ts';
import { fileKey, fillContent } from '../../src/replay/run/content.ts';
import { OPEN_MODE } from '../../src/trace/events.ts';
import { newFolder, programOf, run, tasksOf } from '../support/replay-programs.ts';

const tools = ['mpicc', 'mpirun'].filter((tool) => spawnSync(tool, ['--version']).status === 0);
if (tools.length < 2)
  console.warn('no mpicc and mpirun: replays with MPI are not tested (libopenmpi-dev, openmpi-bin)'); // oxlint-disable-line no-console

const open = (file: string, mode = 'create rdwr', slot = 0): MpiOperation => ({
  operation: 'mpi_fopen',
  slot,
  path: file,
  mode,
});
const close: MpiOperation = { operation: 'mpi_fclose', slot: 0 };
type Transfer = Extract<MpiOperation, { readonly operation: 'mpi_read' | 'mpi_write' }>;
const transfer = (operation: Transfer['operation'], more: Partial<Transfer> = {}): MpiOperation => ({
  operation,
  slot: 0,
  position: 'individual',
  blocking: true,
  collective: false,
  count: 100,
  datatype: 'MPI_BYTE',
  ...more,
});

describe.skipIf(tools.length < 2)('a replay with MPI', { timeout: 120_000 }, () => {
  const former = process.env['XDG_CACHE_HOME'];
  let cache = '';
  beforeAll(() => {
    cache = mkdtempSync(path.join(tmpdir(), 'iolens-replayer-'));
    process.env['XDG_CACHE_HOME'] = cache;
  });
  afterAll(() => {
    if (former === undefined) delete process.env['XDG_CACHE_HOME'];
    else process.env['XDG_CACHE_HOME'] = former;
    rmSync(cache, { recursive: true, force: true });
  });

  test('the same program at two values of SIZE: a view of columns, written together, read by the next rank', async () => {
    const view = (of: string): MpiOperation => ({
      operation: 'mpi_set_view',
      slot: 0,
      displacement: `(${of}) * 64`,
      elementType: 'MPI_DOUBLE',
      fileType: 'columns',
    });
    const program = programOf(
      [
        open('deep/matrix'),
        view('RANK'),
        {
          operation: 'mpi_series',
          count: 3,
          variable: 'step',
          body: [transfer('mpi_write', { collective: true, count: 16, datatype: 'MPI_DOUBLE' })],
        },
        { operation: 'sync', slot: 0, dataOnly: false },
        { operation: 'barrier' },
        view('(RANK + 1) % SIZE'),
        transfer('mpi_read', { position: 'explicit', offset: 8, count: 40, datatype: 'MPI_DOUBLE', blocking: false }),
        { operation: 'mpi_wait', slot: 0 },
        close,
      ],
      {
        datatypes: [
          { name: 'blocks', of: 'MPI_DOUBLE', kind: 'vector', count: 2, blockLength: 8, stride: '8 * SIZE' },
          { name: 'columns', of: 'blocks', kind: 'resized', lowerBound: 0, extent: '2 * 64 * SIZE' },
        ],
      },
    );
    for (const size of [2, 4]) {
      const { directory, content, backends, operations } = await run(program, size, {
        checkContent: true,
        backends: ['ChunkBandwidth', 'CreateUnlink'],
      });
      const written = readFileSync(path.join(directory, 'deep/matrix'));
      expect(written).toHaveLength(3 * 128 * size);
      for (let at = 0; at < written.length; at += 64) {
        const block = Buffer.alloc(64);
        fillContent(block, 64, fileKey('deep/matrix'), (at / 64) % size, at);
        expect(written.subarray(at, at + 64).equals(block)).toBe(true);
      }
      expect(content).toMatchObject({ right: size * 320, wrong: 0, unwritten: 0, unchecked: 0 });
      expect(backends[0]!.values['chunks']).toMatchObject([
        { direction: 'read', size: 320, calls: size, bytes: size * 320 },
        { direction: 'write', size: 128, calls: 3 * size, bytes: 3 * size * 128 },
      ]);
      expect(backends[1]!.values).toMatchObject({ create: { calls: size } });
      expect(operations).toBe(size * 11);
      expect(readdirSync(directory)).toEqual(['deep']);
    }
  });

  test('all ways to read and write, of two numbers of tasks', async () => {
    const body: ReplayNode[] = [
      open('all'),
      {
        operation: 'mpi_set_view',
        slot: 0,
        displacement: 'RANK * 100000',
        elementType: 'MPI_BYTE',
        fileType: 'MPI_BYTE',
      },
    ];
    // Open MPI's OMPIO never ends a read without blocking behind the end of the file.
    body.push(transfer('mpi_write', { position: 'explicit', offset: 0, count: 10_000 }));
    let at = 0;
    for (const position of ['individual', 'explicit'] as const)
      for (const blocking of [true, false])
        for (const collective of [true, false])
          for (const operation of ['mpi_write', 'mpi_read'] as const) {
            const offset = position === 'explicit' ? (at += 50) : undefined;
            body.push(transfer(operation, { position, blocking, collective, ...(offset !== undefined && { offset }) }));
            if (!blocking) body.push({ operation: 'mpi_wait', slot: 0 });
          }
    const shared: ReplayNode[] = [close, open('shared')];
    for (const blocking of [true, false])
      for (const collective of [true, false])
        shared.push(transfer('mpi_write', { position: 'shared', blocking, collective }), {
          operation: 'mpi_wait',
          slot: 0,
        });
    shared.push(close, { operation: 'barrier' });
    const remove = tasksOf([
      { ranks: 'all', body: [...body, ...shared] },
      { ranks: '1', body: [{ operation: 'mpi_fdelete', path: 'all' }] },
    ]);
    const { directory, content, backends } = await run(remove, 2, {
      checkContent: true,
      backends: ['WriteBandwidth', 'CreateUnlink'],
    });
    expect(readdirSync(directory)).toEqual(['shared']);
    // 2 ranks × 4 writes of 100 bytes.
    expect(statSync(path.join(directory, 'shared')).size).toBe(800);
    expect(content!.wrong).toBe(0);
    expect(content!.right).toBe(2 * 8 * 100);
    expect(backends[0]!.values['bytes']).toBe(2 * (10_000 + 12 * 100));
    expect(backends[1]!.values).toMatchObject({ create: { calls: 4 }, unlink: { calls: 1 } });
  });

  test('POSIX and streams beside MPI, files of some ranks, tokens and locks in order', async () => {
    const program = tasksOf(
      [
        {
          ranks: '0, 2',
          body: [
            { operation: 'mpi_fopen', slot: 0, path: 'some', mode: 'create wronly', communicator: [0, 2] },
            transfer('mpi_write', { position: 'explicit', offset: 'RANK * 100' }),
            close,
          ],
        },
        {
          ranks: 'all',
          body: [
            { operation: 'mpi_fopen', slot: 0, path: 'own.{RANK:3}', mode: 'create rdwr', communicator: 'self' },
            {
              operation: 'mpi_series',
              count: 3,
              variable: 'i',
              body: [transfer('mpi_write', { position: 'explicit', offset: 'i * 100 + SIZE' })],
            },
            close,
            { operation: 'open', slot: 5, path: 'log', mode: 2 | OPEN_MODE.create },
            { operation: 'lock', slot: 5 },
            { operation: 'pwrite', slot: 5, bytes: 10, offset: 'RANK * 10' },
            { operation: 'unlock', slot: 5 },
            { operation: 'barrier' },
            { operation: 'seek', slot: 5, offset: 0, whence: 0 },
            { operation: 'read', slot: 5, bytes: 1000 },
            { operation: 'close', slot: 5 },
          ],
        },
        {
          ranks: '0',
          body: [
            { operation: 'recv_sync', peer: 2 },
            { operation: 'stat', path: 'made' },
          ],
        },
        {
          ranks: '2',
          body: [
            { operation: 'mkdir', path: 'made' },
            { operation: 'fopen', slot: 1, path: 'made/stream', mode: 'w' },
            { operation: 'buf_write', slot: 1, bytes: 33 },
            { operation: 'fclose', slot: 1 },
            { operation: 'send_sync', peer: 0 },
          ],
        },
      ],
      { inputs: [{ path: 'input', bytes: 12 }] },
    );
    const { directory, content } = await run(program, 3, { checkContent: true });
    expect(readdirSync(directory).toSorted()).toEqual([
      'input',
      'log',
      'made',
      'own.000',
      'own.001',
      'own.002',
      'some',
    ]);
    expect(statSync(path.join(directory, 'some')).size).toBe(300);
    expect(statSync(path.join(directory, 'own.001')).size).toBe(303);
    expect(statSync(path.join(directory, 'made/stream')).size).toBe(33);
    expect(content).toMatchObject({ right: 3 * 30, wrong: 0, unwritten: 0 });
  });

  test.each<[string, ReplayNode, string]>([
    ['a file that is missing', open('missing', 'rdonly'), 'task 1, 1 mpi_fopen: missing: '],
    ['a number that loops make too small', transfer('mpi_write', { count: 'RANK - 5' }), 'count is -5'],
    ['a datatype that is not there', transfer('mpi_write', { datatype: 'column' }), 'no datatype column'],
    ['a link to elsewhere', open('link/x'), 'leads through a symbolic link'],
    ['a mode that there is not', open('a', 'quickly'), '"quickly" is no word of a mode of MPI'],
    ['a pool', { operation: 'poolunlink', pool: 'p' }, 'poolunlink is not possible where ranks are processes'],
    ['a rank that there is not', { operation: 'barrier', tasks: [0, 7] }, 'task 7 of 1 tasks'],
  ])('%s ends it with its place', async (_, operation, words) => {
    const directory = newFolder();
    const outside = newFolder();
    symlinkSync(outside, path.join(directory, 'link'));
    const body: ReplayNode[] = operation.operation === 'mpi_write' ? [open('file'), operation] : [operation];
    await expect(run(programOf(body), 1, { directory, existing: true, engine: 'mpi' })).rejects.toThrow(words);
    expect(readdirSync(outside)).toEqual([]);
    expect(readdirSync(directory).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('is cancelled, and no rank goes on', async () => {
    const cancel = new AbortController();
    const directory = newFolder();
    const body: ReplayNode[] = [open('file'), { operation: 'sleep', seconds: 1000 }];
    const replay = run(programOf(body), 2, { directory, signal: cancel.signal });
    await vi.waitUntil(() => readdirSync(directory).includes('file'), { timeout: 60_000 });
    cancel.abort();
    await expect(replay).rejects.toThrow('cancelled');
    const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(stdout).not.toContain(directory);
  });
});

test('without a compiler of MPI the message says what to install', async () => {
  const former = process.env['PATH'];
  process.env['PATH'] = '';
  try {
    await expect(run(programOf([open('a')]), 1)).rejects.toThrow('there is no mpicc: install an MPI');
  } finally {
    process.env['PATH'] = former;
  }
});
