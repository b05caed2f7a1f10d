import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** What tests of `iolens record` with the recorder library run, and what they look at: real compilers, a real shell. */

export const cli = path.resolve(import.meta.dirname, '../../../dist/cli.js');

/** Writes, answers its input, and ends with 3 or the status that it is given. */
const SOURCE = `#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **values) {
  char text[64];
  int file = open(count > 2 ? values[2] : "out.bin", O_CREAT | O_WRONLY | O_TRUNC, 0644);
  for (int i = 0; i < atoi(values[1]); i++) if (write(file, "0123456789", 10) < 0) return 9;
  // Ranks have no input: MPICH's launcher would wait for them.
  ssize_t size = count > 3 ? 0 : read(0, text, sizeof text);
  if (size > 0 && write(1, text, (size_t)size) < 0) return 9;
  close(file);
  return count > 3 ? atoi(values[3]) : 3;
}
`;

export function works(command: string, ...options: string[]): boolean {
  return spawnSync(command, options, { stdio: 'ignore' }).status === 0;
}

export interface Ran {
  readonly status: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
}

/** Events that the command says it recorded. */
export function eventsIn(err: string): number {
  return Number(/: ([\d,]+) events/.exec(err)?.[1]?.replaceAll(',', ''));
}

export const canCompile = works('cc', '--version');

export interface RunMore {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** A folder with `writer` and `static-writer`, where programs are run in an environment without ranks. */
export interface RecordingPlace {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly start: (program: string, options: readonly string[], more?: RunMore) => Ran;
  /** `iolens record` with these options. */
  readonly record: (options: readonly string[], more?: RunMore) => Ran;
  /** The path of what lies in the folder. */
  readonly at: (...names: string[]) => string;
  /** The files of a recording there. */
  readonly files: (name: string) => string[];
}

/**
 * Made before the tests of the file that calls this, and removed after them.
 * @param cache where the library is compiled: in the folder itself unless given.
 */
export function recordingPlace(cache?: string): RecordingPlace {
  const folder = mkdtempSync(path.join(tmpdir(), 'iolens-preload-'));
  const at = (...names: string[]): string => path.join(folder, ...names);
  // What is compiled is not taken from, nor left in, the user's cache.
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    OMPI_ALLOW_RUN_AS_ROOT: '1',
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1',
    XDG_CACHE_HOME: cache ?? at('cache'),
  };
  for (const name of ['SLURM_PROCID', 'CC', 'IOLENS_FOLDER']) Reflect.deleteProperty(environment, name);
  const start = (program: string, options: readonly string[], { env = {}, input = '' }: RunMore = {}): Ran => {
    const { status, signal, stdout, stderr } = spawnSync(program, options, {
      cwd: folder,
      encoding: 'utf8',
      input,
      env: { ...environment, ...env },
    });
    return { status, signal, out: stdout, err: stderr };
  };
  beforeAll(() => {
    writeFileSync(at('writer.c'), SOURCE);
    if (!canCompile) return;
    start('cc', ['-g', '-o', 'writer', 'writer.c']);
    start('cc', ['-g', '-static', '-o', 'static-writer', 'writer.c']);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    environment,
    start,
    record: (options, more) => start(process.execPath, [cli, 'record', ...options], more),
    at,
    files: (name) => readdirSync(at(name)).filter((file) => file.endsWith('.iorec')),
  };
}
