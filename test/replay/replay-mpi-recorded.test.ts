import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDios } from '../../src/replay/dios/read-dios.ts';
import { writeDios } from '../../src/replay/dios/write-dios.ts';
import { programOfReplay } from '../../src/replay/from-recording/program-of-replay.ts';
import type { RecordedReplay } from '../../src/replay/from-recording/recorded-replay.ts';
import { replayOfRecording } from '../../src/replay/from-recording/replay-of-recording.ts';
import type { MpiOperation, ReplayOperation } from '../../src/replay/program.ts';
import { runReplay, writeFio } from '../../src/session/replay/recorded-replays.ts';
import type { ReplayedCalls } from '../../src/replay/from-recording/choose-calls.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { NONE, OPEN_MODE } from '../../src/trace/events.ts';
import { MessageTable } from '../../src/trace/messages.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { layerTrace, type LayerRow } from '../support/layer-rows.ts';
import { readArchive } from '../support/otf2/otf2-archives.ts';
import { freshFolder, has } from '../support/programs.ts';
import { expanded } from '../support/replay/expanded.ts';

const root = path.resolve(import.meta.dirname, '../..');
const resources = { folder: path.join(root, 'dist') };
const archive = (name: string): string => path.join(root, 'test/data/layers', name);
const hasMpi = has('mpicc', 'mpirun');

type Transfer = Extract<MpiOperation, { readonly operation: 'mpi_read' | 'mpi_write' }>;

function replayOf(trace: Trace, calls: ReplayedCalls = 'MPI-IO', plainRequests = false): RecordedReplay {
  const ignored = new Uint8Array(trace.files.length);
  return replayOfRecording(trace, { calls, thinkTime: 0, ignored, plainRequests });
}

const operationsOf = ({ tasks }: RecordedReplay): ReplayOperation[][] =>
  tasks.map(({ steps }) => steps.map(({ operation }) => operation));

const isTransfer = (operation: ReplayOperation): operation is Transfer =>
  operation.operation === 'mpi_read' || operation.operation === 'mpi_write';

const transfersOf = (replay: RecordedReplay): Transfer[] => operationsOf(replay).flat().filter(isTransfer);

/** Name of what all of a file's members have to do together; undefined for what each does alone. */
function jointName(operation: ReplayOperation): string | undefined {
  if (operation.operation === 'mpi_fopen') return operation.communicator === 'self' ? undefined : 'mpi_fopen';
  if (operation.operation === 'mpi_fclose' || operation.operation === 'barrier') return operation.operation;
  return isTransfer(operation) && operation.collective ? `${operation.operation} ${operation.position}` : undefined;
}

/** Runs the tasks as if collective calls always waited for each other. @throws Error when nobody can go on. */
function expectToEnd(replay: RecordedReplay): void {
  const tasks = operationsOf(replay);
  const next = tasks.map(() => 0);
  const tokens = new Map<string, number>();
  const at = (rank: number): ReplayOperation | undefined => tasks[rank]![next[rank]!];
  for (;;) {
    let moved = false;
    tasks.forEach((_, rank) => {
      for (let operation = at(rank); operation !== undefined; operation = at(rank)) {
        if (jointName(operation) !== undefined) break;
        if (operation.operation === 'send_sync' || operation.operation === 'recv_sync') {
          const sends = operation.operation === 'send_sync';
          const peer = Number(operation.peer);
          const key = sends ? `${rank} ${peer}` : `${peer} ${rank}`;
          const count = tokens.get(key) ?? 0;
          if (!sends && count === 0) break;
          tokens.set(key, count + (sends ? 1 : -1));
        }
        next[rank]!++;
        moved = true;
      }
    });
    if (tasks.every((task, rank) => next[rank] === task.length)) return;
    const waiting = tasks.map((_, rank) => at(rank)).map((operation) => operation && jointName(operation));
    if (waiting.every((name) => name !== undefined && name === waiting[0])) {
      next.forEach((_, rank) => next[rank]!++);
      moved = true;
    }
    if (!moved) throw new Error(`all tasks wait: ${JSON.stringify(next.map((_, rank) => at(rank)))}`);
  }
}

/** `stream offset bytes` of the recording's transfers of MPI-IO, in the order of each stream. */
function recordedTransfers({ events, calls, streams }: Trace): string[][] {
  const found: string[][] = streams.map(() => []);
  for (let row = 0; row < events.length; row++) {
    if (!/^MPI_File_i?(read|write)/.test(calls.names[events.value('call', row)]!)) continue;
    found[events.value('stream', row)]!.push(`${events.value('offset', row)} ${events.value('bytes', row)}`);
  }
  return found;
}

describe('recorded calls of MPI-IO become operations of MPI', () => {
  test.each([
    ['btio-full', 'mpi_write explicit true true'],
    ['btio-simple', 'mpi_write explicit true false'],
    ['heat-once', 'mpi_write explicit true true'],
    ['heat-each', 'mpi_write explicit true false'],
    ['latecomer-late', 'mpi_write explicit true true'],
    ['overlap-overlap', 'mpi_write explicit false false'],
    ['sieve-holes', 'mpi_read explicit true false'],
  ])('%s: %s, at the recorded places', async (name, kind) => {
    const trace = await readArchive(archive(name));
    const replay = replayOf(trace);
    const kinds = transfersOf(replay).map(({ operation, position, blocking, collective }) =>
      [operation, position, blocking, collective].join(' '),
    );
    expect(new Set(kinds)).toEqual(new Set([kind]));
    const made = operationsOf(replay).map((task) =>
      task.filter(isTransfer).map(({ offset, count }) => `${offset} ${count}`),
    );
    expect(made).toEqual(recordedTransfers(trace));
    const opens = operationsOf(replay).map((task) => task.filter(({ operation }) => operation === 'mpi_fopen'));
    // All processes open it together, with the same words.
    for (const its of opens) expect(its).toEqual(opens[0]);
    expect(opens[0]).not.toHaveLength(0);
    expect(opens[0]![0]).not.toHaveProperty('communicator');
    expectToEnd(replay);
  });

  test('transfers that were begun are waited for before the file is closed', async () => {
    const [task] = operationsOf(replayOf(await readArchive(archive('overlap-overlap'))));
    let pending = 0;
    for (const { operation } of task!) {
      if (operation === 'mpi_write') pending++;
      else if (operation === 'mpi_wait') pending = 0;
      else if (operation === 'mpi_fclose') expect(pending).toBe(0);
    }
    expect(task!.some(({ operation }) => operation === 'mpi_wait')).toBe(true);
  });

  test.each(['btio-full', 'btio-simple', 'heat-once', 'heat-each', 'openpmd-collective', 'overlap-overlap'])(
    '%s as DIOS XML and read again does the same',
    async (name) => {
      const replay = replayOf(await readArchive(archive(name)));
      const xml = writeDios(programOfReplay(replay));
      expect(xml).toContain('<mpi_series');
      expect(expanded(readDios(xml), replay.tasks.length)).toEqual(operationsOf(replay));
      expectToEnd(replay);
    },
  );

  test('processes that do the same are one task with RANK in its expressions', async () => {
    const replay = replayOf(await readArchive(archive('latecomer-late')));
    const program = programOfReplay(replay);
    expect(program.tasks.map(({ ranks }) => ranks)).toEqual(['all']);
    expect(writeDios(program)).toContain('offset="65536 * RANK + 131072 * i"');
    expect(expanded(program, 2)).toEqual(operationsOf(replay));
  });

  test('places that a recording does not hold: each process goes on at its own pointer, and is told so', async () => {
    const session = localSession(resources);
    const request = plainRequest(path.join(root, 'test/data/recorder/btio_full'));
    const { id } = await session.recordings.open({ ...request, cacheBytes: 0, maySpawn: false });
    const replay = await session.replay.recorded(id, 'MPI-IO', 0, false);
    await session.recordings.close(id);
    const transfers = transfersOf(replay);
    expect(transfers).toHaveLength(16);
    for (const one of transfers)
      expect(one).toMatchObject({ position: 'individual', collective: true, count: 327_680 });
    expect(replay.notes.join('\n')).toMatch(/16 views of MPI-IO files.*\n16 transfers of MPI-IO/);
    expectToEnd(replay);
  });
});

describe('collective calls and their order', () => {
  const open = (stream: number, start: number, more: Partial<LayerRow> = {}): LayerRow => ({
    call: 'MPI_File_open',
    start,
    duration: 10,
    stream,
    argument: 1 | OPEN_MODE.create,
    collective: true,
    ...more,
  });
  const write = (stream: number, start: number, offset: number, more: Partial<LayerRow> = {}): LayerRow => ({
    call: 'MPI_File_write_at_all',
    start,
    duration: 10,
    stream,
    offset,
    bytes: 100,
    collective: true,
    ...more,
  });
  const close = (stream: number, start: number): LayerRow => ({
    call: 'MPI_File_close',
    start,
    duration: 10,
    stream,
    collective: true,
  });

  test('nobody waits for the end of a collective call that needs him: also where one process left it before the other came', () => {
    const late = 5000;
    const rows = [
      ...[open(0, 0), write(0, 100, 0), write(0, 200, 0), close(0, 300)],
      ...[open(1, late), write(1, late + 100, 50), write(1, late + 200, 50), close(1, late + 300)],
    ];
    const replay = replayOf(layerTrace(rows, { ranks: 2 }));
    expectToEnd(replay);
    // What one wrote before the other overwrote it is kept apart by a barrier of both.
    expect(operationsOf(replay)[0]!.map(({ operation }) => operation)).toEqual([
      'mpi_fopen',
      'mpi_write',
      'barrier',
      'mpi_write',
      'mpi_fclose',
    ]);
    // As requests there is a token for it, as before.
    const plain = operationsOf(replayOf(layerTrace(rows, { ranks: 2 }), 'MPI-IO', true));
    expect(plain[1]![0]).toEqual({ operation: 'recv_sync', peer: 0 });
  });

  /** A barrier of both at a time. */
  const metAt = (trace: Trace, start: number): Trace => {
    const messages = new MessageTable();
    const what = { kind: 'collective', operation: 'barrier', peer: NONE, communicator: 0, tag: NONE } as const;
    for (const stream of [0, 1])
      messages.add({ ...what, stream, start, end: start + 1, sentBytes: 0, receivedBytes: 0 });
    return { ...trace, messages };
  };

  test.each([
    [0, 'no barrier'],
    [800, 'no barrier'],
    [800, 'a barrier'],
  ])(
    'a file whose size is set to %i, with %s recorded, has a barrier before the bytes of others are read, and no more',
    (length, recorded) => {
      const each = (row: (rank: number, i: number) => LayerRow): LayerRow[] =>
        [0, 1, 2, 3].flatMap((i) => [row(0, i), row(1, i)]);
      const rows = [
        ...[open(0, 0), open(1, 0)],
        ...[0, 1].map((rank): LayerRow => ({ ...write(rank, 50, NaN), call: 'MPI_File_set_size', argument: length })),
        ...each((rank, i) => write(rank, 100 + 20 * i, (2 * i + rank) * 100)),
        ...each((rank, i) => ({
          ...write(rank, 500 + 20 * i, (2 * i + 1 - rank) * 100),
          call: 'MPI_File_read_at_all',
        })),
        ...[close(0, 900), close(1, 900)],
      ];
      const trace = layerTrace(rows, { ranks: 2 });
      const replay = replayOf(recorded === 'a barrier' ? metAt(trace, 450) : trace);
      expectToEnd(replay);
      const [, other] = operationsOf(replay).map((task) => task.map(({ operation }) => operation).join(' '));
      const writes = Array(4).fill('mpi_write').join(' ');
      // Two barriers around the call that sets it; when that cut something off, one more before what is written there.
      expect(other).toBe(
        `mpi_fopen barrier barrier ${length === 0 ? 'barrier ' : ''}${writes} barrier ${writes.replaceAll('write', 'read')} mpi_fclose`,
      );
    },
  );

  test('processes of which one made other collective calls open the file alone, and are told so', () => {
    const rows = [open(0, 0), write(0, 100, 0), close(0, 300), open(1, 0), close(1, 300)];
    const replay = replayOf(layerTrace(rows, { ranks: 2 }));
    for (const task of operationsOf(replay)) expect(task[0]).toMatchObject({ communicator: 'self' });
    expect(transfersOf(replay).map(({ collective }) => collective)).toEqual([false]);
    expect(replay.notes.join()).toContain('1 files of MPI-IO are opened by each process alone');
  });

  test('pointers are used where all transfers follow each other from the beginning, else places are named', () => {
    const own = { call: 'MPI_File_write', collective: false } as const;
    const contiguous = [open(0, 0), write(0, 100, 0, own), write(0, 200, 100, own)];
    const replay = replayOf(layerTrace(contiguous));
    expect(transfersOf(replay).map(({ position }) => position)).toEqual(['individual', 'individual']);
    // It was never closed: the replay does.
    expect(operationsOf(replay)[0]!.at(-1)).toEqual({ operation: 'mpi_fclose', slot: 0 });
    const apart = replayOf(layerTrace([open(0, 0), write(0, 100, 0, own), write(0, 200, 500, own)]));
    expect(transfersOf(apart).map(({ position, offset }) => [position, offset])).toEqual([
      ['explicit', 0],
      ['explicit', 500],
    ]);
  });

  test('some of the processes open a file: the communicator names them', () => {
    const other = { file: 1 };
    const rows = [open(0, 0), open(1, 0), open(2, 0, other), write(0, 100, 0), write(1, 100, 100)];
    const replay = replayOf(layerTrace(rows, { ranks: 3 }));
    expect(operationsOf(replay).map(([first]) => first)).toMatchObject([
      { communicator: [0, 1] },
      { communicator: [0, 1] },
      { communicator: 'self' },
    ]);
  });
});

describe('--layer chooses whose calls are replayed', () => {
  test.each([
    ['requests', 'pwrite', 720 * 1024],
    ['POSIX', 'pwrite', 720 * 1024],
    ['MPI-IO', 'mpi_write', 720 * 1024],
  ] as const)('%s: %s', async (layer, operation, bytes) => {
    const found = operationsOf(replayOf(await readArchive(archive('btio-simple')), layer)).flat();
    const moved = found.flatMap((one) =>
      one.operation === 'pwrite' || one.operation === 'write'
        ? [Number(one.bytes)]
        : isTransfer(one)
          ? [Number(one.count)]
          : [],
    );
    expect(moved.reduce((sum, each) => sum + each, 0)).toBe(bytes);
    expect(found.some((one) => one.operation === operation)).toBe(true);
    expect(found.some((one) => one.operation.startsWith('mpi_'))).toBe(layer === 'MPI-IO');
  });

  test('a layer that is not recorded is named', async () => {
    const trace = await readArchive(archive('btio-simple'));
    expect(() => replayOf(trace, 'STDIO')).toThrow(
      'the recording holds no calls on files that could be replayed (STDIO)',
    );
  });

  test('fio gets plain requests of the same bytes', async () => {
    const replay = replayOf(await readArchive(archive('btio-simple')), 'MPI-IO', true);
    expect(
      operationsOf(replay)
        .flat()
        .some((one) => one.operation.startsWith('mpi_')),
    ).toBe(false);
    const { files } = writeFio(replay, path.join(freshFolder('mpi-fio'), 'fio'), 0);
    expect(files.map(({ name }) => name)).toContain('replay.fio');
  });

  test('without a compiler for MPI it is said what to do', () => {
    const output = path.join(freshFolder('no-mpi'), 'replay');
    const cli = path.join(root, 'dist/cli.js');
    const recording = path.join(archive('btio-simple'), 'traces.otf2');
    const options = ['replay', recording, '--layer', 'MPI-IO', '--format', 'run', '-o', output];
    const { status, stderr } = spawnSync(process.execPath, [cli, ...options], {
      encoding: 'utf8',
      env: { PATH: '/nowhere' },
    });
    expect(stderr).toMatch(/there is no mpicc: install an MPI .*--layer requests/);
    expect(status).not.toBe(0);
  });
});

if (!hasMpi) console.warn('no mpicc and mpirun: recorded MPI-IO is not run'); // oxlint-disable-line no-console

describe.skipIf(!hasMpi)('run by mpirun', { timeout: 120_000 }, () => {
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

  test.each(['btio-simple', 'heat-each', 'btio-full', 'heat-once'])(
    '%s with 4 ranks: bytes, calls and size of the file are the recorded ones',
    async (name) => {
      const trace = await readArchive(archive(name));
      const folder = path.join(freshFolder(`mpi-${name}`), 'replay');
      const report = await runReplay(replayOf(trace), { folder, resources, backends: ['WriteBandwidth'] });
      const recorded = recordedTransfers(trace)
        .flat()
        .map((text) => text.split(' ').map(Number) as [number, number]);
      expect(report.size).toBe(4);
      expect(report.backends[0]!.values).toMatchObject({
        bytes: recorded.reduce((sum, [, bytes]) => sum + bytes, 0),
        calls: recorded.length,
      });
      const file = name.startsWith('btio') ? 'btio.dat' : 'heat.dat';
      const { size } = statSync(path.join(folder, 'run/files/scratch/run', file));
      expect(size).toBe(Math.max(...recorded.map(([offset, bytes]) => offset + bytes)));
    },
  );
});
