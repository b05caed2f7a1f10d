import { describe, expect, test } from 'vitest';
import { repaired, type Finding } from '../../../test/support/fixes/fix-programs.ts';

/** Fortran in which a flush or an open cannot leave its loop unless the program does something else. */
const FLUSH = { trigger: 'flush-after-every-record', here: 'flush' };
const REOPEN = { trigger: 'open-close-in-loop', here: 'open(' };

/** What the first repair does with the finding's line. */
async function repairOf(text: string, finding: Finding): Promise<string> {
  const now = await repaired(text, finding);
  if (now === undefined) return 'refused';
  return now.includes(finding.here) ? 'moved' : 'dropped';
}

function expectAll(finding: Finding, expected: string, texts: readonly string[]): void {
  test(`${finding.language}: ${expected}`, async () => {
    for (const text of texts) expect(await repairOf(text, finding), text).toBe(expected);
  });
}

describe('Fortran', () => {
  const program = (body: string, rest = '', declarations = 'integer :: u, i'): string =>
    `program p\n  implicit none\n  ${declarations}\n  open(newunit=u, file='out')\n  rows: do i = 1, 9\n    write(u, *) i\n    flush(u)\n    ${body}\n  end do rows\n  close(u)\n${rest}end program\n`;
  const inside = (body: string): string => `contains\n  subroutine work()\n    ${body}\n  end subroutine\n`;
  const flush: Finding = { language: 'fortran', ...FLUSH };

  // What ends the program in the order of Fortran, or leaves the loop, closes the unit all the same.
  expectAll(flush, 'dropped', [
    program('if (i == 5) exit'),
    program('if (i == 5) exit rows'),
    program('if (i == 5) cycle'),
    program('if (i == 5) return'),
    program('if (i == 5) stop'),
    program('if (i == 5) goto 10'),
    program('call work()', inside('print *, i')),
    program('call work()', inside('close(u)')),
    program('i = max(i, len(trim(name)))', '', 'integer :: u, i\n  character(len=8) :: name'),
    program('i = k(2)', '', 'integer :: u, i, k(3)'),
  ]);
  expectAll(flush, 'refused', [
    program("call execute_command_line('wc out')"),
    program("call rename('out', 'old')"),
    program('call elsewhere(i)'),
    program('call elsewhere(u)'),
    program('i = elsewhere(i)'),
    program('call k%count(i)'),
    program('inquire(u, size=i)'),
    program('read(5, *, end=10) i'),
    program('read *, i'),
    program('call work()', inside('call more()\n  end subroutine\n  subroutine more()\n    call sleep(1)')),
    program('write(u, *, err=10) i'),
    program('i = 1').replace("file='out'", "file='out', iostat=i"),
    program('i = 1').replace("file='out'", "file='/dev/tty'"),
    program('i = 1').replace("  open(newunit=u, file='out')\n", ''),
    program('i = 1').replace('  close(u)\n', ''),
    program('i = 1').replace('  implicit none', '  use other\n  implicit none'),
    program('i = 1').replace('  implicit none', "  implicit none\n  include 'more.inc'"),
    program('i = 1').replace('  implicit none', '  implicit none\n  real, external :: i_size'),
    program('i = 1').replace('  rows:', '  !$omp parallel do\n  rows:'),
    program('i = 1').replace('program p', 'subroutine p(i)').replace('end program', 'end subroutine'),
    program('sync all'),
    program('flush(u, iostat=i)').replace('    flush(u)\n', ''),
  ]);

  const append = (body: string, rest = ''): string =>
    `program p\n  implicit none\n  integer :: u, i\n  do i = 1, 9\n    open(newunit=u, file='out', position='append')\n    write(u, *) i\n    ${body}\n    close(u)\n  end do\n${rest}end program\n`;
  expectAll({ language: 'fortran', ...REOPEN }, 'moved', [append(''), append('call work()', inside('print *, i'))]);
  expectAll({ language: 'fortran', ...REOPEN }, 'refused', [
    append('call elsewhere(u)'),
    append('call work()', inside('close(u)')),
    append('call work()', inside('rewind(u)')),
    append("call rename('out', 'old')"),
    append('write(u, *, iostat=i) 1'),
    append('write(u, *, advance="no") 1'),
    append('flush(6)\n    inquire(u, size=i)'),
    append('u = 7'),
    append('if (i == 3) exit'),
    append('').replace('1, 9', '1, n(3)'),
    append('').replace('1, 9', '1, 9, 2'),
    append('').replace('implicit none', 'use other'),
  ]);
});
