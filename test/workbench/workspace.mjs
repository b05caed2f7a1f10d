// The workspace that the workbench tests work in: the demo program with its recording, and a program to be recorded.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

const SMALL = `#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int fd = open(argc > 1 ? argv[1] : "small.dat", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    char record[32] = {0};
    if (fd < 0)
        return 1;
    for (int i = 0; i < 500; i++)
        if (write(fd, record, sizeof record) < 0)
            return 1;
    return close(fd);
}
`;

/** Makes the workspace; returns its folder. */
export function makeWorkspace() {
  const folder = mkdtempSync(path.join(tmpdir(), 'iolens-workspace-'));
  for (const name of ['heat.c', 'heat', 'heat.strace.gz'])
    cpSync(path.join(root, 'demo/heat', name), path.join(folder, name));
  writeFileSync(path.join(folder, 'small.c'), SMALL);
  execFileSync('gcc', ['-g', '-O1', '-o', 'small', 'small.c'], { cwd: folder });
  mkdirSync(path.join(folder, '.vscode'));
  writeFileSync(
    path.join(folder, '.vscode/settings.json'),
    JSON.stringify({ 'iolens.pathRules': { '/home/hpc/heat': folder } }),
  );
  return folder;
}
