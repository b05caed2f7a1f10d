import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { installedStrace } from '../../src/record/strace-recorder.ts';
import { straceOptions } from '../../src/record/strace-command.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';

/** Programs of our own that are compiled and recorded here: in their bad habit, and in the good one that must be silent. */
const programs = path.resolve(import.meta.dirname, '../programs');
const session = localSession({ folder: path.resolve(import.meta.dirname, '../../dist') });

const CASES: readonly (readonly [program: string, bad: string, good: string, triggers: readonly string[]])[] = [
  ['stat_storm', 'bad', 'good', ['repeated-questions']],
  ['pipe_bytes', 'bad', 'good', ['byte-by-byte-pipe']],
  ['small_files', 'bad', 'good', ['many-small-files']],
  ['epochs', 'files', 'container', ['files-read-in-turns']],
  ['team', 'read-all', 'read-parts', ['same-file-read-by-all']],
  ['team', 'uneven', 'even', ['posix-write-imbalance-individual']],
];

const missing = ['gcc', 'strace'].filter((tool) => spawnSync(tool, ['-V']).error !== undefined);
const canTrace = missing.length === 0 && spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-habits-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `file:line trigger` of every mark, when the program runs with this argument. */
async function marksOf(program: string, argument: string): Promise<string[]> {
  const at = path.join(folder, `${program}-${argument}`);
  mkdirSync(at);
  const binary = path.join(at, program);
  execFileSync('gcc', ['-g', '-O1', '-Wall', '-Werror', '-o', binary, path.join(programs, `${program}.c`)]);
  const recording = path.join(at, 'recording.strace');
  const options = straceOptions({ output: recording, abilities: installedStrace(), filePerProcess: false });
  execFileSync('strace', [...options, binary, argument], { cwd: at });
  const { id } = await session.recordings.open({ ...plainRequest(recording), workspaceFolders: [programs] });
  const { insights } = await session.findings.analysis([id]);
  await session.recordings.close(id);
  return insights.flatMap(({ trigger, sites }) =>
    sites
      .filter(({ explainedBy }) => explainedBy === undefined)
      .map(({ file, line }) => `${path.basename(file)}:${line} ${trigger}`),
  );
}

/** The lines of the source that carry a trigger's name as a comment. */
function expectedMarks(program: string, triggers: readonly string[]): string[] {
  const lines = readFileSync(path.join(programs, `${program}.c`), 'utf8').split('\n');
  return triggers.map((trigger) => {
    const line = lines.findIndex((text) => text.includes(`/* ${trigger} */`)) + 1;
    return `${program}.c:${line} ${trigger}`;
  });
}

const title = canTrace ? 'habits' : `habits: needs ${missing.join(', ') || 'processes that can be traced'}`;
describe.skipIf(!canTrace)(title, () =>
  test.each(CASES)('%s: %s is found, %s is not', async (program, bad, good, triggers) => {
    expect(await marksOf(program, bad)).toEqual(expect.arrayContaining(expectedMarks(program, triggers)));
    const quiet = await marksOf(program, good);
    expect(quiet.filter((mark) => triggers.some((trigger) => mark.endsWith(trigger)))).toEqual([]);
  }),
);
