import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** A program that opens its file anew for each record; a fix for that is offered. */
export const REOPENING = `#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    for (int i = 0; i < 400; i++) {
        int fd = open("out.dat", O_CREAT | O_APPEND | O_WRONLY, 0644);
        if (fd < 0)
            return 1;
        if (write(fd, "0123456789", 10) != 10)
            return 1;
        close(fd);
    }
    printf("400 records\\n");
    return 0;
}
`;

/** The same in Fortran. */
export const REOPENING_FORTRAN = `program p
  implicit none
  integer :: i, u
  do i = 1, 400
    open(newunit=u, file='out.dat', position='append')
    write(u, '(a)') '0123456789'
    close(u)
  end do
end program p
`;

interface Reopening {
  readonly source?: string;
  readonly out?: string;
  readonly name?: string;
}

/** Writes prog.c and a recording of it, prog.strace, whose calls come from the program's lines. */
export function writeReopening(
  folder: string,
  { source = REOPENING, out = path.join(folder, 'out.dat'), name = 'prog.c' }: Reopening = {},
): string {
  const file = path.join(folder, name);
  writeFileSync(file, source);
  const lineOf = (text: string): number => source.slice(0, source.indexOf(text)).split('\n').length;
  const lines = [];
  let time = 0;
  const now = (): string => `${1_700_000_000 + Math.floor(time / 1e6)}.${String(time % 1e6).padStart(6, '0')}`;
  const call = (text: string, at: string): void => {
    time += 20;
    lines.push(`7 ${now()} ${text} <0.000010>`);
    lines.push(` > ${folder}/prog(main+0x9) [0x1009] ${file}:${lineOf(at)}`);
  };
  lines.push(`7 ${now()} execve("${folder}/prog", ["./prog"], 0x7ffd /* 9 vars */) = 0 <0.000010>`);
  for (let i = 0; i < 400; i++) {
    call(`openat(AT_FDCWD<${folder}>, "${out}", O_WRONLY|O_CREAT|O_APPEND, 0644) = 3<${out}>`, 'open(');
    call(`write(3<${out}>, "0123456789", 10) = 10`, 'write(');
    call(`close(3<${out}>) = 0`, 'close(');
  }
  const recording = path.join(folder, 'prog.strace');
  writeFileSync(recording, `${lines.join('\n')}\n7 ${now()} +++ exited with 0 +++\n`);
  return recording;
}
