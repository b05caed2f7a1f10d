import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Log } from 'sarif';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freshFolder, has, run } from '../support/programs.ts';
import { canRecord, SHARED_CACHE, sharedRecorder } from '../support/recorder/recorder-runs.ts';

/** The scripts of docs/ci.md as they stand there, with the real `iolens`, and played tools of the hosts. */
const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/ci.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, name]) => name === language).map(([, , text]) => text!);
const scripts = new Map(blocks('sh').map((text) => [/^# (ci\/[\w-]+\.sh): /m.exec(text)![1]!, text]));

/** Records of 10 bytes, each by a call. */
const PROGRAM = `#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    int fd = open("out.dat", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    for (int i = 0; i < RECORDS; i++)
        if (write(fd, "0123456789", 10) != 10)
            return 1;
    return close(fd);
}
`;

/** Plays \`gh\`: it tells its arguments, lists a run and a comment where there are files for them. */
const GH = `#!/bin/sh
echo "gh $*" >> "$PLAYED/calls"
case "$1 $2" in
'run list') [ ! -f "$PLAYED/io.tar.gz" ] || echo 42 ;;
'run download') while [ "$1" != --dir ]; do shift; done; mkdir -p "$2" && cp "$PLAYED/io.tar.gz" "$2" ;;
'api --paginate') cat "$PLAYED/comment" 2>/dev/null || : ;;
'api --silent') cp io-comment.md "$PLAYED/commented.md" ;;
esac
`;

/** Plays \`curl\`: it gives an artifact where there is one, and keeps what is posted. */
const CURL = `#!/bin/sh
echo "curl $*" >> "$PLAYED/calls"
while [ $# -gt 0 ]; do
  case "$1" in
  -o) [ -f "$PLAYED/io.tar.gz" ] || exit 22; cp "$PLAYED/io.tar.gz" "$2" ;;
  --data-urlencode) cp "\${2#body@}" "$PLAYED/commented.md" ;;
  esac
  shift
done
`;

beforeAll(async () => {
  if (canRecord) await sharedRecorder();
});

let folder = '';
let checkout = '';
let played = '';
beforeEach(() => {
  folder = freshFolder('ci');
  [checkout, played] = [path.join(folder, 'checkout'), path.join(folder, 'played')];
  for (const each of [checkout, played, path.join(checkout, 'ci'), path.join(folder, 'bin')]) mkdirSync(each);
  for (const [name, text] of scripts) writeFileSync(path.join(checkout, name), text);
  const iolens = `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, 'dist/cli.js')}' "$@"\n`;
  for (const [name, text] of Object.entries({ gh: GH, curl: CURL, iolens })) {
    const file = path.join(folder, 'bin', name);
    writeFileSync(file, text);
    chmodSync(file, 0o755);
  }
  writeFileSync(path.join(checkout, 'app.c'), PROGRAM);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const HOSTS = {
  PLAYED: '',
  GITHUB_REPOSITORY: 'me/app',
  GITHUB_BASE_REF: 'main',
  PULL_REQUEST: '7',
  CI_API_V4_URL: 'https://git.example/api/v4',
  CI_PROJECT_ID: '11',
  CI_JOB_TOKEN: 'job',
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'release/1',
  CI_MERGE_REQUEST_IID: '7',
  IOLENS_TOKEN: 'token',
};

function step(script: string, more: Record<string, string> = {}): { status: number | null; output: string } {
  const env = {
    ...process.env,
    ...HOSTS,
    PLAYED: played,
    XDG_CACHE_HOME: SHARED_CACHE,
    PATH: `${path.join(folder, 'bin')}:${process.env['PATH']!}`,
    ...more,
  };
  const { status, stdout, stderr } = spawnSync('sh', [script], { cwd: checkout, env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** A commit of the program that writes so many records. */
function commit(records: number): void {
  const rule = `app: app.c Makefile\n\tcc -g -DRECORDS=${records} -o app app.c\n`;
  writeFileSync(path.join(checkout, 'Makefile'), rule);
  rmSync(path.join(checkout, 'app'), { force: true });
}

/** The target branch was recorded. */
function baseRecorded(): void {
  commit(300);
  const made = step('ci/io.sh');
  expect(made, made.output).toMatchObject({ status: 0 });
  copyFileSync(path.join(checkout, 'io.tar.gz'), path.join(played, 'io.tar.gz'));
}

const left = (name: string): string => readFileSync(path.join(checkout, name), 'utf8');
const seen = (name: string): string => readFileSync(path.join(played, name), 'utf8');

describe('the page', () => {
  test('its jobs call the scripts that it holds, and no others', () => {
    const called = blocks('yaml').flatMap((text) =>
      [...text.matchAll(/\bsh (ci\/[\w-]+\.sh)/g)].map(([, name]) => name!),
    );
    expect([...new Set(called)].sort()).toEqual([...scripts.keys()].sort());
    expect(scripts.size).toBe(5);
  });

  test.skipIf(!has('shellcheck'))('its scripts are sound', () => {
    for (const name of scripts.keys()) expect(run(checkout, 'shellcheck', name)).toBe('');
  });
});

describe.skipIf(!canRecord || !has('make'))('a job', () => {
  test('without a recording of the target branch tells what was found', () => {
    // So many that they are most of the run on a busy machine, too.
    commit(30_000);
    for (const script of ['ci/io-base-github.sh', 'ci/io-base-gitlab.sh']) {
      expect(step(script).output).toMatch(/There is no recording of \S+: nothing is compared\./);
      expect(step('ci/io.sh')).toMatchObject({ status: 0 });
      expect(left('io.md')).toContain('P06');
      const sarif = JSON.parse(left('io.sarif')) as Log;
      expect(sarif.runs[0]!.results!.map(({ ruleId }) => ruleId)).toContain('P06');
      expect(existsSync(path.join(checkout, 'io.tar.gz'))).toBe(true);
    }
  });

  test.each([
    ['ci/io-base-github.sh', 'ci/io-comment-github.sh', /^gh run list --repo me\/app .*--branch main /m],
    ['ci/io-base-gitlab.sh', 'ci/io-comment-gitlab.sh', /artifacts\/release%2F1\/raw\/io\.tar\.gz\?job=io$/m],
  ])('fails where a change makes more calls, and says so (%s)', (fetch, comment, asked) => {
    baseRecorded();
    commit(900);
    expect(step(fetch)).toMatchObject({ status: 0 });
    expect(seen('calls')).toMatch(asked);
    const compared = step('ci/io.sh');
    expect(compared, compared.output).toMatchObject({ status: 1 });
    expect(step(comment)).toMatchObject({ status: 0 });
    expect(seen('commented.md')).toContain(left('io.md'));
    expect(left('io.md')).toMatch(/worse/i);
    expect(left('io.md')).toContain('app.c');
    // A change that helps passes, and so does none.
    for (const records of [30, 300]) {
      commit(records);
      const better = step('ci/io.sh');
      expect(better, better.output).toMatchObject({ status: 0 });
    }
  });

  test('a broken case fails otherwise', () => {
    writeFileSync(path.join(checkout, 'Makefile'), 'app:\n\tfalse\n');
    expect(step('ci/io.sh').status).not.toBe(0);
    expect(readdirSync(checkout).filter((name) => name.startsWith('io.'))).toEqual([]);
  });
});

test('one comment is written into a pull request, and the same is replaced', () => {
  writeFileSync(path.join(checkout, 'io.md'), 'first\n');
  expect(step('ci/io-comment-github.sh')).toMatchObject({ status: 0 });
  expect(seen('calls')).toMatch(
    /^gh api --silent --method POST repos\/me\/app\/issues\/7\/comments -F body=@io-comment\.md$/m,
  );
  expect(seen('commented.md')).toBe('<!-- iolens -->\n\nfirst\n');
  writeFileSync(path.join(played, 'comment'), '99\n100\n');
  writeFileSync(path.join(checkout, 'io.md'), 'second\n');
  expect(step('ci/io-comment-github.sh')).toMatchObject({ status: 0 });
  expect(seen('calls')).toMatch(/^gh api --silent --method PATCH repos\/me\/app\/issues\/comments\/99 /m);
  expect(seen('commented.md')).toContain('second');
});

test('where nothing can be commented on GitLab nothing is', () => {
  writeFileSync(path.join(checkout, 'io.md'), 'first\n');
  for (const missing of ['CI_MERGE_REQUEST_IID', 'IOLENS_TOKEN'])
    expect(step('ci/io-comment-gitlab.sh', { [missing]: '' })).toMatchObject({ status: 0 });
  expect(existsSync(path.join(played, 'calls'))).toBe(false);
  expect(step('ci/io-comment-gitlab.sh')).toMatchObject({ status: 0 });
  expect(seen('calls')).toContain('/projects/11/merge_requests/7/notes');
  expect(seen('commented.md')).toBe('first\n');
});
