import { describe, expect, test } from 'vitest';
import { compile, has, outcomeOf, repaired, type Finding } from '../../../test/support/fix-programs.ts';

/** Fixes that are offered: the program is compiled without a warning and does the same as before. */
const HEAD =
  '#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/stat.h>\n#include <unistd.h>\n';
const OPEN = 'open("out", O_RDWR | O_CREAT | O_TRUNC, 0644)';

const writes: Finding = { language: 'c', trigger: 'posix-small-writes', here: 'write(fd, "record' };
const syncs: Finding = { language: 'c', trigger: 'sync-after-every-write', here: 'fsync(fd)' };
const opens: Finding = { language: 'c', trigger: 'open-close-in-loop', here: 'open(p' };
const seeks: Finding = { language: 'c', trigger: 'seek-before-every-access', here: 'lseek(fd, i' };

/** The program after several fixes, one made after the other. */
async function after(text: string, ...findings: readonly Finding[]): Promise<string> {
  let now = text;
  for (const finding of findings) {
    const next = await repaired(now, finding);
    expect(next, `a fix at ${finding.here}`).toBeDefined();
    now = next!;
  }
  return now;
}

interface Program {
  readonly text: string;
  readonly findings: readonly Finding[];
  /** Texts that the program has, and has not, after the fixes. */
  readonly has?: readonly string[];
  readonly hasNot?: readonly string[];
}

const LOOP = '  for (int i = 0; i < 30; i++) {\n    if (write(fd, "record\\n", 7) < 0)\n      return 1;\n';

const RUN: Readonly<Record<string, Program>> = {
  'the size of the file, and a child that reads it, see what was written': {
    text: `${HEAD}int main(void) {
  int fd = ${OPEN}, turns = 0;
  struct stat now;
  char line[64] = "";
${LOOP}    fstat(fd, &now);
    if (now.st_size > 100) {
      turns++;
      if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) < 0)
        return 2;
    }
  }
  FILE *child = popen("wc -c < out", "r");
  if (fgets(line, sizeof line, child) == NULL)
    return 3;
  pclose(child);
  stat("out", &now);
  printf("%d %ld %s", turns, (long)now.st_size, line);
  return close(fd);
}
`,
    findings: [writes],
  },
  'calls in an else branch, behind a label, in a case and under an #ifdef': {
    text: `${HEAD}int main(void) {
  int fd = ${OPEN}, count = 0;
${LOOP}    if (i % 7 == 0)
      count++;
    else if (lseek(fd, 0, SEEK_END) < 0)
      return 2;
    switch (i) {
    case 3:
      dprintf(fd, "three\\n");
      break;
    default:
      break;
    }
    if (i < 28)
      goto next;
    dprintf(fd, "late\\n");
  next:
    dprintf(fd, "%d\\n", count);
#ifndef QUIET
    off_t end = lseek(fd, 0, SEEK_CUR);
    printf("%ld\\n", (long)end);
#endif
  }
  return close(fd);
}
`,
    findings: [writes],
  },
  'two places that write, and a second fix of the same kind': {
    text: `${HEAD}static int other(int fe) {
  for (int i = 0; i < 30; i++)
    if (write(fe, "other\\n", 6) < 0)
      return 1;
  return 0;
}

int main(void) {
  int fd = ${OPEN};
${LOOP}    if (i == 9 && other(fd) != 0)
      return 2;
  }
  return close(fd);
}
`,
    findings: [writes, { ...writes, here: 'write(fe' }],
    hasNot: ['(void)flush_writes();\n  for', 'flush_writes();\n    if (buffered_write'],
  },
  'a buffer, then one synchronisation': {
    text: `${HEAD}int main(void) {
  int fd = ${OPEN};
${LOOP}    fsync(fd);
  }
  return close(fd);
}
`,
    findings: [writes, syncs],
    has: ['sync_later(fd);\n  }', 'return buffered_close(fd)', 'return sync_and_close(fd)'],
  },
  'one synchronisation, then a buffer, then the other file': {
    text: `${HEAD}int main(void) {
  int fd = ${OPEN}, fe = open("other", O_WRONLY | O_CREAT, 0644);
${LOOP}    fsync(fd);
    fdatasync(fe);
  }
  close(fe);
  return close(fd);
}
`,
    findings: [syncs, writes, { ...syncs, here: 'fdatasync(fe)' }],
    has: ['    sync_later(fd);\n', '    sync_later(fe);\n'],
  },
  'files that two functions open and close': {
    text: `${HEAD}static int count(const char *q) {
  char c;
  int n = 0, fe;
  if ((fe = open(q, O_RDONLY)) == -1)
    return -1;
  while (read(fe, &c, 1) == 1)
    n++;
  close(fe);
  return n;
}

static int note(const char *p, int k) {
  int fd = open(p, O_WRONLY | O_APPEND | O_CREAT, 0644);
  if (fd < 0)
    return -1;
  if (dprintf(fd, "%d\\n", k) < 0) {
    close(fd);
    return -1;
  }
  return close(fd);
}

int main(void) {
  for (int i = 0; i < 20; i++)
    printf("%d %d\\n", note("out", i), count("out"));
  return 0;
}
`,
    findings: [opens, { ...opens, here: 'open(q' }],
    has: ['open_once(p', 'open_once(q', 'keep_open(fe)'],
  },
  'every access has a seek of its own, tested in each way': {
    text: `${HEAD}static int look(int fd, long i) {
  char a = 0, b = 0, c = 0;
  if (lseek(fd, i, SEEK_SET) < 0) {
    perror("seek");
    return -1;
  }
  if (read(fd, &a, 1) != 1)
    return -1;
  if (lseek(fd, 2 * i, SEEK_SET) == (off_t)-1)
    exit(1);
  if (read(fd, &b, 1) != 1)
    return -1;
  if (lseek(fd, 3 * i, SEEK_SET) != 3 * i)
    return -1;
  if (read(fd, &c, 1) != 1)
    return -1;
  return a + b + c;
}

int main(void) {
  int fd = ${OPEN};
  for (int i = 0; i < 99; i++)
    dprintf(fd, "%c", ' ' + i % 90);
  for (int i = 0; i < 30; i++)
    printf("%d\\n", look(fd, i));
  return close(fd);
}
`,
    findings: [seeks, { ...seeks, here: 'lseek(fd, 2' }, { ...seeks, here: 'lseek(fd, 3' }],
    hasNot: ['lseek'],
  },
  'a class that closes its file in a method of that name': {
    text: `${HEAD}class Log {
public:
  explicit Log(const char *p) : file(open(p, O_WRONLY | O_CREAT | O_TRUNC, 0644)) {}
  ~Log() { close(); }
  void close() {
    if (file >= 0)
      ::close(file);
    file = -1;
  }
  bool put(const char *s);

private:
  int file;
};

bool Log::put(const char *s) {
  if (*s == '\\0')
    close();
  return write(file, s, 7) == 7;
}

int main() {
  Log log("out");
  for (int i = 0; i < 30; i++)
    if (!log.put("record\\n"))
      return 1;
}
`,
    findings: [{ ...writes, language: 'cpp', here: 'write(file' }],
    has: ['buffered_write(file, s, 7)', 'buffered_close(file)', '~Log() { close(); }'],
  },
  'declarations in conditions': {
    text: `${HEAD}int main() {
  int fd = ${OPEN};
  char b[8];
${LOOP}    if (ssize_t n = read(fd, b, 8))
      printf("%zd\\n", n);
    if (off_t at = lseek(fd, 0, SEEK_CUR); at > 0)
      printf("%ld\\n", (long)at);
  }
  return close(fd);
}
`,
    findings: [{ ...writes, language: 'cpp' }],
  },
};

describe('the program does the same', () => {
  for (const [name, { text, findings, has: texts = [], hasNot = [] }] of Object.entries(RUN)) {
    const { language } = findings[0]!;
    test.skipIf(!has(language === 'cpp' ? 'g++' : 'gcc'))(name, async () => {
      const now = await after(text, ...findings);
      for (const part of texts) expect(now).toContain(part);
      for (const part of hasNot) expect(now).not.toContain(part);
      const before = outcomeOf(language, text);
      expect(before.printed + before.written).not.toBe('');
      expect(outcomeOf(language, now)).toEqual(before);
    });
  }
});

describe('headers and helper are always compiled', () => {
  const BODY = `  int fd = open("out", O_WRONLY);\n${LOOP}  }\n  return close(fd);\n}\n`;
  const HEADERS = '#include <fcntl.h>\n#include <unistd.h>\n';

  test.skipIf(!has('gcc')).each([
    ['an include under an #ifdef', `${HEADERS}#ifdef MISSING\n#include <missing.h>\n#endif\nint main(void) {\n${BODY}`],
    ['only such includes', `#define _GNU_SOURCE\n#if 1\n${HEADERS}#endif\nint main(void) {\n${BODY}`],
    ['an include below', `${HEADERS}int main(void) {\n${BODY}#include <errno.h>\n`],
    [
      'a first use in a branch that is not compiled',
      `${HEADERS}#ifdef DEBUG\nstatic void trace(const char *s) {\n  (void)!write(2, s, 1);\n}\n#endif\nint main(void) {\n${BODY}`,
    ],
    [
      'the use in an #else',
      `${HEADERS}#ifdef MISSING\nint put(int fd);\n#else\n/* Puts. */\nstatic int put(int fd) {\n  return write(fd, "record\\n", 7) < 0;\n}\n#endif\nint main(void) {\n  return put(1);\n}\n`,
    ],
  ])('%s', async (_, text) => {
    compile('c', text);
    compile('c', await after(text, writes));
  });

  test.skipIf(!has('g++'))('a header with a guard, included twice', async () => {
    const header = `#ifndef TABLE_H\n#define TABLE_H\n#include <unistd.h>\ninline void put(int fd) {\n  (void)!write(fd, "record", 6);\n}\n#endif\n`;
    const now = await after(header, { ...writes, language: 'cpp', more: { place: { file: '/x/table.h', line: 1 } } });
    compile('cpp', `${now}${now}int main() { put(1); }\n`);
  });
});
