import { spawnSync } from 'node:child_process';

/** What tests of `iolens record` with the recorder library run, and what they look at. */

/** Writes, answers its input, and ends with 3 or the status that it is given. */
export const SOURCE = `#include <fcntl.h>
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

/** Calls that the command says it recorded. */
export function callsIn(err: string): number {
  return Number(/: ([\d,]+) calls/.exec(err)?.[1]?.replaceAll(',', ''));
}
