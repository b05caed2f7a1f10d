// The workspace that the workbench tests work in: the demo program with its recording, an MPI program with its
// Darshan log, and a program to be recorded.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

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

/** Writes, then waits until it is told to go on by a file: whoever looks meanwhile sees a program that runs. */
const STEADY = `#include <fcntl.h>
#include <unistd.h>

static int records(int fd, int count)
{
    char record[32] = {0};
    for (int i = 0; i < count; i++)
        if (write(fd, record, sizeof record) < 0)
            return 1;
    return 0;
}

int main(void)
{
    int fd = open("steady.dat", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd < 0 || records(fd, 400))
        return 1;
    while (access("go-on", F_OK) != 0)
        usleep(20000);
    return records(fd, 400) || close(fd);
}
`;

/** Long enough that neither a call that is preempted nor a busy disk decides what its lines cost. */
const STEPS_FORTRAN = `program steps
  implicit none
  integer :: unit, step
  open(newunit=unit, file='steps.txt', status='replace', action='write')
  do step = 1, 12000
    write(unit, '(i6)') step
    flush(unit)
  end do
  close(unit)
end program steps
`;

/** A program of its own: on a busy machine flushes may take all but a hundredth of the time of both. */
const APPENDS_FORTRAN = `program appends
  implicit none
  integer :: unit, step
  do step = 1, 3000
    open(newunit=unit, file='appends.log', position='append', action='write')
    write(unit, '(i6)') step
    close(unit)
  end do
end program appends
`;

const STEPS_PYTHON = `with open("steps.bin", "wb", buffering=0) as file:
    for step in range(300):
        file.write(b"%6d" % step)
`;

/** Makes the workspace; returns its folder. */
export function makeWorkspace() {
  const folder = mkdtempSync(path.join(tmpdir(), 'iolens-workspace-'));
  for (const name of ['heat.c', 'heat', 'heat.strace.gz', 'heat-fixed.c', 'heat-fixed', 'heat-fixed.strace.gz'])
    cpSync(path.join(root, 'demo/heat', name), path.join(folder, name));
  // A job's log names its program as it was typed: ./badmpi is looked for in the workspace.
  for (const name of ['badmpi.c', 'bin/badmpi', 'badmpi_4ranks.darshan'])
    cpSync(path.join(root, 'test/data/darshan-stack', name), path.join(folder, path.basename(name)));
  // Two jobs to be taken into a store, and a store that holds nothing yet.
  for (const name of ['badmpi_4ranks.darshan', 'badmpi_4ranks_small.darshan'])
    cpSync(path.join(root, 'test/data/darshan-stack', name), path.join(folder, 'logs', name));
  cpSync(path.join(root, 'test/data/layers/latecomer-late'), path.join(folder, 'latecomer'), { recursive: true });
  cpSync(path.join(root, 'test/data/workflow/synthetic'), path.join(folder, 'workflow'), { recursive: true });
  cpSync(path.join(root, 'test/programs/layers/latecomer.c'), path.join(folder, 'latecomer.c'));
  writeFileSync(path.join(folder, 'small.c'), SMALL);
  execFileSync('gcc', ['-g', '-O1', '-o', 'small', 'small.c'], { cwd: folder });
  writeFileSync(path.join(folder, 'steady.c'), STEADY);
  execFileSync('gcc', ['-g', '-O1', '-o', 'steady', 'steady.c'], { cwd: folder });
  for (const [name, text] of [
    ['steps', STEPS_FORTRAN],
    ['appends', APPENDS_FORTRAN],
  ]) {
    writeFileSync(path.join(folder, `${name}.f90`), text);
    execFileSync('gfortran', ['-g', '-O1', '-o', name, `${name}.f90`], { cwd: folder });
  }
  writeFileSync(path.join(folder, 'steps.py'), STEPS_PYTHON);
  writeFileSync(path.join(folder, 'heat.strace'), gunzipSync(readFileSync(path.join(folder, 'heat.strace.gz'))));
  mkdirSync(path.join(folder, '.vscode'));
  writeFileSync(
    path.join(folder, '.vscode/settings.json'),
    JSON.stringify({
      'iolens.pathRules': { '/home/hpc/heat': folder },
      // Not the executable of the recording: what is named differently stands for nothing.
      'iolens.binaries': [path.join(folder, 'small')],
      'iolens.thresholds': { site_events: 33 },
    }),
  );
  return folder;
}

/** Adds recordings of several layers with their sources, for a person's steps. Called before the workbench opens it. */
export function addLayers(folder) {
  const layers = path.join(folder, 'layers');
  for (const name of ['btio-simple', 'heat-each', 'heat-each-strace'])
    cpSync(path.join(root, 'test/data/layers', name), path.join(layers, name), { recursive: true });
  for (const name of ['btio.c', 'heat.c']) {
    cpSync(path.join(root, 'test/programs/layers', name), path.join(layers, name));
    // A copy is as old as its source was when it was recorded.
    utimesSync(path.join(layers, name), 0, 0);
  }
  const file = path.join(folder, '.vscode/settings.json');
  const settings = JSON.parse(readFileSync(file, 'utf8'));
  settings['iolens.pathRules']['/home/user/layers'] = layers;
  writeFileSync(file, JSON.stringify(settings));
}
