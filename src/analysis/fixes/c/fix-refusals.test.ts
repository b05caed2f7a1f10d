import { describe, expect, test } from 'vitest';
import { exampleInsteadOf, offeredFor, repaired, type Finding } from '../../../../test/support/fixes/fix-programs.ts';

/** C and C++ whose results would change, or that would not compile, after the obvious edit: no fix is offered. */
const HEAD = '#include <fcntl.h>\n#include <stdio.h>\n#include <unistd.h>\n';

/** Texts that get a fix, which shows that the others are refused for what they differ in, and texts that get none. */
function offers(finding: Finding, offered: readonly string[], refused: readonly string[]): void {
  test.each([
    ['offered', offered],
    ['refused', refused],
  ])(`${finding.language}: %s`, async (word, texts) => {
    for (const text of texts)
      expect((await repaired(text, finding)) === undefined ? 'refused' : 'offered', text).toBe(word);
  });
}

describe('a file is kept open only where its descriptor stays in the function', () => {
  const finding: Finding = { language: 'c', trigger: 'open-close-in-loop', here: 'open(p' };
  const log = (rest: string, open = 'int fd = open(p, O_WRONLY | O_APPEND);', more = ''): string =>
    `${HEAD}static const char *p = "log";\n${more}\nint note(void) {\n  ${open}\n  if (fd < 0)\n    return -1;\n  ${rest}\n}\nint main(void) {\n  while (note() == 0) {\n  }\n}\n`;
  offers(
    finding,
    [
      log('if (write(fd, p, 1) != 1) { close(fd); return -1; }\n  return close(fd);'),
      log('close(fd);\n  return 0;', undefined, 'void other(int fe) { close(fe); }'),
      log('if (p[0])\n    close(fd);\n  return 0;'),
    ],
    [
      log('if (write(fd, p, 1) != 1) { close(fd); return -1; }\n  return fd;'),
      log('close(fd);\n  int *kept = &fd;'),
      log('saved = fd;\n  close(fd);', undefined, 'static int saved;'),
      log('if (p[0]) close(fd);', 'return fd = open(p, O_WRONLY);', 'static int fd;'),
      log('close(fd);', 'fd = open(p, O_WRONLY);', 'static int fd;'),
      log('close(fd);', 'static int fd = 0;\n  fd = open(p, O_WRONLY);'),
      log('close(fd);', 'int fd = open(p, O_WRONLY), n = 0;'),
      log('send_to(fd);\n  if (p[0]) close(fd);'),
      log('FILE *f = fdopen(fd, "w");\n  if (f == NULL) close(fd);'),
      log('flock(fd, LOCK_EX);\n  close(fd);'),
      log('close(fd);', 'int fd = open(p, O_TMPFILE | O_RDWR, 0600);'),
      log('close(fd);', 'int fd = open(p, O_WRONLY | O_APPEND | EXTRA);', 'enum { EXTRA = O_TRUNC };'),
      log('note();\n  close(fd);'),
      log('close(fd);', undefined, 'void turn(void) { chdir(".."); }'),
      log('helper();\n  close(fd);', undefined, 'int note(void);\nvoid helper(void) { note(); }'),
      log('close(fd);', undefined, 'void start(void) { if (fork() == 0) note(); }'),
      log('close(fd);').replace('while', 'p = "other";\n  while'),
    ],
  );

  test('refused where the recording saw it closed elsewhere, or several threads', async () => {
    const text = log('close(fd);\n  return 0;');
    const closed = (file: string, line: number): Finding => ({ ...finding, more: { closedAt: [{ file, line }] } });
    expect(await repaired(text, closed('/x/program.c', 9))).toBeDefined();
    expect(await repaired(text, closed('/x/program.c', 2))).toBeUndefined();
    expect(await repaired(text, closed('/x/other.c', 9))).toBeUndefined();
    expect(await repaired(text, { ...finding, more: { threaded: true } })).toBeUndefined();
  });
});

describe('pread only where nothing goes on from the file offset', () => {
  const program = (body: string): string =>
    `${HEAD}int look(const char *p, unsigned i, char *b) {\n  int found = 0, fd = open(p, O_RDONLY);\n  ${body}\n  close(fd);\n  return found;\n}\n`;
  const own = 'lseek(fd, i, SEEK_SET);\n  if (read(fd, b, 8) != 8) return 1;\n  ';
  const tested = (seek: string): string => program(`${seek}\n  if (read(fd, b, 8) != 8)\n    return 1;`);
  offers(
    { language: 'c', trigger: 'seek-before-every-access', here: 'lseek(' },
    [
      program(own),
      program(`${own}lseek(fd, i + 8, SEEK_SET);\n  if (read(fd, b, 1) != 1) return 2;`),
      tested('if (lseek(fd, i, SEEK_SET) < 0) {\n    perror("seek");\n    return -1;\n  }'),
      tested('if (lseek(fd, i, SEEK_SET) == -1)\n    return -1;'),
    ],
    [
      program(`${own}lseek(fd, 8, SEEK_CUR);\n  if (read(fd, b, 1) != 1) return 2;`),
      program(`${own}found = lseek(fd, 0, SEEK_CUR);`),
      program(`${own}if (b[0]) lseek(fd, 8, SEEK_SET);\n  if (read(fd, b, 1) != 1) return 2;`),
      program(`${own}found = read_body(fd, b);`),
      program(`${own}dprintf(fd, "x");`),
      tested('if (lseek(fd, i, SEEK_SET) >= 0) found++;'),
      tested('if (lseek(fd, i, SEEK_SET) < 0) found++;'),
      tested('if (lseek(fd, i, SEEK_SET) < 0) return found++;'),
      tested('if (lseek(fd, i, SEEK_SET) > 5) return -1;'),
      tested('if (lseek(fd, i, SEEK_SET) == 0) return -1;'),
      tested('if (found && lseek(fd, i, SEEK_SET) < 0) return -1;'),
      tested('if (lseek(fd, i, SEEK_SET) < 0) return -1; else found = 1;'),
      tested('if (found)\n    lseek(fd, i, SEEK_SET);'),
    ],
  );
});

describe('a stream is buffered only where it alone was made unbuffered', () => {
  const OPENED = 'FILE *f = fopen("f", "r"), *g = fopen("g", "r");\n  int fd = 0, quick = f == g;\n  ';
  const program = (head: string, rest = 'fread(b, 1, 7, f)', more = ''): string =>
    `${HEAD}${more}\nint main(void) {\n  char b[8];\n  int n = 0;\n  ${OPENED}${head}\n  while (${rest} == 7)\n    n++;\n  return n + fd + quick;\n}\n`;
  const calls = (parameter: string): string =>
    `${HEAD}int next(FILE *in) {\n  return fgetc(in) == 7;\n}\nint main(void) {\n  FILE *log = fopen("l", "r"), *from = fopen("f", "r");\n  setvbuf(${parameter}, NULL, _IONBF, 0);\n  return next(from);\n}\n`;
  const none = 'setvbuf(f, NULL, _IONBF, 0);';
  offers(
    { language: 'c', trigger: 'posix-small-reads', here: '== 7' },
    [program(none), program('setbuf(f, NULL);'), program(none, 'fgetc(f)'), calls('from')],
    [
      program(`if (quick)\n    ${none}`),
      program(`if (setvbuf(f, NULL, _IONBF, 0) != 0) return 1;`),
      program('setvbuf(g, NULL, _IONBF, 0);'),
      program('setvbuf(stdout, NULL, _IONBF, 0);', 'read(fd, b, 7)'),
      program(none, 'read(fd, b, 7)'),
      program(`${none}\n  lseek(fileno(f), 0, SEEK_SET);`),
      program(`${none}\n  system("true");`),
      program(`${none}\n  FILE *w = fopen("f", "r+");\n  fputs("x", w);`),
      calls('log'),
    ],
  );

  test('only the statement of that stream goes', async () => {
    const text = program(`${none}\n  setvbuf(g, NULL, _IONBF, 0);`);
    const now = await repaired(text, { language: 'c', trigger: 'posix-small-reads', here: '== 7' });
    expect(now).toBe(text.replace(`  ${none}\n`, ''));
  });
});

describe('flushes of streams', () => {
  const endl = (line: string, more = ''): string =>
    `#include <fstream>\n#include <iomanip>\n${more}\nint main() {\n  std::ofstream o("x");\n  bool last = o.is_open();\n  o << 1;\n  ${line} // here\n}\n`;
  offers(
    { language: 'cpp', trigger: 'flush-after-every-record', here: '// here' },
    [endl('o << std::endl;'), endl('o << std::endl << 2 << std::endl;')],
    [
      endl('std::endl(o);'),
      endl('o << std::endl<char, std::char_traits<char>>;'),
      endl('o << (last ? std::endl<char, std::char_traits<char>> : std::flush<char, std::char_traits<char>>);'),
      endl('o << std::setw(8) << std::endl;'),
      endl('auto end = std::endl;'),
      endl('o << std::endl; system("cat x");'),
      endl('o << std::endl;', '#include <unistd.h>\nvoid g() { fork(); }'),
    ],
  );

  const flush = (rest: string): string =>
    `${HEAD}int main(void) {\n  char b[8] = "";\n  FILE *file = fopen("x", "w");\n  fputs("x", file);\n  fflush(file);\n  ${rest}\n  return fclose(file) + b[0];\n}\n`;
  offers(
    { language: 'c', trigger: 'flush-after-every-record', here: 'fflush' },
    [flush(''), flush('puts(b);')],
    [
      flush('fgets(b, 8, stdin);'),
      flush('').replace('  fflush', '#ifdef MISSING\n  if (b)\n#endif\n  fflush'),
      flush('fsync(fileno(file));'),
      flush('if (fork() == 0) {}'),
      flush('fgets(b, 8, file);').replace('"w"', '"w+"'),
      flush('_exit(0);'),
    ],
  );

  test('refused where the recording saw something unknown touch the file', async () => {
    const finding: Finding = { language: 'c', trigger: 'flush-after-every-record', here: 'fflush' };
    const touchedAt = (file: string): Finding => ({ ...finding, more: { touchedAt: [{ file, line: 9 }] } });
    expect(await repaired(flush(''), touchedAt('/x/program.c'))).toBeDefined();
    expect(await repaired(flush(''), touchedAt('/x/other.c'))).toBeUndefined();
    expect(await repaired(flush(''), touchedAt(''))).toBeUndefined();
  });
});

describe('what is refused is an example that says why', () => {
  const body = 'lseek(fd, 8, SEEK_SET);\n  write(fd, p, 8);\n  fsync(fd);\n  fflush(file);\n';
  const text = `${HEAD}void save(int fd, const char *p, FILE *file) {\n  ${body}}\n`;
  test.each([
    ['posix-small-writes', 'write(', 'Collect the writes in a stream'],
    ['sync-after-every-write', 'fsync(', 'Synchronise once, when the file is closed'],
    ['seek-before-every-access', 'lseek(', 'Give the offset with the access (pread, pwrite)'],
    ['flush-after-every-record', 'fflush(', 'Do not flush after each record'],
  ])('%s', async (trigger, here, title) => {
    const finding: Finding = { language: 'c', trigger, here };
    const example = exampleInsteadOf(await offeredFor(text, finding));
    expect(example.title).toBe(`Insert an example: ${title} (code not changed: ${example.reason})`);
    expect(example.reason!.length).toBeLessThan(80);
    const examples = [{ title: 'a snippet', code: 'one();\n' }];
    const given = exampleInsteadOf(await offeredFor(text, { ...finding, more: { examples } }));
    expect(given.title).toContain('Insert an example: a snippet (');
  });
});
