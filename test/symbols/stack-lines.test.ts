import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainRequest, type OpenRequest } from '../../src/session/reading/open-request.ts';
import type { StackLineFrame } from '../../src/features/answers/stack-lines.ts';
import type { Session } from '../../src/features/answers/all-answers.ts';
import { WorkerSession } from '../../src/session/worker/worker-session.ts';
import { absent, corpus } from '../support/corpus.ts';

/** From a line of a stack in a recording's text to its source lines, with and without the recording being open. */
const root = path.resolve(import.meta.dirname, '../..');
const heat = path.join(root, 'demo/heat');
const recording = path.join(heat, 'heat.strace.gz');
const request: OpenRequest = {
  ...plainRequest(recording),
  pathRules: [{ from: '/home/hpc/heat', to: heat }],
  maySpawn: false,
};
const worker = new WorkerSession<Session>(path.join(root, 'dist/session-worker.js'), {
  folder: path.join(root, 'dist'),
});
const session = worker.topics;
afterAll(() => worker.dispose());

/** The first stack behind a call that holds a text. */
function stackBehind(file: string, call: string, part: string): string[] {
  const text = gunzipSync(readFileSync(file)).toString();
  const blocks = [...text.matchAll(new RegExp(`^.*${call}\\(.*\\n((?: > .*\\n)+)`, 'gm'))].map((match) => match[1]!);
  return blocks
    .find((block) => block.includes(part))!
    .trimEnd()
    .split('\n');
}

const placesOf = (frames: StackLineFrame[][]): string[][] =>
  frames.map((chain) => chain.map((frame) => `${frame.function} ${path.basename(frame.file)}:${frame.line}`));

describe('the bundled recording', () => {
  const lines = stackBehind(recording, 'pread64', '/home/hpc/heat/');
  let open = 0;
  beforeAll(async () => {
    open = (await session.recordings.open(request)).id;
  });

  test('a stack resolves from its text alone', async () => {
    const frames = await session.lines.stackFrames({ lines, request });
    const own = frames.flat().filter(({ isHere, line }) => isHere && line > 0);
    expect(own.map(({ file }) => file)).toEqual(own.map(() => path.join(heat, 'heat.c')));
    expect(own[0]).toMatchObject({ line: 42 });
  });

  test('an open recording gives the same answer', async () => {
    const alone = await session.lines.stackFrames({ lines, request });
    expect(await session.lines.stackFrames({ lines, request, recording: open })).toEqual(alone);
    // By the recording's own rules: nothing has to be said again.
    const bare = plainRequest(recording);
    expect(placesOf(await session.lines.stackFrames({ lines, request: bare, recording: open }))).toEqual(
      placesOf(alone),
    );
  });

  test('lines that were edited, and lines that are no frames, do no harm', async () => {
    const changed = lines.map((line) => line.replace(/\[0x\w+\]/, '[0xffffffffff]'));
    const answers = await session.lines.stackFrames({ lines: changed, request, recording: open });
    expect(answers).toHaveLength(lines.length);
    expect(answers.flat().every(({ line }) => line === 0)).toBe(true);
    expect(await session.lines.stackFrames({ lines: [' > too many stack frames', ' > x', ''], request })).toEqual([
      [],
      [],
      [],
    ]);
    const absentBinary = [' > /nowhere/app(main+0xce) [0x11ce]', ' > /dev/zero(f+0x1) [0x2]'];
    expect(placesOf(await session.lines.stackFrames({ lines: absentBinary, request }))).toEqual([
      ['main :0'],
      ['f :0'],
    ]);
  });

  test('a frame that names a pipe waits for nobody', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'iolens-pipe-'));
    const pipe = path.join(folder, 'app');
    execFileSync('mkfifo', [pipe]);
    expect(placesOf(await session.lines.stackFrames({ lines: [` > ${pipe}(main+0x1) [0x2]`], request }))).toEqual([
      ['main :0'],
    ]);
    rmSync(folder, { recursive: true });
  });

  test('a recording that was closed is none', async () => {
    await session.recordings.close(open);
    expect(placesOf(await session.lines.stackFrames({ lines, request, recording: open })).flat()).toContainEqual(
      expect.stringContaining('heat.c:42'),
    );
  });
});

const programs = corpus('strace-programs');
test.skipIf(programs === undefined)(
  programs === undefined ? absent('strace-programs') : 'inlined calls are listed innermost first',
  async () => {
    const folder = path.join(programs!, 'cxx_inline_header');
    const lines = stackBehind(path.join(folder, 'cxx_inline_header.O2.strace.gz'), 'write', '/cxx_inline_header.O2(');
    const rules = [{ from: '/tmp/badio', to: programs! }];
    const frames = await session.lines.stackFrames({ lines, request: { ...plainRequest(), pathRules: rules } });
    const chain = frames.find((inlined) => inlined.length > 1)!;
    expect(placesOf([chain])[0]!.map((place) => place.split(' ').at(-1))).toEqual([
      'table.h:13',
      'main.cpp:20',
      'stl_algo.h:3787',
      'main.cpp:19',
    ]);
    expect(chain[0]!.isHere).toBe(true);
  },
);
