import { expect, test } from 'vitest';
import { FixFinder } from './find-fixes.ts';
import { grammars } from '../../../test/support/fixes/fix-programs.ts';

const procedure = (k: number): string => `  subroutine step_${k}(u, a, n)
    integer, intent(in) :: u, n
    real(8), intent(inout) :: a(n)
    integer :: i
    do i = 1, n
      a(i) = a(i) * sin(real(i, 8)) &
        + 1.0d0 / ${k}
      if (a(i) > 1.0d6) then
        write(u, '(i6, es16.8)') i, a(i)
        flush(u) ! ${k}
      end if
    end do
  end subroutine
`;

/** V8 would work half a minute on the lexer, and load nothing else meanwhile; here that is a second on a busy machine. */
test('a large source of Fortran is parsed, and another grammar loaded behind it, without delay', async () => {
  const text = `module big\n  implicit none\ncontains\n${Array.from({ length: 600 }, (_, k) => procedure(k)).join('')}end module\n`;
  const finder = new FixFinder(grammars);
  const place = { file: '/x/big.f90', line: text.slice(0, text.indexOf('flush(u) ! 300')).split('\n').length };
  const numbers = {
    count: 1000,
    medianBytes: 7,
    threaded: false,
    plainFiles: true,
    closedAt: [],
    touchedAt: [],
    examples: [],
  };
  const start = performance.now();
  const sources = { [place.file]: text };
  const trigger = 'posix-small-writes';
  const fixes = await finder.find({ trigger, language: 'fortran', sources, place, ...numbers });
  await finder.prepare({ language: 'python', sources: { '/x/a.py': 'a = 1\n' } });
  expect(performance.now() - start).toBeLessThan(8000);
  expect(fixes).toHaveLength(1);
});
