import { describe, expect, test } from 'vitest';
import { repairing } from '../../../test/support/fix-programs.ts';
import { editedText } from '../../export/report/edited-text.ts';
import type { Fix, FixLanguage } from './fix.ts';

/** Fortran and Python in which the obvious edit would be wrong, or would break the text: it is refused. */

async function fixesOf(language: FixLanguage, text: string, trigger: string, here: string): Promise<Fix[]> {
  const file = language === 'fortran' ? '/x/program.f90' : '/x/program.py';
  const line = text.slice(0, text.indexOf(here)).split('\n').length;
  return repairing.find({
    trigger,
    language,
    place: { file, line },
    sources: { [file]: text },
    count: 1000,
    medianBytes: 8,
    threaded: false,
    closedAt: [],
    touchedAt: [],
    examples: [{ title: 'in C', code: 'not for this language' }],
  });
}

async function repair(language: FixLanguage, text: string, trigger: string, here: string): Promise<string | undefined> {
  const fix = (await fixesOf(language, text, trigger, here)).find(({ kind }) => kind !== 'example');
  return fix === undefined ? undefined : editedText(text, fix.edits);
}

const SMALL = 'posix-small-writes';
const REOPEN = 'open-close-in-loop';

describe('Fortran', () => {
  const program = (body: string, declarations = ''): string =>
    `program p\n  implicit none\n  integer :: u, i\n  real(8) :: a(9)\n${declarations}  ${body.replaceAll('\n', '\n  ')}\nend program\n`;
  const stream = "open(newunit=u, file='f', access='stream')\n";
  const loop = 'do i = 1, 9\n  write(u) a(i)\nend do\n';
  const reopening = (open: string, rest = 'write(u, *) i'): string =>
    program(`do i = 1, 9\n  open(newunit=u, ${open})\n  ${rest}\n  close(u)\nend do`);

  test('an array goes out at once only where the bytes are the same', async () => {
    expect(await repair('fortran', program(`${stream}${loop}`), SMALL, 'write(u)')).toContain('  write(u) a(1:9)\n');
    const refused = [
      // Records of a sequential file have marks.
      program(`open(newunit=u, file='f', form='unformatted')\n${loop}`),
      program(`open(newunit=u, file='f', access='stream', form='formatted')\n${loop}`),
      // Opened elsewhere: unknown.
      program(loop),
      program(`${stream}${loop.replace('1, 9', '1, 9, 2')}`),
      // A function, not an array.
      program(`${stream}${loop.replace('a(i)', 'b(i)')}`),
      program(`${stream}${loop.replace('a(i)', 'a(i), i')}`),
      program(`${stream}${loop.replace('write(u)', 'write(u, pos=i)')}`),
      program(`${stream}${loop.replace('write(u)', 'write(u, iostat=k)')}`),
      program(`${stream}${loop}print *, i\n`),
      program(`${stream}${loop.replace('a(i)\n', 'a(i)\n  a(i) = 0\n')}`),
    ];
    for (const text of refused) expect(await repair('fortran', text, SMALL, 'write(u'), text).toBeUndefined();
  });

  test('a flush that has a condition, or shares its line, stays', async () => {
    const flush = (text: string): string => program(`do i = 1, 9\n  write(u, *) i\n  ${text}\nend do`);
    expect(await repair('fortran', flush('flush(u)'), SMALL, 'flush')).toContain('  end do\n  flush(u)\nend');
    for (const text of ['if (mod(i, 3) == 0) flush(u)', 'write(u, *) i; flush(u)'])
      expect(await repair('fortran', flush(text), SMALL, 'flush'), text).toBeUndefined();
    // A unit that is closed in the loop is written then: the flush goes, and nothing is put behind the loop.
    const closed = await repair('fortran', flush('flush(u)\n  close(u)'), SMALL, 'flush');
    expect(closed).not.toContain('flush');
  });

  test('a file is opened before the loop only to append to one and the same', async () => {
    const append = "file='f', position='append'";
    expect(await repair('fortran', reopening(append), REOPEN, 'open(')).toContain(
      "  open(newunit=u, file='f', position='append')\n  do i",
    );
    const refused = [
      reopening("file='f', status='replace'"),
      reopening("file='f'"),
      reopening("file=name(i), position='append'"),
      reopening(`${append}, iostat=k`),
      reopening(append, "write(u, '(i1)', advance='no') i"),
      reopening(append, 'if (i > 4) cycle'),
      reopening(append, 'rewind(u)'),
    ];
    for (const text of refused) expect(await repair('fortran', text, REOPEN, 'open('), text).toBeUndefined();
  });

  test('code that cannot be parsed is left alone, and gets an example in its own language', async () => {
    const text = program('do i = 1, 9\n  write(u, *) i )(\n  flush(u)\nend do');
    const [fix, ...others] = await fixesOf('fortran', text, SMALL, 'flush');
    expect(others).toEqual([]);
    expect(fix).toMatchObject({ kind: 'example', title: 'Insert an example: Write whole arrays' });
    expect(fix!.edits[0]!.text).toMatch(/^ {4}! I\/O Lens: .*\n {4}! 1,000 writes of 8 B: /);
  });

  test('line ends stay as they are', async () => {
    const text = program('do i = 1, 9\n  write(u, *) i\n  flush(u)\nend do').replaceAll('\n', '\r\n');
    const repaired = await repair('fortran', text, SMALL, 'flush');
    expect(repaired!.replaceAll('\r\n', '')).not.toContain('\n');
    expect(repaired).toContain('  end do\r\n  flush(u)\r\n');
  });
});

describe('Python', () => {
  test('a buffer is given only to files that nobody reaches round it', async () => {
    const open = (text: string): string => `def f(p, mode):\n    with ${text} as file:\n        file.write(b"1")\n`;
    expect(await repair('python', open('open(p, "wb", 0)'), SMALL, 'with')).toContain('with open(p, "wb") as');
    expect(await repair('python', open('open(p, "w", buffering=1)'), SMALL, 'with')).toContain('open(p, "w") as');
    for (const text of ['open(p, "wb")', 'open(p, "wb", 4096)', 'open(p, mode, buffering=1)', 'os.open(p, 0)'])
      expect(await repair('python', open(text), SMALL, 'with'), text).toBeUndefined();
    const shared = `${open('open(p, "wb", 0)')}        os.write(file.fileno(), b"2")\n`;
    expect(await repair('python', shared, SMALL, 'with')).toBeUndefined();
  });

  test('a flush leaves a loop only where that means once, and later', async () => {
    const flush = (body: string, head = 'for i in x:'): string =>
      `def f(file, x):\n    ${head}\n        file.write("1")\n        ${body}\n    return 1\n`;
    expect(await repair('python', flush('file.flush()'), SMALL, 'file.flush')).toContain(
      '        file.write("1")\n    file.flush()\n    return 1',
    );
    const refused = [
      flush('if i > 1: file.flush()'),
      flush('if i > 1:\n            file.flush()'),
      flush('file = g(i)\n        file.flush()'),
      flush('file.flush()\n        yield i'),
      flush('file.flush()\n        return 2'),
      flush('file.flush()', 'while True:'),
      flush('files[i].flush()'),
      flush('file.write("2"); file.flush()'),
      `# swmr\n${flush('file.flush()')}`,
    ];
    for (const text of refused) expect(await repair('python', text, SMALL, 'flush()'), text).toBeUndefined();
    // A synchronisation is a promise: outside of a loop nobody takes it away.
    const sync = 'def f(file):\n    file.write("1")\n    os.fsync(file.fileno())\n';
    expect(await repair('python', sync, 'sync-after-every-write', 'os.fsync')).toBeUndefined();
  });

  test('a file is opened around the loop only to append to one and the same', async () => {
    const log = (open: string, body = 'file.write("1")', rest = ''): string =>
      `def f(p, x):\n    for i in x:\n        with ${open} as file:\n            ${body}\n${rest}`;
    expect(await repair('python', log('open(p, "a")'), REOPEN, 'with')).toBe(
      'def f(p, x):\n    with open(p, "a") as file:\n        for i in x:\n            file.write("1")\n',
    );
    const refused = [
      log('open(p, "w")'),
      log('open(p)'),
      log('open(i, "a")'),
      log('open(name(), "a")'),
      log('open(p, "a")', 'p = file'),
      log('open(p, "a")', 'return 3'),
      log('open(p, "a")', 'pass', '        print(i)\n'),
      log('open(p, "a") as g, open(p, "a")'),
    ];
    for (const text of refused) expect(await repair('python', text, REOPEN, 'with'), text).toBeUndefined();
  });

  test('elements become a slice only in a dataset of one dimension', async () => {
    const make = 'd = f.create_dataset("d", (n,))';
    const assign = (made: string, body = 'd[i] = i * 2', head = 'for i in range(n):', rest = ''): string =>
      `import h5py\ndef g(f, n, d0):\n    ${made}\n    ${head}\n        ${body}\n${rest}`;
    expect(await repair('python', assign(make), SMALL, 'd[i]')).toContain('    d[0:n] = [i * 2 for i in range(n)]\n');
    const refused = [
      assign('d = f.create_dataset("d", (n, 3))'),
      assign('d = f.create_dataset("d", data=d0)'),
      assign('d = f["d"]'),
      assign('d = list(d0)'),
      assign(make, 'd[i] = d[i - 1] + 1'),
      assign(make, 'd[i + 1] = 2'),
      assign(make, 'd[i] = 1\n        h(i)'),
      assign(make, 'd[i] = i', 'for i in range(-2, n):'),
      assign(make, 'd[i] = i', 'for i in range(0, n, 2):'),
      assign(make, 'd[i] = i', undefined, '    return i\n'),
      assign(make).replace('import h5py', 'import other'),
    ];
    for (const text of refused) expect(await repair('python', text, SMALL, 'for i'), text).toBeUndefined();
  });
});
