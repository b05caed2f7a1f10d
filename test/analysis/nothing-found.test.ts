import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnalysisDocument } from '../../src/export/analysis/documents.ts';
import { nothingFound } from '../../src/export/analysis/findings.ts';
import { unmarkedLines } from '../../src/export/analysis/unmarked-documents.ts';
import { UNMARKED_TITLE } from '../../src/drawing/report/findings.ts';
import { analysisMarkdown } from '../../src/export/report/report-markdown.ts';
import { analysisText } from '../../src/export/report/report-text.ts';
import { ReportContent } from '../../src/features/report/report-content.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { absent, corpus } from '../support/corpus.ts';
import { freshFolder } from '../support/programs.ts';
import { line, StraceText } from '../support/strace-text.ts';

/** What reports say where there is no finding: what was looked at, and not that all is well. */
const root = path.resolve(import.meta.dirname, '../..');
const session = localSession({ folder: path.join(root, 'dist') });
let folder = '';
beforeAll(() => {
  folder = freshFolder('nothing');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function analysisOf(recording: string, triggers: readonly string[] = []): Promise<AnalysisDocument> {
  const { id } = await session.recordings.open({ ...plainRequest(recording), cacheBytes: 0, triggers });
  return session.findings.analysis([id]);
}

function written(name: string, text: StraceText | string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text.toString());
  return file;
}

/** A program that does nothing wrong: three large writes from two lines to two files. */
function blameless(): StraceText {
  const write = 'write(3</w/out>, ""..., 1048576) = 1048576';
  return new StraceText()
    .call(7, 'openat(AT_FDCWD, "/w/out", O_WRONLY|O_CREAT, 0600) = 3</w/out>', 10, [line(3)])
    .call(7, write, 900, [line(4)])
    .call(7, write, 900, [line(4)])
    .call(7, 'write(4</w/other>, ""..., 1048576) = 1048576', 900, [line(5)])
    .call(7, 'close(3</w/out>) = 0', 10, [line(3)]);
}

const LOOKED =
  /^No finding: (\d+) triggers looked at 5 calls on 2 files from 3 source lines; none passed its threshold\.$/;

describe('where nothing was found', () => {
  test('the calls, files and lines that were looked at are named, in all reports alike', async () => {
    const analysis = await analysisOf(written('good.strace', blameless()));
    expect(analysis.insights.filter(({ sites, files }) => sites.length + files.length > 0)).toEqual([]);
    const sentence = nothingFound(analysis);
    expect(sentence).toMatch(LOOKED);
    expect(Number(LOOKED.exec(sentence)![1])).toBeGreaterThan(30);
    expect(analysis.examined).toMatchObject([{ calls: analysis.timing[0]!.ioEvents, files: 2, lines: 3, records: {} }]);
    expect(analysisText(analysis)).toContain(sentence);
    expect(analysisMarkdown(analysis, (file) => file)).toContain(sentence);
    const { id } = await session.recordings.open(plainRequest(path.join(folder, 'good.strace')));
    const html = await session.report.text([id], { format: 'html', origin: '', folders: [] });
    expect(html).toContain(sentence);
    const job = { files: { rows: [], leftOut: { rows: 0, bytes: 0 } } };
    expect(
      new ReportContent().report({ name: 'good', paths: [], analysis, sites: [] }, job as never).nothingFound,
    ).toBe(sentence);
  });

  test('what is dear all the same is listed with its reason, in all reports alike', async () => {
    const file = written('dear.strace', blameless());
    const analysis = await analysisOf(file);
    expect(analysis.unmarked.map(({ kind, sites }) => [kind, sites[0]!.line])).toEqual([
      ['large', 4],
      ['large', 5],
    ]);
    const [first] = unmarkedLines(analysis, (path) => path);
    expect(first).toMatch(
      /^\/w\/app\.c:4 in work: \d+ % of the I\/O, .* of the run \(.*\): 2 writes \(.* each\) of 1 MiB/,
    );
    expect(analysisText(analysis)).toContain(first);
    expect(analysisMarkdown(analysis, (path) => path)).toContain(UNMARKED_TITLE);
    const { id } = await session.recordings.open(plainRequest(file));
    expect(await session.report.text([id], { format: 'html', origin: '', folders: [] })).toContain(UNMARKED_TITLE);
    const job = { files: { rows: [], leftOut: { rows: 0, bytes: 0 } } };
    expect(
      new ReportContent().report({ name: 'dear', paths: [], analysis, sites: [] }, job as never).unmarked,
    ).toHaveLength(2);
  });

  test('what moves through mapped files and io_uring was not looked at, and is not praised', async () => {
    const text = blameless();
    text.call(7, 'openat(AT_FDCWD, "/w/map", O_RDWR) = 5</w/map>', 10, [line(6)]);
    text.call(7, 'mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_SHARED, 5</w/map>, 0) = 0x7f0000000000', 10, [line(6)]);
    text.call(7, 'msync(0x7f0000000000, 4096, MS_SYNC) = 0', 20, [line(7)]);
    expect(nothingFound(await analysisOf(written('mapped.strace', text)))).toContain(
      'What moves through mapped files is not recorded: nothing is said about it.',
    );
    const ring = '4<anon_inode:[io_uring]>';
    text.call(7, `io_uring_enter(${ring}, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) = 1`, 90_000, [line(8)]);
    const analysis = await analysisOf(written('uring.strace', text));
    expect(nothingFound(analysis)).toContain('mapped files and io_uring');
    expect(analysis.timing[0]!.leftOut.kinds).toMatchObject({ asynchronous: { events: 1, timeNs: 90_000_000 } });
    expect(analysis.timing[0]!.leftOut.kinds.pipes).toBeUndefined();
    expect(analysisText(analysis)).toMatch(/of the run \(.*\): 1 call of io_uring or Linux AIO/);
  });

  const PYTHON = /those that it shows are the interpreter's\. `iolens record` uses the recorder library/;

  test.each([
    ['its name', 'execve("/opt/python/bin/python3.11", ["python3.11", "x.py"], 0x7ffc /* 3 vars */) = 0'],
    [
      'what it imports',
      'openat(AT_FDCWD, "/opt/p/lib/python3.11/encodings/__pycache__/__init__.cpython-311.pyc", O_RDONLY) = 5',
    ],
  ])('of a program of Python strace sees the interpreter: told by %s', async (how, call) => {
    const analysis = await analysisOf(written(`${how}.strace`, `7 1.0 ${call} <0.00001>\n${blameless().toString()}`));
    expect(nothingFound(analysis)).toMatch(/^No finding: .* threshold\. strace does not see the lines/);
    expect(nothingFound(analysis)).toMatch(PYTHON);
    expect(analysisText(analysis)).toMatch(PYTHON);
    expect(analysisMarkdown(analysis, (file) => file)).toMatch(PYTHON);
  });

  test('stacks tell the interpreter, too; where all calls are imports this is said as well', async () => {
    const frame = ' > /usr/bin/python3.11(_PyEval_EvalFrameDefault+0x10) [0x1234]';
    const text = `7 1.0 read(3</usr/lib/python3.11/os.py>, ""..., 4096) = 100 <0.00001>\n${frame}\n`;
    const sentence = nothingFound(await analysisOf(written('imports.strace', text)));
    expect(sentence).toMatch(/^Nothing could be judged: of 1 recorded call none is on a file that counts\. strace/);
    expect(sentence).toMatch(PYTHON);
  });

  test.each(['/w/pythonic', '/w/python3-report', '/w/a.out python3'])('%s is no interpreter', async (program) => {
    const call = `7 1.0 execve("${program.split(' ')[0]}", ["a", "python3"], 0x7ffc /* 3 vars */) = 0 <0.00001>\n`;
    const analysis = await analysisOf(written('other.strace', call + blameless().toString()));
    expect(nothingFound(analysis)).not.toContain('Python');
  });

  test('the mapping of the loader is none of the program’s', async () => {
    const text = blameless();
    const library = '5</usr/lib/libm.so.6>';
    text.call(7, `mmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_DENYWRITE, ${library}, 0) = 0x7f0000000000`, 10);
    const { examined } = await analysisOf(written('loaded.strace', text));
    expect(examined[0]!.unseen).toEqual([]);
  });

  test('triggers of the user’s own count, those that fail do not, and those over counters need counters', async () => {
    const own = (code: string, offending: string): string =>
      written(
        `${code}.mjs`,
        `export default { kind: 'site', code: '${code}', name: 'own-${code.toLowerCase()}', title: 'Own',
          offending: ${offending}, local: () => true, subject: () => '', recommend: () => [] };`,
      );
    const quiet = own('X01', '() => ({ events: 0, bytes: 0, timeNs: 0 })');
    const failing = own('X02', '() => { throw new Error("no"); }');
    const counters = written(
      'X03.mjs',
      `export default { kind: 'counters', code: 'X03', name: 'own-x03', title: 'Own', severity: 'warn', examine: () => undefined };`,
    );
    const file = written('own.strace', blameless());
    const without = (await analysisOf(file)).examined[0]!.triggers;
    const analysis = await analysisOf(file, [quiet, failing, counters]);
    expect(analysis.examined[0]!.triggers).toEqual([...without.slice(0, -16), 'X01', ...without.slice(-16)]);
    expect(nothingFound(analysis)).toContain(`: ${without.length + 1} triggers looked at`);
  });

  test('a run that is not recorded to its end: the program was killed, or the recording stops', async () => {
    const head = '7 1795252180.0 execve("/w/app", ["/w/app"], 0x7ff /* 5 vars */) = 0 <0.000100>\n';
    const said = async (name: string, end: string): Promise<string> =>
      nothingFound(await analysisOf(written(name, `${head}${blameless().toString()}${end}`)));
    expect(await said('killed.strace', '7 1795252190.0 +++ killed by SIGKILL +++\n')).toMatch(
      /threshold\. This is not all of the run: process 7 was killed by SIGKILL\.$/,
    );
    expect(await said('torn.strace', '')).toMatch(
      /threshold\. This is not all of the run: the recording does not show the end of process 7\.$/,
    );
    const end = '7 1795252190.0 exit_group(0) = ?\n7 1795252190.1 +++ exited with 0 +++\n';
    expect(await said('whole.strace', end)).toMatch(/threshold\.$/);
    // Asked for with -qq, strace says nothing of ends; the call does.
    expect(await said('quiet.strace', '7 1795252190.0 exit_group(0) = ?\n')).toMatch(/threshold\.$/);
    const children = '8 1795252190.0 +++ killed by SIGTERM +++\n9 1795252190.1 +++ exited with 0 +++\n';
    const calls = '8 1795252181.0 close(9) = 0\n9 1795252181.0 close(9) = 0\n';
    expect(await said('children.strace', `${calls}${children}${end}`)).toMatch(
      /This is not all of the run: process 8 was killed by SIGTERM\.$/,
    );
    // The recording that is kept from the first reading says it, too.
    expect(await said('killed.strace', '7 1795252190.0 +++ killed by SIGKILL +++\n')).toContain('SIGKILL');
  });

  test('calls that are left out are named by what they are', async () => {
    const text = blameless()
      .call(7, 'openat(AT_FDCWD, "/lib/libc.so.6", O_RDONLY) = 5</lib/libc.so.6>', 100)
      .call(7, 'read(6</proc/cpuinfo>, ""..., 4096) = 100', 200)
      .call(7, 'write(8<pipe:[9]>, ""..., 8) = 8', 300)
      .call(7, 'write(77, ""..., 8) = -1 EBADF (Bad file descriptor)', 400)
      .call(7, 'msync(0x7a0000, 4096, MS_SYNC) = 0', 500);
    const file = written('left-out.strace', text);
    const analysis = await analysisOf(file);
    expect(analysis.timing[0]!.leftOut).toEqual({
      events: 5,
      timeNs: 1_500_000,
      kinds: {
        loader: { events: 1, timeNs: 100_000 },
        ignoredFiles: { events: 1, timeNs: 200_000 },
        pipes: { events: 1, timeNs: 300_000 },
        withoutFile: { events: 2, timeNs: 900_000 },
      },
    });
    expect(analysisText(analysis)).toContain(
      ' (left out: 1 call of loader, libraries and start-up, 100 µs; 1 call on ignored files, 200 µs; 1 call on pipes and sockets, 300 µs; 2 calls without a file, 900 µs)\n',
    );
    const some = await analysisOf(written('good.strace', blameless()));
    expect(analysisText(some)).not.toContain('left out');
  });

  test('calls that do not count, and no calls at all, are nothing to judge', async () => {
    const system = new StraceText().call(7, 'read(3</proc/cpuinfo>, ""..., 4096) = 100', 10);
    expect(nothingFound(await analysisOf(written('system.strace', system)))).toBe(
      'Nothing could be judged: of 1 recorded call none is on a file that counts.',
    );
    const analysis = await analysisOf(written('good.strace', blameless()));
    const none = { calls: 0, files: 0, lines: 0, pipeTransfers: 0, unseen: [], records: {}, triggers: [] };
    const empty = { ...analysis.recordings[0]!, events: 0, files: 0 };
    expect(nothingFound({ ...analysis, recordings: [empty], examined: [none] })).toBe(
      'Nothing could be judged: neither calls nor counters of files were recorded.',
    );
  });

  test('what was lost, pipes, counters and several recordings', async () => {
    const analysis = await analysisOf(written('good.strace', blameless()));
    const [info] = analysis.recordings;
    const damaged = { ...info!, damage: [{ where: '', what: '', lost: '' } as never] };
    expect(nothingFound({ ...analysis, recordings: [damaged] })).toMatch(
      /^No finding in what could be read: \d+ triggers looked at 5 calls .* threshold\. The notes say what was lost\.$/,
    );
    const one = {
      triggers: ['A1', 'A2'],
      calls: 1,
      files: 1,
      lines: 0,
      pipeTransfers: 2,
      unseen: [],
      records: { POSIX: 3, STDIO: 1 },
    };
    const other = { ...one, triggers: ['A2', 'A3'], calls: 1000 };
    expect(nothingFound({ recordings: [info!, info!], insights: [], unmarked: [], examined: [one, other] })).toBe(
      'No finding: 3 triggers looked at 1,001 calls on 2 files, 4 calls on pipes and sockets and 8 records of counters (POSIX 6, STDIO 2); none passed its threshold.',
    );
    // A summary is no finding, and did pass.
    const summary = { code: 'A3', sites: [], files: [] } as never;
    expect(nothingFound({ recordings: [info!], insights: [summary], unmarked: [], examined: [one, other] })).toContain(
      ': 2 triggers',
    );
  });

  const logs = corpus('darshan');
  test.skipIf(logs === undefined)(logs === undefined ? absent('darshan') : 'counters alone', async () => {
    const analysis = await analysisOf(path.join(logs!, 'noposix.darshan'));
    expect(analysis.examined[0]).toMatchObject({ calls: 0, files: 0, lines: 0 });
    // It reads counters of POSIX, of which there are none.
    expect(analysis.examined[0]!.triggers).not.toContain('P05');
    expect(nothingFound({ ...analysis, insights: [] })).toMatch(
      /^No finding: \d+ triggers looked at 2 records of counters \(STDIO 2\); none passed its threshold\.$/,
    );
  });
});
