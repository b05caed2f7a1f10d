import { describe, expect, test } from 'vitest';
import {
  exampleInsteadOf,
  fixesFor,
  has,
  offeredFor,
  outcomeOf,
  type Finding,
} from '../../../test/support/fix-programs.ts';
import { editedText } from '../../export/report/edited-text.ts';
import { EXAMPLE_ONLY } from './example-only.ts';
import type { FixLanguage, RepairMethod } from './fix.ts';

/** Repairs that break programs: users get an example with the reason, and the program stays what it was. */
const PYTHON = `import os


def log(file, step):
    file.write(f"{step}\\n")
    file.flush()


with open("out", "w") as out:
    for step in range(9):
        log(out, step)
        out.flush()
        print(step)
    for step in range(9):
        out.write("x")
        os.fsync(out.fileno())
`;
const FORTRAN = `program p
  implicit none
  integer :: u, i
  open(newunit=u, file='out')
  do i = 1, 9
    write(u, *) i
    flush(u) ! behind the loop
  end do
  call log(0)
  close(u)
contains
  subroutine log(k)
    integer, intent(in) :: k
    write(u, *) k
    flush(u) ! dropped
  end subroutine
end program
`;

const SMALL = 'posix-small-writes';
const FLUSH = 'flush-after-every-record';
const CASES: readonly [RepairMethod, FixLanguage, string, string, string][] = [
  ['dropped flush', 'python', PYTHON, FLUSH, 'file.flush'],
  ['dropped flush', 'python', PYTHON, SMALL, 'out.flush'],
  ['dropped flush', 'python', PYTHON, 'posix-redundant-writes', 'out.flush'],
  ['dropped flush', 'fortran', FORTRAN, SMALL, 'flush(u) ! behind'],
  ['dropped flush', 'fortran', FORTRAN, FLUSH, 'flush(u) ! dropped'],
  ['synchronised once', 'python', PYTHON, 'sync-after-every-write', 'os.fsync'],
];
const RUNNER: Readonly<Record<FixLanguage, string>> = { c: 'gcc', cpp: 'g++', fortran: 'gfortran', python: 'python3' };

describe.each(CASES)('%s in %s', (method, language, text, trigger, here) => {
  const snippet = { title: 'a snippet', code: 'one();\n' };
  const finding: Finding = { language, trigger, here, more: { examples: [snippet] } };

  test(`${trigger} at ${here}: an example with the reason`, async () => {
    const [repair] = await fixesFor(text, finding);
    expect(repair).toMatchObject({ method, kind: 'repair' });
    const example = exampleInsteadOf(await offeredFor(text, finding));
    expect(example.reason).toBe(EXAMPLE_ONLY[method]);
    expect(example.note).toContain(EXAMPLE_ONLY[method]);
  });

  test.skipIf(!has(RUNNER[language]))(`${trigger} at ${here}: the program does the same`, async () => {
    const example = exampleInsteadOf(await offeredFor(text, finding));
    expect(outcomeOf(language, editedText(text, example.edits))).toEqual(outcomeOf(language, text));
  });
});

test('every kind has a reason of a few words and a case here', () => {
  expect(new Set(CASES.map(([method]) => method))).toEqual(new Set(Object.keys(EXAMPLE_ONLY)));
  for (const reason of Object.values(EXAMPLE_ONLY)) expect(reason.length).toBeLessThan(80);
});

test('a repair of another kind is made, and an example beside it says nothing against it', async () => {
  const text = 'def f(p, x):\n    for i in x:\n        with open(p, "a") as file:\n            file.write("1")\n';
  const finding: Finding = { language: 'python', trigger: 'open-close-in-loop', here: 'with' };
  const [repair, example, ...more] = await offeredFor(text, finding);
  expect(repair).toMatchObject({ method: 'opened once', kind: 'repair' });
  expect(example).toMatchObject({ kind: 'example', title: 'Insert an example: Open the file once, around the loop' });
  expect(example!.reason).toBeUndefined();
  expect(more).toEqual([]);
});

test('where no repair is recognised, the example is what it was', async () => {
  const finding: Finding = { language: 'python', trigger: SMALL, here: 'step in' };
  const [example] = await offeredFor(PYTHON, finding);
  expect(example!.title).toMatch(/^Insert an example: Collect writes in a buffer of [^(]*$/);
  expect(example!.edits[0]!.text).not.toContain('Check first');
});
