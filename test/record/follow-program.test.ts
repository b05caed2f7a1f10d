import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnalysisDocument } from '../../src/export/analysis/documents.ts';
import { plainRequest, type OpenRequest } from '../../src/session/reading/open-request.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { freshFolder, has, run } from '../support/programs.ts';

/** A program (and its child) that writes, waits for a file, and writes on: followed under real strace while it waits. */
const PROGRAM = `#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static int records(int fd)
{
    char record[24] = {0};
    for (int i = 0; i < 300; i++)
        if (write(fd, record, sizeof record) < 0)
            return 1;
    return 0;
}

int main(void)
{
    int fd = open("out.dat", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    pid_t child = fork();
    if (fd < 0 || records(fd))
        return 1;
    while (access("go-on", F_OK) != 0)
        usleep(10000);
    int other = open("other.dat", O_CREAT | O_RDWR, 0644);
    fsync(other);
    if (child == 0)
        _exit(records(fd));
    return records(fd) || waitpid(child, 0, 0) != child;
}
`;
const WRITE_LINE = 9;

let folder = '';
beforeAll(() => {
  folder = freshFolder('follow');
  writeFileSync(path.join(folder, 'steady.c'), PROGRAM);
  if (has('gcc')) run(folder, 'gcc', '-g', '-O1', '-o', 'steady', 'steady.c');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function until<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const linesOf = ({ insights }: AnalysisDocument): string[] =>
  insights.flatMap(({ trigger, sites }) => sites.map(({ file, line }) => `${trigger} ${path.basename(file)}:${line}`));

const canTrace = has('gcc', 'strace');

describe.skipIf(!canTrace)(canTrace ? 'a program under strace' : 'gcc or strace is not on this machine', () =>
  test.each([
    ['one file for all processes', ['-f', '-o', 'one.strace'], 'one.strace'],
    ['a file for each process', ['-ff', '-o', 'many/trace'], 'many'],
  ])('is followed while it runs: %s', { timeout: 60_000 }, async (_, options, location) => {
    rmSync(path.join(folder, 'go-on'), { force: true });
    run(folder, 'mkdir', '-p', 'many');
    const traced = spawn('strace', ['-ttt', '-T', '-y', '-k', ...options, './steady'], { cwd: folder });
    const ended = new Promise((resolve) => traced.on('close', resolve));
    try {
      const session = localSession({ folder: path.resolve(import.meta.dirname, '../../native/wasm/addr2line') });
      const request: OpenRequest = {
        ...plainRequest(path.join(folder, location)),
        workspaceFolders: [folder],
        cacheBytes: 0,
        maySpawn: false,
      };
      const { id } = await until(() => session.live.follow(request, undefined).catch(() => undefined));
      const finding = `posix-small-writes steady.c:${WRITE_LINE}`;
      const seen = await until(async () => {
        await session.live.step(id);
        const analysis = await session.findings.analysis([id]);
        return linesOf(analysis).includes(finding) ? analysis : undefined;
      });
      expect(seen.recordings[0]!.damage).toEqual([]);
      expect([traced.exitCode, existsSync(path.join(folder, 'go-on'))]).toEqual([null, false]);
      writeFileSync(path.join(folder, 'go-on'), '');
      await ended;
      const { info } = await session.live.stop(id);
      expect(info.damage).toEqual([]);
      const followed = await session.findings.analysis([id]);
      expect(linesOf(followed)).toContain(finding);
      const { id: again } = await session.recordings.open(request);
      expect(followed).toEqual(await session.findings.analysis([again]));
      expect(await session.lines.sites(id, 'line')).toEqual(await session.lines.sites(again, 'line'));
    } finally {
      writeFileSync(path.join(folder, 'go-on'), '');
      await ended;
    }
  }),
);
