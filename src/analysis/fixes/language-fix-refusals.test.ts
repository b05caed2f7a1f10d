import { describe, expect, test } from 'vitest';
import { has, outcomeOf, repaired, type Finding } from '../../../test/support/fix-programs.ts';

/** Fortran and Python in which a flush or an open cannot leave its loop unless the program does something else. */
const FLUSH = { trigger: 'flush-after-every-record', here: 'flush' };
const REOPEN = { trigger: 'open-close-in-loop', here: 'open(' };

/** What the first repair does with the finding: `behind` or `around` the loop, `dropped`, or nothing. */
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

describe('a flush in Python', () => {
  const finding: Finding = { language: 'python', ...FLUSH };
  const run = (body: string, head = 'for r in recs:', more = ''): string =>
    `import os\n${more}\n\ndef run(path, recs, q, lock):\n    f = open(path, "w")\n    ${head}\n        f.write(r)\n        f.flush()\n        ${body}\n    f.close()\n`;
  expectAll(finding, 'moved', [
    run('print(r)'),
    run('if r == "x":\n            break', 'while True:'),
    run('for part in q:\n            if part:\n                break'),
    run('g = open("other")\n        g.close()'),
    run('note(r)', undefined, 'def note(r):\n    g = open("other")\n    g.close()\n'),
    run('os.fsync(f.fileno())'),
    run('r = r.replace("a", "b")'),
  ]);
  expectAll(finding, 'refused', [
    run('if r == "end":\n            f.close()\n            break'),
    run('end(f)', undefined, 'def end(g):\n    g.close()\n'),
    run('last(f)', undefined, 'def last(g):\n    end(g)\n\ndef end(g):\n    with g:\n        pass\n'),
    run('for part in q:\n            if part:\n                break', 'while True:'),
    run('print(r)', 'for r in itertools.count():', 'import itertools'),
    run('os._exit(0)'),
    run('print(open(path).read())'),
    run('print(os.stat(path).st_size)'),
    run('print(os.fstat(f.fileno()).st_size)'),
    run('subprocess.run(["wc", "out"])', undefined, 'import subprocess'),
    run('os.rename("out", "old")'),
    run('move()', undefined, 'def move():\n    os.rename("out", "old")\n'),
    run('with lock:\n            print(r)'),
  ]);
  expectAll(finding, 'dropped', ['def f(file):\n    file.write("1")\n    file.flush()\n']);
  expectAll(finding, 'refused', [
    'import subprocess\ndef f(file):\n    file.write("1")\n    file.flush()\n    subprocess.run(["cat", "x"])\n',
  ]);
});

describe('an open in Python', () => {
  const run = (body: string, head = 'for r in recs:'): string =>
    `import os, fcntl\n\ndef run(path, recs):\n    ${head}\n        with open(path, "a") as f:\n            f.write(r)\n            ${body}\n`;
  expectAll({ language: 'python', ...REOPEN, here: 'with open' }, 'moved', [
    run('print(r)'),
    run('if r == "x":\n                break'),
    run('os.fsync(f.fileno())'),
    run('print(r)', 'for r in other(recs):'),
  ]);
  expectAll({ language: 'python', ...REOPEN, here: 'with open' }, 'refused', [
    run('os.rename(path, "old")'),
    run('path.rename("old")'),
    run('os.remove("other")'),
    run('print(open(path).read())'),
    run('print(r)', 'for r in open(path):'),
    run('fcntl.flock(f, fcntl.LOCK_EX)'),
    run('f.close()'),
    run('f = wrap(f)'),
    run('print(os.fstat(f.fileno()))'),
  ]);
});

test('a file stays unbuffered where other programs are started', async () => {
  const run = (rest: string): string => `def run(p):\n    f = open(p, "wb", 0)\n    f.write(b"1")\n    ${rest}\n`;
  const finding: Finding = { language: 'python', trigger: 'posix-small-writes', here: 'f = open' };
  expect(await repaired(run('print(p)'), finding)).toContain('open(p, "wb")');
  expect(await repaired(run('subprocess.run(["cat", p])'), finding)).toBeUndefined();
});

test('elements that are made of earlier ones are written one by one', async () => {
  const run = (value: string): string =>
    `import h5py\ndef run(f, n):\n    d = f.create_dataset("d", (n,))\n    for i in range(1, n):\n        d[i] = ${value}\n`;
  const finding: Finding = { language: 'python', trigger: 'hdf5-small-writes', here: 'd[i]' };
  expect(await repaired(run('i + 1'), finding)).toContain('d[1:n] = [i + 1 for');
  expect(await repaired(run('f["d"][i - 1] + 1'), finding)).toBeUndefined();
});

test.skipIf(!has('python3'))('moved statements of Python leave the file and the output as they were', async () => {
  const text = `def first(name, recs):
    f = open(name, "w")
    while True:
        for r in recs:
            if r == "skip":
                break
            f.write(r)
        f.flush()
        if len(recs) < 2:
            break
        recs = recs[1:]
    f.close()


def second(path, recs):
    for r in recs:
        with open(path, "a") as f:
            print(r, file=f)
            if r == "b":
                break


first("out", ["a", "b", "skip", "c"])
second("out", ["a", "b", "c"])
print(open("out").read())
`;
  const once = await repaired(text, { language: 'python', ...FLUSH });
  const twice = await repaired(once!, { language: 'python', ...REOPEN, here: 'with open' });
  expect(twice).toContain('    f.flush()\n    f.close()\n');
  expect(twice).toContain('    with open(path, "a") as f:\n        for r');
  expect(outcomeOf('python', twice!)).toEqual(outcomeOf('python', text));
});

describe('Fortran', () => {
  const program = (body: string, rest = '', declarations = 'integer :: u, i'): string =>
    `program p\n  implicit none\n  ${declarations}\n  open(newunit=u, file='out')\n  rows: do i = 1, 9\n    write(u, *) i\n    flush(u)\n    ${body}\n  end do rows\n  close(u)\n${rest}end program\n`;
  const inside = (body: string): string => `contains\n  subroutine work()\n    ${body}\n  end subroutine\n`;
  const flush: Finding = { language: 'fortran', ...FLUSH };

  expectAll(flush, 'moved', [
    program('if (i == 5) exit'),
    program('if (i == 5) exit rows'),
    program('if (i == 5) cycle'),
    program('call elsewhere(i)'),
    program('call work()', inside('print *, i')),
  ]);
  // Without the flush the unit is written when it is closed, wherever that is.
  expectAll(flush, 'dropped', [
    program('if (i == 5) return'),
    program('if (i == 5) stop'),
    program('if (i == 5) goto 10'),
    program('read(5, *, end=10) i'),
    program('call work()', inside('close(u)')),
    program('call work()', inside('call more()\n  end subroutine\n  subroutine more()\n    close(u)')),
    program('call elsewhere(u)'),
    program('call elsewhere(i)', '', 'integer :: i'),
  ]);
  expectAll(flush, 'refused', [
    program("call execute_command_line('wc out')"),
    program("call rename('out', 'old')"),
    program('inquire(u, size=i)'),
  ]);

  const append = (body: string, rest = ''): string =>
    `program p\n  implicit none\n  integer :: u, i\n  do i = 1, 9\n    open(newunit=u, file='out', position='append')\n    write(u, *) i\n    ${body}\n    close(u)\n  end do\n${rest}end program\n`;
  expectAll({ language: 'fortran', ...REOPEN }, 'moved', [append(''), append('call work()', inside('print *, i'))]);
  expectAll({ language: 'fortran', ...REOPEN }, 'refused', [
    append('call elsewhere(u)'),
    append('call work()', inside('close(u)')),
    append('call work()', inside('rewind(u)')),
    append("call rename('out', 'old')"),
  ]);

  test.skipIf(!has('gfortran'))('a moved flush leaves the file as it was', async () => {
    const text = program('if (i == 7) exit rows\n    call work()', inside("print *, 'row', i"));
    const now = await repaired(text, flush);
    expect(now).toContain('  end do rows\n  flush(u)\n');
    expect(outcomeOf('fortran', now!)).toEqual(outcomeOf('fortran', text));
  });
});
