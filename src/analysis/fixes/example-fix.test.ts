import { expect, test } from 'vitest';
import { compile, offeredFor, has, outcomeOf } from '../../../test/support/fixes/fix-programs.ts';
import { editedText } from '../../export/report/edited-text.ts';
import type { FixLanguage } from './fix.ts';

/** An example is a comment: wherever it is put, the program stays what it was. */
const EXAMPLE = { title: 'an example', code: 'one();\ntwo();\n' };

/** The text with an example for each of the lines that begin with the given texts; each must come in front of its line. */
async function withExamples(text: string, language: FixLanguage, places: readonly [string, string][], file?: string) {
  let now = text;
  for (const [here, below] of places) {
    const more = { examples: [EXAMPLE], ...(file === undefined ? {} : { place: { file, line: 0 } }) };
    const fix = (await offeredFor(now, { language, trigger: 'posix-small-reads', here, more })).find(
      (one) => one.kind === 'example',
    );
    expect(now.slice(fix!.edits[0]!.start).split('\n')[0]!.trim()).toBe(below);
    now = editedText(now, fix!.edits);
  }
  return now;
}

test.skipIf(!has('python3'))('Python: in front of a statement of several lines', async () => {
  const text = `def size(path, deep):
    if deep and \\
            len(open(path).read()) > 3:
        return """a
        open(1)
        """ + open(path) \\
            .readline()
    return len(open(path)
        .readlines())


open("out", "w").write("word\\nword\\n")
print(size("out", True))
`;
  const now = await withExamples(text, 'python', [
    ['            len(open', 'if deep and \\'],
    ['        open(1)', 'return """a'],
    ['            .readline()', 'return """a'],
    ['        .readlines()', 'return len(open(path)'],
    ['print(', 'print(size("out", True))'],
  ]);
  expect(outcomeOf('python', now)).toEqual(outcomeOf('python', text));
});

test.skipIf(!has('gfortran'))('Fortran: in fixed form and in free form', async () => {
  const fixed = `      PROGRAM P
      INTEGER U, I
      REAL A(10)
      A = 1
      OPEN(NEWUNIT=U, FILE='x')
      DO 10 I = 1, 100
        READ(U,*) A(1),
     &     A(2),
     &     A(3)
   10 CONTINUE
      END
`;
  const first: [string, string] = ['     &     A(3)', 'READ(U,*) A(1),'];
  const now = await withExamples(fixed, 'fortran', [first], '/x/program.F');
  expect(now).toMatch(/^! I\/O Lens: /m);
  compile('fortran', now, ['-ffixed-form']);
  const free = fixed
    .replaceAll('A(1),', 'A(1), & ! first')
    .replaceAll('A(2),', 'A(2), &')
    .replaceAll('     &     ', '      ');
  const longer = await withExamples(free, 'fortran', [['      A(3)', 'READ(U,*) A(1), & ! first']]);
  compile('fortran', longer, ['-ffree-form']);
});

test.skipIf(!has('gcc'))('C: in front of a macro, and of a statement of several lines', async () => {
  const text = `#include <unistd.h>
#define PUT(fd, b) \\
  do { \\
    if (write(fd, b, 7) < 0) \\
      return 1; \\
  } while (0)
int main(void) {
  PUT(1, "record\\n");
  if (read(0, "a\\
b", 0) < 0)
    return 1;
  else if (write(1,
                 "last\\n", 5) < 0)
    return 2;
  return 0;
}
`;
  const now = await withExamples(text, 'c', [
    ['    if (write', '#define PUT(fd, b) \\'],
    ['b", 0)', 'if (read(0, "a\\'],
    ['                 "last', 'else if (write(1,'],
    ['  return 0', 'return 0;'],
  ]);
  expect(outcomeOf('c', now)).toEqual(outcomeOf('c', text));
});
