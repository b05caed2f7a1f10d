import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { frame, line, StraceText } from '../../../test/support/strace-text.ts';
import { randomNumbers } from '../../../test/support/random-numbers.ts';
import type { InfoDocument } from '../../export/analysis/documents.ts';
import { plainRequest } from '../reading/open-request.ts';
import { localSession, type Session } from '../../features/answers/all-answers.ts';

let folder = '';
let session: Session;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-live-'));
  session = localSession({ folder });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(folder, name);
const request = (...names: string[]) => ({
  ...plainRequest(...names.map(at)),
  cacheBytes: 0,
  workspaceFolders: [folder],
});

/** A program that writes in small pieces. */
function smallWrites(calls: number): string {
  const text = new StraceText();
  text.call(7, 'openat(AT_FDCWD, "/w/a", O_WRONLY) = 3</w/a>', 20, [line(3)]);
  text.times(calls, (i) =>
    text.call(7, `write(3</w/a>, "x"..., ${i % 100}) = ${i % 100}`, 5, [frame('libc.so.6', 'write'), line(9)]),
  );
  return text.toString();
}

/** Everything that an analysis of a recording says, but for how it is named. */
async function analysisOf(id: number): Promise<unknown> {
  const analysis = await session.findings.analysis([id]);
  return { analysis, sites: await session.lines.sites(id, 'line'), files: await session.files.list(id, 'time', 100) };
}

async function infoOf(id: number): Promise<InfoDocument> {
  return (await session.findings.analysis([id])).recordings[0]!;
}

async function freshly(...names: string[]): Promise<unknown> {
  return analysisOf((await session.recordings.open(request(...names))).id);
}

describe('a recording that is followed', () => {
  test('shows what was appended, and at its end says what opening it anew says', async () => {
    const text = smallWrites(600);
    const random = randomNumbers(3);
    writeFileSync(at('a.strace'), text.slice(0, 2000));
    const { id, info } = await session.live.follow(request('a.strace'), undefined);
    const counts = [info.events];
    const findings: number[] = [];
    for (let from = 2000; from < text.length;) {
      const to = Math.min(text.length, from + 1 + random(9000));
      appendFileSync(at('a.strace'), text.slice(from, to));
      from = to;
      const { changed, anew, problem } = await session.live.step(id);
      expect([anew, problem]).toEqual([false, '']);
      if (!changed) continue;
      const info = await infoOf(id);
      expect(info.damage).toEqual([]);
      counts.push(info.events);
      findings.push(
        (await session.findings.analysis([id])).insights.filter(({ trigger }) => trigger === 'posix-small-writes')
          .length,
      );
    }
    expect(counts.length).toBeGreaterThan(5);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(findings.at(-1)).toBe(1);
    expect(await session.live.step(id)).toEqual({ changed: false, anew: false, problem: '' });
    const { info: ended } = await session.live.stop(id);
    expect(ended.events).toBe(601);
    expect(await analysisOf(id)).toEqual(await freshly('a.strace'));
    await expect(session.live.step(id)).rejects.toThrow('no longer followed');
    await session.recordings.close(id);
  });

  test('keeps a call that has not returned for no damage before the end', async () => {
    const call = '7 1795252180.000001 read(3</w/a>, "x", 1) = 1 <0.000010>\n';
    writeFileSync(at('a.strace'), `${call}7 1795252180.100000 wait4(-1,  <unfinished ...>\n8 1795252180.2`);
    const { id, info } = await session.live.follow(request('a.strace'), undefined);
    expect([info.events, info.damage.length]).toEqual([2, 0]);
    const stopped = await session.live.stop(id);
    expect(stopped.info.damage.map(({ what }) => what)).toEqual([
      'the file ends inside this line',
      'wait4 of process 7 begins and never returns: the file ends before it returns',
    ]);
    expect(await analysisOf(id)).toEqual(await freshly('a.strace'));
  });

  test('in a folder finds the files of new processes; at the end each process has what it inherits', async () => {
    const times = (from: number, to: number, fd: string): string =>
      Array.from(
        { length: to - from },
        (_, i) => `1795252180.0${from + i} write(3<${fd}>, "x", 1) = 1 <0.000001>\n`,
      ).join('');
    writeFileSync(
      at('run.7'),
      `1795252180.001 openat(AT_FDCWD, "/w/a", O_WRONLY) = 3</w/a> <0.000001>\n${times(10, 20, '/w/a')}`,
    );
    const { id } = await session.live.follow(request('.'), undefined);
    writeFileSync(at('run.8'), times(30, 40, '/w/a'));
    await session.live.step(id);
    const first = await infoOf(id);
    expect(first.streams).toBe(2);
    appendFileSync(
      at('run.7'),
      `1795252180.029 clone(child_stack=NULL, flags=SIGCHLD) = 8 <0.000001>\n${times(41, 50, '/w/a')}`,
    );
    appendFileSync(at('run.8'), times(50, 60, '/w/a'));
    await session.live.step(id);
    expect((await infoOf(id)).events).toBeGreaterThan(first.events + 15);
    await session.live.stop(id);
    expect(await analysisOf(id)).toEqual(await freshly('.'));
  });

  const writeBeside = (file: string, text: string): void => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  };
  test.each([
    ['written again', writeFileSync],
    ['replaced by another file', writeBeside],
  ])('is read anew when it is %s', async (_, change) => {
    writeFileSync(at('a.strace'), smallWrites(300));
    const { id } = await session.live.follow(request('a.strace'), undefined);
    const other = smallWrites(50).replaceAll('/w/a', '/w/other');
    change(at('a.strace'), other);
    expect((await session.live.step(id)).anew).toBe(true);
    expect((await infoOf(id)).events).toBe(50);
    await session.live.stop(id);
    expect(await analysisOf(id)).toEqual(await freshly('a.strace'));
  });

  test('is read anew when it was written again and is longer already', async () => {
    writeFileSync(at('a.strace'), smallWrites(30));
    const { id } = await session.live.follow(request('a.strace'), undefined);
    writeFileSync(at('a.strace'), smallWrites(300).replaceAll('1795252180', '1795259999'));
    expect((await session.live.step(id)).anew).toBe(true);
    expect((await infoOf(id)).events).toBe(300);
  });

  test('waits while a file that was truncated is empty, and says so', async () => {
    writeFileSync(at('a.strace'), smallWrites(30));
    const { id } = await session.live.follow(request('a.strace'), undefined);
    truncateSync(at('a.strace'));
    const { changed, problem } = await session.live.step(id);
    expect(changed).toBe(false);
    expect(problem).toContain('the file is empty');
    expect((await infoOf(id)).events).toBe(30);
    writeFileSync(at('a.strace'), smallWrites(80));
    await session.live.step(id);
    expect((await infoOf(id)).events).toBe(80);
  });

  test('that disappears keeps what was read, and says so', async () => {
    const text = smallWrites(300);
    writeFileSync(at('a.strace'), text);
    const { id } = await session.live.follow(request('a.strace'), undefined);
    unlinkSync(at('a.strace'));
    expect((await session.live.step(id)).problem).toContain('the file is gone; what was read of it is kept');
    const { info } = await session.live.stop(id);
    expect(info.events).toBe(301);
    expect(info.notes.join()).toContain('what was read of it before is kept');
    expect((await session.findings.analysis([id])).insights.map(({ trigger }) => trigger)).toContain(
      'posix-small-writes',
    );
    await session.recordings.close(id);
  });

  test('that has no call yet is refused; nothing stays open', async () => {
    writeFileSync(at('a.strace'), '');
    await expect(session.live.follow(request('a.strace'), undefined)).rejects.toThrow('the file is empty');
    writeFileSync(at('a.strace'), '7 1795252180.1 read(3</w/a>, "x", 1) = 1 <0.0');
    await expect(session.live.follow(request('a.strace'), undefined)).rejects.toThrow('no call is complete yet');
    await expect(session.live.follow({ ...plainRequest('-') }, undefined)).rejects.toThrow(
      'standard input cannot be followed',
    );
  });

  test('takes the place of an open recording, whose number stays', async () => {
    writeFileSync(at('a.strace'), smallWrites(300));
    const { id } = await session.recordings.open(request('a.strace'));
    expect((await session.live.follow(request('a.strace'), id)).id).toBe(id);
    appendFileSync(at('a.strace'), smallWrites(300));
    expect((await session.live.step(id)).changed).toBe(true);
    expect((await infoOf(id)).events).toBeGreaterThan(301);
  });

  test('can be closed while it is read', async () => {
    writeFileSync(at('a.strace'), smallWrites(3000));
    const { id } = await session.live.follow(request('a.strace'), undefined);
    appendFileSync(at('a.strace'), smallWrites(3000));
    const stepping = session.live.step(id);
    await new Promise(setImmediate);
    await session.recordings.close(id);
    expect((await stepping).changed).toBe(false);
    await expect(session.live.step(id)).rejects.toThrow('no longer followed');
  });

  test('packed is read anew when it stands still again', async () => {
    writeFileSync(at('a.strace.gz'), gzipSync(smallWrites(30)));
    const { id } = await session.live.follow(request('a.strace.gz'), undefined);
    const packed = gzipSync(smallWrites(80));
    writeFileSync(at('a.strace.gz'), packed.subarray(0, 100));
    expect((await session.live.step(id)).changed).toBe(false);
    writeFileSync(at('a.strace.gz'), packed);
    expect((await session.live.step(id)).changed).toBe(false);
    expect((await session.live.step(id)).anew).toBe(true);
    expect((await infoOf(id)).events).toBe(81);
    expect((await session.live.step(id)).changed).toBe(false);
    expect((await session.live.stop(id)).info.events).toBe(81);
    expect(readFileSync(at('a.strace.gz'))).toEqual(packed);
  });
});
