import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GrowingCapture } from '../../src/readers/capture/growing-capture.ts';
import { readCapture } from '../../src/readers/capture/capture-reader.ts';
import type { AnalysisDocument } from '../../src/export/analysis/documents.ts';
import { plainRequest, type OpenRequest } from '../../src/session/reading/open-request.ts';
import { LocalRecordingFile } from '../../src/session/reading/recording-files.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { NONE } from '../../src/trace/events.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { GrowingBytes } from '../support/growing-bytes.ts';
import { freshFolder, has, run } from '../support/programs.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { canRecord, sharedRecorder, recordedRun } from '../support/recorder/recorder-runs.ts';
import { expectSound } from '../support/sound-trace.ts';

/**
 * A parent and two children that write on one descriptor and files of their own, the children with a thread each, and a
 * program that is executed; all wait for a file in between. Chunks of 64 KiB come by themselves.
 */
const PROGRAM = `#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int records(int fd, int count)
{
    char record[24] = {0};
    for (int i = 0; i < count; i++)
        if (write(fd, record, sizeof record) < 0)
            return 1;
    return 0;
}

static void *beside(void *name)
{
    for (int i = 0; i < 900; i++) {
        int fd = open(name, O_CREAT | O_APPEND | O_WRONLY, 0644);
        records(fd, 9);
        close(fd);
    }
    return 0;
}

static int child(int shared, const char *name)
{
    pthread_t thread;
    char file[40];
    snprintf(file, sizeof file, "%s.thread", name);
    int own = open(name, O_CREAT | O_TRUNC | O_RDWR, 0644);
    pthread_create(&thread, 0, beside, file);
    int failed = records(shared, 6000) || records(own, 9000);
    while (access("go-on", F_OK) != 0)
        usleep(10000);
    pthread_join(thread, 0);
    execl("/bin/cat", "cat", name, (char *)0);
    return failed;
}

int main(void)
{
    int fd = open("out.dat", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd < 0 || records(fd, 2000))
        return 1;
    for (int i = 0; i < 2; i++)
        if (fork() == 0)
            _exit(child(fd, i == 0 ? "one" : "two"));
    while (access("go-on", F_OK) != 0)
        usleep(10000);
    FILE *log = fopen("log", "a");
    for (int i = 0; i < 3000; i++)
        fprintf(log, "step %d\\n", i);
    fclose(log);
    while (wait(0) > 0)
        ;
    return records(fd, 2000);
}
`;
const WRITE_LINE = 11;

const folder = freshFolder('follow-recorder');
let library = '';
const session = localSession({ folder: path.resolve(import.meta.dirname, '../../native/wasm/addr2line') });

beforeAll(async () => {
  if (!canRecord) return;
  library = await sharedRecorder();
  writeFileSync(path.join(folder, 'family.c'), PROGRAM);
  run(folder, 'cc', '-g', '-O1', '-pthread', '-o', 'family', 'family.c');
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const requestOf = (recording: string): OpenRequest => ({
  ...plainRequest(recording),
  workspaceFolders: [folder],
  cacheBytes: 0,
  maySpawn: false,
});

/** Everything that an analysis of a recording says. */
async function analysisOf(id: number): Promise<unknown> {
  const analysis = await session.findings.analysis([id]);
  return { analysis, sites: await session.lines.sites(id, 'line'), files: await session.files.list(id, 'time', 100) };
}

async function freshly(recording: string): Promise<unknown> {
  return analysisOf((await session.recordings.open(requestOf(recording))).id);
}

const linesOf = ({ insights }: AnalysisDocument): string[] =>
  insights.flatMap(({ trigger, sites }) => sites.map(({ file, line }) => `${trigger} ${path.basename(file)}:${line}`));

/**
 * What each row says by itself, in no order. Left out is what is known only when all is read: offsets of what is appended
 * and of what processes move together, and of the links those that cross the pieces.
 */
function rowsOf({ events, calls, files, streams, errors, stacks }: Trace): string[] {
  const value = (column: Parameters<typeof events.value>[0], row: number): number => events.value(column, row);
  const words = (row: number): unknown[] => {
    const { pid, processId } = streams[value('stream', row)]!;
    const file = value('file', row);
    return [
      ...[pid, processId, calls.names[value('call', row)], errors.at(value('error', row))],
      ...(['start', 'duration', 'bytes', 'requested', 'flags', 'layer'] as const).map((column) => value(column, row)),
      file === NONE ? '' : files.at(file).path,
      JSON.stringify(stacks.framesOf(value('stack', row)).map((frame) => stacks.frame(frame))),
    ];
  };
  return Array.from({ length: events.length }, (_, row) => words(row).join(' ')).sort();
}

async function until<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe.runIf(canRecord)('a recording of the library', () => {
  /** The files of a recording that is complete. */
  let whole: { name: string; bytes: Buffer }[] = [];
  /** Read at once. */
  let wanted: string[] = [];
  let durationNs = 0;
  beforeAll(async () => {
    const place = path.join(folder, 'run');
    mkdirSync(place);
    // Nobody waits.
    const command = ['sh', '-c', `touch go-on; exec ${path.join(folder, 'family')}`];
    const { recording } = recordedRun(library, place, command, { depth: 20 });
    whole = readdirSync(recording)
      .map((name) => ({ name, bytes: readFileSync(path.join(recording, name)) }))
      .sort((a, b) => b.bytes.length - a.bytes.length);
    // The shell, the family, its children, and what they execute.
    expect(whole.length).toBeGreaterThanOrEqual(5);
    const complete = await readCapture(whole.map(({ name }) => new LocalRecordingFile(path.join(recording, name))));
    wanted = rowsOf(complete);
    ({ durationNs } = complete);
  });

  test.each([1, 2, 3, 4])('has the same rows when it is read in pieces (%i)', async (seed) => {
    const random = randomNumbers(seed);
    const reader = new GrowingCapture();
    const growing = whole.map(({ name, bytes }) => ({ file: new GrowingBytes(name, bytes), bytes, there: 0 }));
    // Some are there from the beginning, though empty; the others appear.
    const hidden = growing.slice(2);
    reader.add(growing.slice(0, 2).map(({ file }) => file));
    while (growing.some(({ there, bytes }) => there < bytes.length)) {
      if (hidden.length > 0 && random(3) === 0) reader.add([hidden.shift()!.file]);
      for (const each of growing) {
        if (hidden.includes(each) || random(2) === 0) continue;
        each.there = Math.min(each.bytes.length, each.there + random(each.bytes.length / 4 + 100));
        each.file.grow(each.there);
      }
      await reader.read();
      if (reader.understood > 0) expect(reader.snapshot().damage).toEqual([]);
    }
    for (let look = 0; look < 5; look++) await reader.read();
    const now = reader.snapshot();
    expectSound(now);
    expect(now.durationNs).toBe(durationNs);
    expect(rowsOf(now)).toEqual(wanted);
  });

  test('that grows by bytes in its folder says at its end what opening it says', { timeout: 60_000 }, async () => {
    const copy = freshFolder('growing');
    const random = randomNumbers(11);
    const parts = whole.map(({ name, bytes }) => ({ file: path.join(copy, name), bytes, there: 0 }));
    // A file that is there without a byte, one with a torn chunk; the others come later.
    writeFileSync(parts[1]!.file, '');
    // In front of its first calls stands the area that was the process's memory.
    parts[0]!.there = Math.floor((parts[0]!.bytes.length * 3) / 4) + 3;
    writeFileSync(parts[0]!.file, parts[0]!.bytes.subarray(0, parts[0]!.there));
    const { id } = await session.live.follow(requestOf(copy), undefined);
    const counts: number[] = [];
    for (let step = 0; step < 40 && parts.some(({ there, bytes }) => there < bytes.length); step++) {
      for (const [i, part] of parts.entries()) {
        if (i > step) break;
        const to = Math.min(part.bytes.length, part.there + random(part.bytes.length / 5 + 200));
        appendFileSync(part.file, part.bytes.subarray(part.there, to));
        part.there = to;
      }
      const { anew, problem } = await session.live.step(id);
      expect([anew, problem]).toEqual([false, '']);
      const { events, damage } = (await session.findings.analysis([id])).recordings[0]!;
      expect(damage).toEqual([]);
      counts.push(events);
    }
    for (const { file, bytes, there } of parts) appendFileSync(file, bytes.subarray(there));
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(new Set(counts).size).toBeGreaterThan(4);
    await session.live.stop(id);
    expect(await analysisOf(id)).toEqual(await freshly(copy));
    expect(linesOf(await session.findings.analysis([id]))).toContain(`posix-small-writes family.c:${WRITE_LINE}`);
    await session.recordings.close(id);
  });

  test('that ends within a chunk says so when it is followed no more', async () => {
    const copy = freshFolder('torn-growing');
    for (const { name, bytes } of whole) writeFileSync(path.join(copy, name), bytes);
    truncateSync(path.join(copy, whole[1]!.name), whole[1]!.bytes.length - 3);
    const { id, info } = await session.live.follow(requestOf(copy), undefined);
    expect(info.damage).toEqual([]);
    const stopped = await session.live.stop(id);
    expect(stopped.info.damage.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^the file ends within a chunk/),
    ]);
    expect(await analysisOf(id)).toEqual(await freshly(copy));
  });

  test('whose folder is emptied and written again is read anew', async () => {
    const copy = freshFolder('again');
    for (const { name, bytes } of whole) writeFileSync(path.join(copy, name), bytes);
    const { id } = await session.live.follow(requestOf(copy), undefined);
    for (const { name } of whole) rmSync(path.join(copy, name));
    expect((await session.live.step(id)).problem).toContain('the file is gone; what was read of it is kept');
    writeFileSync(path.join(copy, 'other.iorec'), whole[1]!.bytes);
    expect((await session.live.step(id)).anew).toBe(true);
    await session.live.stop(id);
    expect(await analysisOf(id)).toEqual(await freshly(copy));
  });

  test('whose files are gone keeps what was read of them', async () => {
    const copy = freshFolder('gone');
    for (const { name, bytes } of whole) writeFileSync(path.join(copy, name), bytes);
    const { id, info } = await session.live.follow(requestOf(copy), undefined);
    for (const { name } of whole) rmSync(path.join(copy, name));
    const stopped = await session.live.stop(id);
    expect(stopped.info.events).toBeGreaterThanOrEqual(info.events);
    expect(stopped.info.notes.join()).toContain('what was read of it before is kept');
  });
});

const canFollow = canRecord && has('gcc');

describe.skipIf(!canFollow)(canFollow ? 'a program that records itself' : 'there is no C compiler here', () =>
  test('is followed while it runs', { timeout: 60_000 }, async () => {
    const recording = freshFolder('followed');
    const goOn = path.join(folder, 'go-on');
    rmSync(goOn, { force: true });
    const environment = { LD_PRELOAD: library, IOLENS_RECORDING: recording };
    const options = { cwd: folder, env: { ...process.env, ...environment }, stdio: 'ignore' as const };
    const program = spawn(path.join(folder, 'family'), { ...options });
    const ended = new Promise((resolve) => program.on('close', resolve));
    try {
      const { id } = await until(() => session.live.follow(requestOf(recording), undefined).catch(() => undefined));
      const finding = `posix-small-writes family.c:${WRITE_LINE}`;
      const seen = await until(async () => {
        await session.live.step(id);
        const analysis = await session.findings.analysis([id]);
        const isSeen = linesOf(analysis).includes(finding) && analysis.recordings[0]!.streams >= 5;
        return isSeen ? analysis : undefined;
      });
      expect(seen.recordings[0]!.damage).toEqual([]);
      expect([program.exitCode, existsSync(goOn)]).toEqual([null, false]);
      writeFileSync(goOn, '');
      await ended;
      await session.live.step(id);
      await session.live.stop(id);
      expect(await analysisOf(id)).toEqual(await freshly(recording));
      await session.recordings.close(id);
    } finally {
      writeFileSync(goOn, '');
      await ended;
    }
  }),
);
