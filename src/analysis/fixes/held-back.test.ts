import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { has, offeredFor, type Finding } from '../../../test/support/fixes/fix-programs.ts';
import { editedText } from '../../export/report/edited-text.ts';

/** What a killed program has not written after a trade: no more than the title says, and a good part of it. */
const STEPS = 40_000;
const python = (mode: string, open: string, record: string, after: string): string =>
  `with open("out", "${mode}"${open}) as out:\n    for step in range(1, ${STEPS} + 1):\n        out.write(${record})\n${after}    # end\n`;
const fortran = (open: string, write: string): string =>
  `program main\n  implicit none\n  integer :: u, i\n  open(newunit=u, file='out'${open})\n  do i = 1, ${STEPS}\n    write(${write}\n    flush(u)\n  end do\n  ! end\n  close(u)\nend program\n`;

const FLUSHED = '        out.flush()\n';
const CASES: readonly [title: string, size: number, bytes: number, text: string, finding: Omit<Finding, 'here'>][] = [
  ['16 KiB', 16_384, 7, python('w', '', 'f"{step:06d}\\n"', FLUSHED), flushOf('python')],
  ['8 KiB', 8192, 7, python('wb', '', 'b"%06d\\n" % step', FLUSHED), flushOf('python')],
  [
    '8 KiB',
    8192,
    7,
    python('wb', ', 0', 'b"%06d\\n" % step', ''),
    { language: 'python', trigger: 'posix-small-writes' },
  ],
  ['8 KiB', 8192, 7, fortran('', "u, '(i6)') i"), flushOf('fortran')],
  ['128 KiB', 131_072, 12, fortran(", form='unformatted'", 'u) i'), flushOf('fortran')],
];

function flushOf(language: 'python' | 'fortran'): Omit<Finding, 'here'> {
  return { language, trigger: 'flush-after-every-record' };
}

/** The bytes that a program leaves in its file when it kills itself at the end of its loop. */
function sizeWhenKilled(language: string, text: string): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'iolens-killed-'));
  try {
    const isPython = language === 'python';
    const kill = isPython ? '    import os; os.kill(os.getpid(), 9)' : '  call kill(getpid(), 9)';
    const source = path.join(folder, isPython ? 'program.py' : 'program.f90');
    writeFileSync(source, text.replace(/^ *[!#] end$/m, kill));
    if (!isPython) spawnSync('gfortran', ['-o', 'program', source], { cwd: folder });
    const command = isPython ? ['python3', source] : [path.join(folder, 'program')];
    expect(spawnSync(command[0]!, command.slice(1), { cwd: folder }).signal).toBe('SIGKILL');
    return statSync(path.join(folder, 'out')).size;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const [title, size, bytes, text, finding] of CASES) {
  const { language, trigger } = finding;
  test.skipIf(!has(language === 'python' ? 'python3' : 'gfortran'))(`${trigger}, ${language}: ${title}`, async () => {
    const here = trigger === 'posix-small-writes' ? 'with' : /\S*flush\S*/.exec(text)![0];
    const [trade] = await offeredFor(text, { ...finding, here });
    expect(trade).toMatchObject({ kind: 'trade' });
    expect(trade!.title).toContain(`: up to ${title} are lost if the program is killed`);
    const all = STEPS * bytes;
    expect(sizeWhenKilled(language, text)).toBe(all);
    const lost = all - sizeWhenKilled(language, editedText(text, trade!.edits));
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThanOrEqual(size);
  });
}
