import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { advised, type Advice } from '../../src/replay/advice/advice.ts';
import { readDios } from '../../src/replay/dios/read-dios.ts';
import { writeDios } from '../../src/replay/dios/write-dios.ts';
import { programOfReplay } from '../../src/replay/from-recording/program-of-replay.ts';
import type { RecordedReplay } from '../../src/replay/from-recording/recorded-replay.ts';
import { fileKey, fillContent } from '../../src/replay/run/content.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { compareReplays, runReplay, writeFio } from '../../src/session/replay/recorded-replays.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { freshFolder, has } from '../support/programs.ts';
import { expanded } from '../support/replay/expanded.ts';
import { asRecorded } from '../support/replay/simulated.ts';

const root = path.resolve(import.meta.dirname, '../..');
const resources = { folder: path.join(root, 'dist') };
const PYTHON = '/usr/bin/python3';
const canRecord = has('strace', PYTHON) && spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

async function replayOf(recording: string): Promise<RecordedReplay> {
  const session = localSession(resources);
  const { id } = await session.recordings.open({ ...plainRequest(recording), cacheBytes: 0, maySpawn: false });
  return session.replay.recorded(id, 'requests', 0, false);
}

/** Files below a folder, by their paths in it. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** What the recorded calls leave in the files, byte by byte: as the interpreter writes it for who wrote it last. */
function expectedContents(replay: RecordedReplay): Map<string, Buffer> {
  const contents = new Map<string, Buffer>();
  const renamed = new Map<string, string>();
  for (const { steps } of replay.tasks)
    for (const { operation } of steps) if (operation.operation === 'rename') renamed.set(operation.to, operation.path);
  for (const [file, writers] of asRecorded(replay).files) {
    const bytes = Buffer.alloc(writers.length);
    const key = fileKey(renamed.get(file) ?? file);
    writers.forEach((writer, offset) => {
      const one = new Uint8Array(1);
      fillContent(one, 1, key, writer === 'input' ? replay.tasks.length : Number(writer.split(':')[0]), offset);
      bytes[offset] = one[0]!;
    });
    contents.set(file, bytes);
  }
  return contents;
}

describe.skipIf(!canRecord)(canRecord ? 'a recorded chain of five processes' : 'no strace, or no Python', () => {
  const folder = freshFolder('replay');
  const work = path.join(folder, 'work');
  const recording = path.join(folder, 'chain.strace');
  let replay: RecordedReplay;

  beforeAll(async () => {
    mkdirSync(work);
    const program = path.join(root, 'test/programs/replay-chain.py');
    execFileSync('strace', ['-f', '-y', '-ttt', '-T', '-o', recording, PYTHON, program], { cwd: work });
    replay = await replayOf(recording);
  });

  test('its tasks depend on each other along the chain', () => {
    // Which task a process became depends on who was seen first; the file that it makes says its place in the chain.
    const writers: number[] = [];
    replay.tasks.forEach(({ steps }, rank) => {
      for (const { operation } of steps) {
        const made = operation.operation === 'open' && (operation.mode & 3) === 1 ? operation.path : '';
        const stage = /stage\.(\d+)$/.exec(made);
        if (stage !== null) writers[Number(stage[1])] = rank;
      }
    });
    expect(writers).toHaveLength(5);
    for (const [i, rank] of writers.entries()) {
      const operations = replay.tasks[rank]!.steps.map(({ operation }) => operation);
      const waits = operations.findIndex((operation) => operation.operation === 'recv_sync');
      if (i === 0) continue;
      expect(operations[waits]).toEqual({ operation: 'recv_sync', peer: writers[i - 1] });
      expect(operations.findIndex((operation) => operation.operation === 'read')).toBeGreaterThan(waits);
    }
    expect(replay.synchronisations.kept).toBeLessThan(replay.synchronisations.found / 5);
  });

  const ADVICE: readonly Advice[] = [{}, { coalesce: 1 << 20 }, { align: 4096, openOnce: true }];
  test.each(ADVICE)('is replayed with the same contents, whoever overwrote whom: %j', async (advice) => {
    const output = freshFolder('replay-run');
    const report = await runReplay(advised(replay, advice), { folder: output, resources, checkContent: true });
    expect(report.failures).toBe(0);
    expect(report.content).toMatchObject({ wrong: 0, unwritten: 0 });
    const run = path.join(output, 'run');
    const expected = expectedContents(replay);
    expect(filesIn(run)).toEqual([...expected.keys()].sort());
    for (const [file, bytes] of expected) expect(readFileSync(path.join(run, file)).equals(bytes)).toBe(true);
    const place = path.join(run, 'files', work);
    for (const file of filesIn(work))
      expect(statSync(path.join(place, file)).size).toBe(statSync(path.join(work, file)).size);
  });

  test('is the same program as DIOS XML, and short by its loops', () => {
    const program = programOfReplay(replay);
    const xml = writeDios(program);
    const size = replay.tasks.length;
    expect(expanded(readDios(xml), size)).toEqual(expanded(program, size));
    expect(expanded(program, size)).toEqual(replay.tasks.map(({ steps }) => steps.map(({ operation }) => operation)));
    const operations = replay.tasks.reduce((sum, { steps }) => sum + steps.length, 0);
    expect(xml.split('\n').length).toBeLessThan(operations / 2);
  });

  test('is compared with itself as advised', async () => {
    const output = freshFolder('replay-compared');
    const compared = await compareReplays(replay, { coalesce: 1 << 20 }, { folder: output, resources, repetitions: 2 });
    expect([compared.recorded.length, compared.advised.length]).toEqual([2, 2]);
    expect(compared.advised[0]!.operations).toBeLessThan(compared.recorded[0]!.operations / 3);
    expect(filesIn(output)).toEqual(['.iolens-replay']);
  });

  const canFio = has('fio');
  test.skipIf(!canFio)(canFio ? 'is replayed by fio: the same bytes in the same order' : 'no fio', () => {
    const output = freshFolder('replay-fio');
    const written = writeFio(replay, output, 0.1);
    expect(written.notes).toContain('fio cannot repeat 1 × rename');
    execFileSync('sh', [path.join(output, 'prepare.sh')]);
    const traced = path.join(output, 'fio.strace');
    // Each process in a file of its own: strace cuts calls of several in two.
    const calls = ['-ff', '-y', '-e', 'trace=pread64,pwrite64,fsync,fdatasync', '-o', traced];
    execFileSync('strace', [...calls, 'fio', path.join(output, 'replay.fio'), '--output=report'], { cwd: output });
    const done = readdirSync(output)
      .filter((name) => name.startsWith('fio.strace.'))
      .map((name) => requestsIn(readFileSync(path.join(output, name), 'latin1')))
      .filter((requests) => requests !== '');
    expect(done.sort()).toEqual(requestsOf(replay).sort());
    const data = path.join(output, 'data/files', work);
    expect(statSync(path.join(data, 'shared')).size).toBe(statSync(path.join(work, 'shared')).size);
    expect(statSync(path.join(data, 'stage.004')).size).toBe(50 * 640);
  });

  test('only goes where it may', () => {
    const full = freshFolder('replay-full');
    writeFileSync(path.join(full, 'precious'), 'x');
    const cli = (...options: string[]): { status: number | null; stderr: string } =>
      spawnSync(process.execPath, [path.join(root, 'dist/cli.js'), 'replay', recording, '--no-cache', ...options], {
        encoding: 'utf8',
        cwd: folder,
      });
    expect(cli('--format', 'run', '-o', full)).toMatchObject({ status: 3 });
    expect(cli('--format', 'run', '-o', full).stderr).toContain('is not empty, and no replay was written to it before');
    expect(readdirSync(full)).toEqual(['precious']);
    const again = path.join(folder, 'again');
    expect(cli('--format', 'dios', '-o', again).status).toBe(0);
    expect(cli('--format', 'fio', '-o', again).status).toBe(0);
    expect(readdirSync(again)).not.toContain('replay.xml');
    expect(cli('--format', 'fio', '-o', path.join(folder, 'a b')).stderr).toContain('fio takes no blanks');
    expect(cli('--format', 'run', '-o', again, '--compare')).toMatchObject({ status: 2 });
    writeFileSync(path.join(again, '.iolens-replay'), '{"files": ["../work/shared"]}');
    expect(cli('--format', 'dios', '-o', again).stderr).toContain('is damaged');
    expect(readdirSync(work)).toContain('shared');
  });
});

/** The requests of each task that has some, as strace shows fio's. */
function requestsOf(replay: RecordedReplay): string[] {
  const lists = replay.tasks.map(({ steps }) => {
    const paths = new Map<number, string>();
    return steps.flatMap(({ operation, place }) => {
      if (operation.operation === 'open') paths.set(operation.slot, operation.path);
      if (operation.operation === 'sync') return [`fsync ${paths.get(operation.slot)!}`];
      if (!('bytes' in operation) || !('slot' in operation) || operation.bytes === 0) return [];
      const name = operation.operation.endsWith('read') ? 'read' : 'write';
      return [`${name} ${paths.get(operation.slot)!} ${place} ${operation.bytes}`];
    });
  });
  return lists.filter((list) => list.length > 0).map((list) => list.join('\n'));
}

/** Requests on the files of a replay that strace shows. */
function requestsIn(text: string): string {
  const call = /^p?(read|write|f(?:data)?sync)(?:64)?\(\d+<[^>]*\/data\/(.*?)>(?:, .*, (\d+), (\d+))?\) += \d+$/gm;
  return [...text.matchAll(call)]
    .map(([, name, file, bytes, offset]) => `${name} ${file}${bytes === undefined ? '' : ` ${offset} ${bytes}`}`)
    .join('\n');
}
