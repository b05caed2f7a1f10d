import { describe, expect, test } from 'vitest';
import { offeredFor, offering } from '../../../test/support/fixes/fix-programs.ts';
import { editedText } from '../../export/report/edited-text.ts';
import type { Fix, FixLanguage } from './fix.ts';

/** Fortran and Python in which the obvious edit would be wrong, or would break the text: it is refused. */

async function fixesOf(language: FixLanguage, text: string, trigger: string, here: string): Promise<Fix[]> {
  const file = language === 'fortran' ? '/x/program.f90' : '/x/program.py';
  const line = text.slice(0, text.indexOf(here)).split('\n').length;
  return offering.find({
    trigger,
    language,
    place: { file, line },
    sources: { [file]: text },
    count: 1000,
    medianBytes: 8,
    threaded: false,
    plainFiles: true,
    closedAt: [],
    touchedAt: [],
    // Those of the language alone come with a request.
    examples: [],
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
      program(`${stream}${loop.replace('a(i)', 'a(j)')}`),
      program(`${stream}${loop.replace('a(i)', 'a(i, i)')}`),
      program(`${stream}!$omp parallel do\n${loop}`),
      program(`${stream}u = 12\n${loop}`),
      program(`${stream}${loop}`, '  common /shared/ i\n'),
    ];
    for (const text of refused) expect(await repair('fortran', text, SMALL, 'write(u'), text).toBeUndefined();
  });

  const flushing = (text: string): string =>
    program(`open(newunit=u, file='f')\ndo i = 1, 9\n  write(u, *) i\n  ${text}\nend do\nclose(u)`);

  test('a flush that has a condition, or shares its line, stays', async () => {
    expect(await repair('fortran', flushing('flush(u)'), SMALL, 'flush')).toContain(
      '    write(u, *) i\n  end do\n  close',
    );
    for (const text of ['if (mod(i, 3) == 0) flush(u)', 'write(u, *) i; flush(u)'])
      expect(await repair('fortran', flushing(text), SMALL, 'flush'), text).toBeUndefined();
  });

  test('a file is opened before the loop only to append to one and the same', async () => {
    const append = "file='f', position='append'";
    const open = "open(newunit=u, file='f', position='append')";
    expect(await repair('fortran', reopening(append), REOPEN, 'open(')).toContain(
      `  ${open}\n  do i = 1, 9\n    write(u, *) i\n    flush(u)\n  end do\n  close(u)\n`,
    );
    const unsure = reopening(append).replace('1, 9', '2, i2').replace(':: u', ':: i2, u');
    const guarded = await repair('fortran', unsure, REOPEN, 'open(');
    expect(guarded).toContain(`  if (2 <= i2) ${open}\n  do i`);
    expect(guarded).toContain('  end do\n  if (2 <= i2) close(u)\n');
    const refused = [
      reopening("file='f', status='replace'"),
      reopening("file='f'"),
      reopening("file=name(i), position='append'"),
      reopening("file=next(), position='append'"),
      reopening(`file='${'long'.repeat(24)}', position='append'`)
        .replace('1, 9', '1, upper')
        .replace(':: u', ':: upper, u'),
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

  test('an example that came with the finding, for what its line calls, is taken before a general one', async () => {
    const request = {
      ...({
        trigger: 'posix-redundant-reads',
        language: 'python',
        count: 1000,
        medianBytes: 8,
        threaded: false,
      } as const),
      ...{ place: { file: '/w/a.py', line: 1 }, sources: { '/w/a.py': 'ask(1)\n' }, plainFiles: true },
      ...{ closedAt: [], touchedAt: [], examples: [{ title: 'SQLite: an index', code: 'CREATE INDEX' }] },
    };
    const fixes = await offering.find(request);
    expect(fixes.map(({ title }) => title)).toEqual(['Insert an example: SQLite: an index']);
  });

  test('line ends stay as they are', async () => {
    const text = flushing('flush(u)').replaceAll('\n', '\r\n');
    const repaired = await repair('fortran', text, SMALL, 'flush');
    expect(repaired!.replaceAll('\r\n', '')).not.toContain('\n');
    expect(repaired).not.toContain('flush');
    const opened = await repair(
      'fortran',
      reopening("file='f', position='append'").replaceAll('\n', '\r\n'),
      REOPEN,
      'open(',
    );
    expect(opened!.replaceAll('\r\n', '')).not.toContain('\n');
    expect(opened).toContain('    flush(u)\r\n  end do\r\n  close(u)\r\n');
  });
});

describe('Python', () => {
  test('a buffer is given only to files that are closed in sight', async () => {
    const open = (text: string, more = ''): string =>
      `import os\ndef f(p, mode, lock):\n    with ${text} as file:\n        file.write(b"1")\n${more}`;
    expect(await repair('python', open('open(p, "wb", 0)'), SMALL, 'with')).toContain('(p, "wb", buffering=8192) as');
    expect(await repair('python', open('open(p, "w", buffering=1)'), SMALL, 'with')).toContain('buffering=8192) as');
    const refused = [
      ...['open(p, "wb")', 'open(p, "wb", 4096)', 'open(p, mode, buffering=1)', 'os.open(p, 0)', 'open(p, "r+b", 0)'],
      'lock, open(p, "wb", 0)',
    ].map((text) => open(text));
    for (const text of [...refused, open('open(p, "wb", 0)', '        os.write(file.fileno(), b"2")\n')])
      expect(await repair('python', text, SMALL, 'with'), text).toBeUndefined();
  });

  test('a flush is dropped only where nothing may need it', async () => {
    const flush = (body: string, head = 'for i in range(9):', more = ''): string =>
      `import os, time\n${more}\ndef f(p, x, g):\n    with open(p, "w") as file:\n        ${head}\n            file.write("1")\n            ${body}\n        file.write("end")\n`;
    expect(await repair('python', flush('file.flush()'), SMALL, 'file.flush')).toContain(
      'open(p, "w", buffering=8192) as file:\n        for i in range(9):\n            file.write("1")\n        file.write("end")',
    );
    const refused = [
      flush('if i > 1: file.flush()'),
      flush('if i > 1:\n                file.flush()'),
      flush('file = g(i)\n            file.flush()'),
      flush('file.flush()\n            yield i'),
      flush('file.flush()\n            await g'),
      flush('file.flush()\n            g(i)'),
      flush('file.flush()\n            g.poll()'),
      flush('file.flush()\n            g[0](i)'),
      flush('file.flush()\n            input()'),
      flush('file.flush()\n            print(i, flush=True)'),
      // Whoever waits may follow the file.
      flush('file.flush()\n            time.sleep(1)'),
      flush('file.flush()\n            g = file'),
      flush('file.flush()\n            with g:\n                pass'),
      flush('file.flush()\n            import other'),
      flush('file.flush()', 'for i in g(x):'),
      // A generator may look at the file in each turn, and so may a function that is handed on.
      flush('file.flush()', 'for i in x:'),
      flush('file.flush()', 'for i in map(g, range(9)):'),
      flush('files[i].flush()'),
      flush('file.write("2"); file.flush()'),
      flush('file.flush()', undefined, 'import atexit'),
      flush('file.flush()', undefined, 'from os import *'),
      flush('file.flush()', undefined, 'from gzip import open'),
      flush('file.flush()').replace('open(p, "w")', 'open(p, "w", int(p))'),
      flush('file.flush()').replace('open(p, "w")', 'open(p, "r+")'),
      flush('file.flush()').replace('def f', 'async def f'),
      flush('file.flush()').replace('open(p, "w")', 'open(p, "w", opener=g)'),
      flush('file.flush()').replace('open(p, "w")', 'open("/dev/stdout", "w")'),
      flush('file.flush()').replace('open(p, "w")', 'open(3, "w")'),
      flush('file.flush()', 'for i in sys.stdin:', 'import sys'),
    ];
    for (const text of refused) expect(await repair('python', text, SMALL, 'flush()'), text).toBeUndefined();
    const log = 'def log(file):\n    file.write("1")\n    file.flush()\n';
    const script = `${log}with open("o", "w") as out:\n    log(out)\n`;
    expect(await repair('python', script, SMALL, 'file.flush')).not.toContain('flush');
    for (const text of [log, `${log}def g(p):\n    with open(p, "w") as out:\n        log(out)\n`, `${script}log(x)\n`])
      expect(await repair('python', text, SMALL, 'file.flush'), text).toBeUndefined();
    // A synchronisation is a promise: nobody takes it away.
    const sync = 'def f(file):\n    file.write("1")\n    os.fsync(file.fileno())\n';
    expect(await repair('python', sync, 'sync-after-every-write', 'os.fsync')).toBeUndefined();
  });

  test('other code that touches the file, by the recording, may need the flush', async () => {
    const text = 'with open("o", "w") as out:\n    for i in range(9):\n        out.write("1")\n        out.flush()\n';
    const finding = { language: 'python', trigger: 'flush-after-every-record', here: 'out.flush' } as const;
    const [trade] = await offeredFor(text, finding);
    expect(trade).toMatchObject({ kind: 'trade', method: 'dropped flush' });
    expect(trade!.title).toBe('Do not flush after each record: up to 16 KiB are lost if the program is killed');
    const known = [{ touchedAt: [{ file: '/x/other.py', line: 3 }] }, { touchedAt: [{ file: '', line: 0 }] }];
    for (const more of [...known, { threaded: true }])
      expect((await offeredFor(text, { ...finding, more }))[0]!.kind).toBe('example');
  });

  test('a file is opened around the loop only to append to one and the same', async () => {
    const log = (open: string, body = 'file.write("1")', rest = ''): string =>
      `def f(p, x):\n    for i in range(9):\n        with ${open} as file:\n            ${body}\n${rest}`;
    expect(await repair('python', log('open(p, "a")'), REOPEN, 'with')).toBe(
      'def f(p, x):\n    with open(p, "a") as file:\n        for i in range(9):\n            file.write("1")\n            file.flush()\n',
    );
    const refused = [
      log('open(p, "w")'),
      log('open(p)'),
      log('open(i, "a")'),
      log('open(name(), "a")'),
      log('open(p, "a", 0)'),
      log('open(p.name, "a")'),
      log('open(p, "a")', 'p = file'),
      log('open(p, "a")', 'file.close()'),
      log('open(p, "a")', 'return 3'),
      log('open(p, "a")', 'i.rename("old")'),
      log('open(p, "a")', 'pass', '        print(i)\n'),
      log('open(p, "a")').replace('in range(9)', 'in open(p)'),
      log('open(p, "a")').replace('for i', 'for file'),
      log('open(p, "a")').replace('in range(9)', 'in i.lines(p)'),
      log('open(p, "a") as g, open(p, "a")'),
      `import threading\n${log('open(p, "a")')}`,
    ];
    for (const text of refused) expect(await repair('python', text, REOPEN, 'with'), text).toBeUndefined();
  });

  test('rows become one assignment only where data set and table have the same shape', async () => {
    const rows = (
      shape: string,
      body = 'd[i] = row',
      head = 'for i, row in enumerate(t):',
      { table = 't = np.zeros((9, 3))', rest = '' } = {},
    ): string =>
      `import h5py\nimport numpy as np\ndef g(f, n):\n    ${table}\n    d = f.create_dataset("d", ${shape})\n    ${head}\n        ${body}\n${rest}`;
    expect(await repair('python', rows('t.shape'), SMALL, 'd[i]')).toContain('    d[...] = t\n');
    expect(await repair('python', rows('t.shape, dtype="f4"'), SMALL, 'd[i]')).toContain('    d[...] = t\n');
    const refused = [
      rows('(9, 3)'),
      rows('t.shape, data=n'),
      rows('t.shape', 'd[i] = row * 2'),
      rows('t.shape', 'd[i + 1] = row'),
      rows('t.shape', 'd[i] = row\n        h(row)'),
      rows('t.shape', 'd[i] = row', 'for i, row in enumerate(t, 1):'),
      rows('t.shape', 'd[i] = row', 'for i, row in enumerate(t[::2]):'),
      rows('t.shape', undefined, undefined, { rest: '    return i\n' }),
      rows('t.shape', undefined, undefined, { rest: '    return row\n' }),
      rows('t.shape', undefined, undefined, { table: 't = n.table' }),
      rows('t.shape', undefined, undefined, { table: 't = np.zeros((9, 3))\n    d = n' }),
    ];
    for (const text of refused) expect(await repair('python', text, SMALL, 'd[i'), text).toBeUndefined();
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
      assign(make, 'd[i] = 1 / i'),
      assign(make, 'd[i] = d0[i]'),
      assign(make, 'd[i] = g(i)'),
      assign(make, 'd[i] = f["d"][i - 1] + 1'),
      assign(make, 'd[i] = i', 'for i in range(m):'),
      assign(make, 'd[i] = i', 'for i in range(1, n):'),
      assign(`${make}\n    n = 3`),
      assign(make).replace('import h5py', 'import other'),
    ];
    for (const text of refused) expect(await repair('python', text, SMALL, 'for i'), text).toBeUndefined();
    const arrays = (array: string): string =>
      assign(`${make}\n    x = ${array}`, 'd[i] = x[i]').replace('import h5py', 'import h5py\nimport numpy as np');
    expect(await repair('python', arrays('np.zeros(n)'), SMALL, 'for i')).toContain('    d[0:n] = x[0:n]\n');
    for (const array of [
      'np.zeros((n, 2))',
      'np.zeros(m)',
      'np.zeros(n, dtype=object)',
      'np.zeros(n, dtype=complex)',
      'list(d0)',
      'other.zeros(n)',
    ])
      expect(await repair('python', arrays(array), SMALL, 'for i'), array).toBeUndefined();
  });

  test('rows are written together only where all of an array goes to one file of bytes', async () => {
    const rows = (head: string, row: string, made = 'np.zeros((n, 3))', mode = 'wb'): string =>
      `import numpy as np\ndef g(p, n, x):\n    a = ${made}\n    with open(p, "${mode}") as f:\n        ${head}:\n            ${row}\n`;
    for (const text of [rows('for r in a', 'r.tofile(f)'), rows('for i in range(len(a))', 'a[i].tofile(f)')])
      expect(await repair('python', text, SMALL, 'for '), text).toContain('as f:\n        a.tofile(f)\n');
    const refused = [
      rows('for i in range(n)', 'a[i].tofile(f)'),
      rows('for r in a', 'r.tofile(p)'),
      rows('for r in a', 'r.tofile(f, " ")'),
      rows('for r in a', 'r.tofile(f, sep=" ")'),
      rows('for r in a', 'r.T.tofile(f)'),
      rows('for r in x', 'r.tofile(f)'),
      rows('for r in a', 'r.tofile(f)', 'x'),
      rows('for r in a', 'r.tofile(f)', undefined, 'w'),
      rows('for r in a', 'r.tofile(f)\n            print(r)'),
      `${rows('for r in a', 'r.tofile(f)')}    return r\n`,
    ];
    for (const text of refused) expect(await repair('python', text, SMALL, 'for '), text).toBeUndefined();
  });
});
