import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { roleShares } from '../../src/analysis/layers/shares.ts';
import { readCapture } from '../../src/readers/capture/capture-reader.ts';
import type { Message } from '../../src/trace/messages.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { memoryFile } from '../support/memory-file.ts';
import { freshFolder, has, run } from '../support/programs.ts';
import { sharedRecorder } from '../support/recorder/recorder-runs.ts';
import { expectSound } from '../support/sound-trace.ts';

/** Messages and collective operations under the MPI libraries that are here, from C and from all of Fortran's interfaces. */
const LIBRARIES = ['openmpi', 'mpich'] as const;
type Library = (typeof LIBRARIES)[number];
const sources = path.resolve(import.meta.dirname, '../programs/mpi-io');
const folder = freshFolder('recorder-messages');
let preloaded = '';

const here = LIBRARIES.filter(
  (library) => process.platform === 'linux' && has(`mpicc.${library}`, `mpif90.${library}`, `mpirun.${library}`),
);
if (here.length < LIBRARIES.length)
  console.warn(`messages are recorded with: ${here.join(', ') || 'none, there is no MPI'}`); // oxlint-disable-line no-console

let runs = 0;

async function record(library: Library, ranks: number, source: string, ...options: string[]): Promise<Trace> {
  const name = `${path.parse(source).name}-${library}-${runs++}`;
  const recording = path.join(folder, `${name}.iolens`);
  const compiler = source.endsWith('.c') ? `mpicc.${library}` : `mpif90.${library}`;
  run(folder, compiler, '-g', '-O1', '-w', ...options, '-o', name, path.join(sources, source));
  const launcher = library === 'openmpi' ? ['--allow-run-as-root', '--oversubscribe'] : [];
  const recorder = ['env', `LD_PRELOAD=${preloaded}`, `IOLENS_RECORDING=${recording}`];
  const command = [...launcher, '-n', String(ranks), ...recorder, path.join(folder, name)];
  const { status, stderr } = spawnSync(`mpirun.${library}`, command, { encoding: 'utf8', timeout: 60_000 });
  expect([status, stderr]).toEqual([0, '']);
  const trace = await readCapture(
    readdirSync(recording).map((file) => memoryFile(file, new Uint8Array(readFileSync(path.join(recording, file))))),
  );
  expectSound(trace);
  return trace;
}

/** The messages of a rank, in a line each: bytes that are not known are `?`. */
function messagesOf({ messages, streams, definitions }: Trace, rank: number): string[] {
  const rankOf = (stream: number): string => (stream < 0 ? '' : String(streams[stream]!.rank));
  const bytes = (count: number): string => (Number.isNaN(count) ? '?' : String(count));
  const line = ({ kind, operation, end, peer, tag, communicator, sentBytes, receivedBytes }: Message): string => {
    const { name, isSelf } = definitions!.communicators[communicator]!;
    const where = isSelf ? ' self' : name === 'MPI_COMM_WORLD' ? '' : ' other';
    if (Number.isNaN(end)) return `never from ${rankOf(peer)} tag ${tag}`;
    if (kind === 'send') return `to ${rankOf(peer)} tag ${tag}: ${bytes(sentBytes)}${where}`;
    if (kind === 'receive') return `from ${rankOf(peer)} tag ${tag}: ${bytes(receivedBytes)}${where}`;
    return `${operation}${peer < 0 ? '' : ` of ${rankOf(peer)}`}: ${bytes(sentBytes)}, ${bytes(receivedBytes)}${where}`;
  };
  return Array.from({ length: messages!.length }, (_, row) => messages!.at(row))
    .filter(({ stream }) => streams[stream]!.rank === rank)
    .map(line);
}

const ALL = (rank: number, of: { gather: string; scatter: string; reduce: string; gatherv: string }): string[] => [
  'barrier: 0, 0',
  `broadcast of 2: ${rank === 2 ? '16, 0' : '0, 16'}`,
  `gather of 1: ${of.gather}`,
  `scatter of 0: ${of.scatter}`,
  'allgather: 20, 60',
  'alltoall: 72, 72',
  `reduce of 0: ${of.reduce}`,
  'allreduce: 36, 36',
  `broadcast of 0: ${rank === 0 ? '44, 0' : '0, 44'}`,
  `gatherv of 2: ${of.gatherv}`,
  'create handle: 0, 0',
];

const EXPECTED: readonly (readonly string[])[] = [
  [
    'to 1 tag 5: 40',
    ...['to 1 tag 6: 12', 'from 2 tag 6: 12', 'from 2 tag 8: 28', 'to 1 tag 8: 28'],
    ...['from 2 tag 10: 8', 'to 1 tag 10: 8', 'never from 0 tag 11'],
    ...ALL(0, { gather: '8, 0', scatter: '36, 12', reduce: '32, 32', gatherv: '4, 0' }),
    ...['from 2 tag 3: 48 other', 'broadcast: 4, 0 self', 'broadcast: 0, ? other'],
  ],
  [
    'from 0 tag 5: 40',
    ...['to 2 tag 6: 12', 'from 0 tag 6: 12', 'from 0 tag 8: 28', 'to 2 tag 8: 28'],
    ...['from 0 tag 10: 8', 'to 2 tag 10: 8', 'never from 1 tag 11'],
    ...ALL(1, { gather: '8, 24', scatter: '0, 12', reduce: '32, 0', gatherv: '4, 0' }),
    ...['broadcast: 4, 0 self', 'broadcast: 0, ? other', 'to  tag 3: 52 other'],
  ],
  [
    ...['to 0 tag 6: 12', 'from 1 tag 6: 12', 'from 1 tag 8: 28', 'to 0 tag 8: 28'],
    ...['from 1 tag 10: 8', 'to 0 tag 10: 8', 'never from 2 tag 11'],
    ...ALL(2, { gather: '8, 0', scatter: '0, 12', reduce: '32, 0', gatherv: '?, ?' }),
    ...['to 0 tag 3: 48 other', 'broadcast: 4, 0 self', 'broadcast: 0, ? other', 'from  tag 3: 52 other'],
  ],
];

/** What rank 0 of two does by each of Fortran's interfaces; the second receives what the first sends. */
const OF_FORTRAN = (bytes: string): readonly string[] => [
  ...['to 1 tag 5: 40', `from 1 tag 8: ${bytes}`, 'to 1 tag 8: 16', 'barrier: 0, 0', 'allreduce: 40, 40'],
  'gather of 0: 4, 8',
];

beforeAll(async () => {
  if (here.length > 0) preloaded = await sharedRecorder();
}, 120_000);

describe.each(here)('messages of %s', (library) => {
  test('are recorded with both ends, bytes and communicators; no argument that does not count is looked at', async () => {
    const trace = await record(library, 3, 'messages.c');
    EXPECTED.forEach((lines, rank) => expect(messagesOf(trace, rank), `rank ${rank}`).toEqual(lines));
    const { messages, functions } = trace;
    for (let row = 0; row < messages!.length; row++) {
      const { start, end } = messages!.at(row);
      expect(end >= start || Number.isNaN(end)).toBe(true);
    }
    const names = functions!.functions.map(({ name, role }) => `${name} ${role}`);
    expect(names).toEqual(expect.arrayContaining(['MPI_Init synchronisation', 'MPI_Waitall synchronisation']));
    // Nothing of them is a call on a file.
    expect(trace.calls.names.filter((name) => name.startsWith('MPI_'))).toEqual([]);
  });

  test.each(['mpi', 'mpi_f08'])('are those of Fortran by %s, too', async (module) => {
    const trace = await record(library, 2, 'messages.F90', ...(module === 'mpi' ? [] : ['-DF08']));
    // Where the statuses are ignored only some libraries tell how long a message was.
    const [first, second] = [messagesOf(trace, 0), messagesOf(trace, 1)];
    expect(first).toEqual(OF_FORTRAN(first[1]!.endsWith('?') ? '?' : '16'));
    expect(second[0]).toBe('from 0 tag 5: 40');
    expect(second).toHaveLength(first.length);
  });

  test('who waits, and for how long, is told from computing and from I/O', async () => {
    const trace = await record(library, 2, 'waits.c');
    const shares = roleShares(trace)!;
    const [first, second] = [0, 1].map((rank) =>
      shares.streams.find(({ stream }) => trace.streams[stream]!.rank === rank),
    );
    // The first computes for 200 ms and writes; the second waits for it.
    expect(first!.times.computation).toBeGreaterThan(150e6);
    expect(first!.times['I/O']).toBeGreaterThan(0);
    // MPI reads a few files of its own.
    expect(second!.times['I/O']).toBeLessThan(20e6);
    const waited = second!.times.communication + second!.times.synchronisation;
    expect(waited).toBeGreaterThan(150e6);
    for (const { times } of [first!, second!]) {
      const all = Object.values(times).reduce((sum, time) => sum + time, 0);
      expect(all).toBeLessThanOrEqual(trace.durationNs * 1.001);
    }
  });
});
